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

/* Bytes below which it is not worth it to cut a copy in two so that other work goes on meanwhile. */
#define TRANSFER_LEAST ((gsize) 4 << 20)

/* Until transfer_end(), both places stay as they are. Several with one Transfer, all of one direction, are waited for together. When
 * one fails, none is going on any more. */
fv_status transfer_begin (Transfer *transfer, Device *device, const TransferRows *rows, fv_copy direction,
                          fv_error *error);
/* Waits until they are done; does nothing when none is going on. */
fv_status transfer_end (Transfer *transfer, Device *device, fv_error *error);

#endif
