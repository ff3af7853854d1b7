/* SPDX-License-Identifier: MIT
 *
 * Copies of pixels between host and device, counted, each way on a stream of its own: they go on beside the device's work and beside
 * each other, in the order that the memory asks for. What was asked of the device before is done before a copy begins; what
 * is asked of it after a copy to it finds the bytes.
 */
#ifndef CORE_DATA_TRANSFER_H
#define CORE_DATA_TRANSFER_H

#include "core/data/device.h"

/* Rows of `bytes`, each so many bytes behind the one before. */
typedef struct TransferRows {
  void *to;
  gsize to_stride;
  const void *from;
  gsize from_stride, bytes, rows;
} TransferRows;

/* Below this size, splitting a copy to overlap it with other work does not pay. */
#define TRANSFER_MIN ((gsize) 4 << 20)

/* Source and destination must stay valid until transfer_end(). Several with one Transfer, all in one direction, are
 * waited for together. If one fails, none is still running. */
fv_status transfer_begin (Transfer *transfer, Device *device, const TransferRows *rows, fv_copy direction,
                          fv_error *error);
/* Waits until they are done; does nothing when none is going on. */
fv_status transfer_end (Transfer *transfer, Device *device, fv_error *error);

#endif
