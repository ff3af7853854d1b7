/* SPDX-License-Identifier: MIT
 *
 * Host memory that may change as soon as it is copied.
 */
#ifndef KERNELS_COMMON_UPLOAD_H
#define KERNELS_COMMON_UPLOAD_H

#include "kernels/common/common.h"

/* Copies bytes of the host to memory of the call's device, and waits until they are there. */
static inline fv_status
upload_now (const fv_call *call, void *to, const void *from, size_t bytes, fv_error *error)
{
  const fv_device *device = call->device;
  if (device->kind == FV_CPU) {
    memcpy (to, from, bytes);
    return FV_OK;
  }
  const fv_status status = device->copy (device, call->stream, to, bytes, from, bytes, bytes, 1, FV_TO_DEVICE, error);
  return status ? status : device->synchronize (device, call->stream, error);
}

#endif
