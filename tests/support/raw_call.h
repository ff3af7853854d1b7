/* SPDX-License-Identifier: MIT
 *
 * Calls an operation through the ABI alone, as a hostile host would: padded rows, poisoned outputs and scratch, canaries
 * around every array, a stop at a chosen tick. One group only: all planes that are given.
 */
#ifndef TESTS_SUPPORT_RAW_CALL_H
#define TESTS_SUPPORT_RAW_CALL_H

#include "core/data/image.h"
#include "core/ops/module.h"
#include "core/call/op.h"

typedef struct RawResult {
  fv_status status;
  fv_error error;
  gint64 ticks;
  gsize scratch;        /* bytes that it took */
  gboolean asked_early; /* the stop was asked for before all parts were done */
  guint n_outputs;
  fv_grid grids[OP_MAX_ARRAYS];
  guint8 *outputs[OP_MAX_ARRAYS]; /* dense copies */
  gsize sizes[OP_MAX_ARRAYS];
  double scalars[64];
  guint n_scalars;
} RawResult;

/* device: NULL is the CPU, without a device's functions. stop_at: the tick (from 1) that asks to stop; 0: never. Fails the test when an input, a row's padding or a canary was
 * changed. */
void raw_call (const Op *op, gconstpointer args, Image *const *inputs, Device *device, gint64 stop_at,
               RawResult *result);
void raw_result_clear (RawResult *result);
/* call_op() with the table that raw_call() gives to every input that wants one. target may be NULL. */
gboolean call_with_tables (const Op *op, gconstpointer args, Image *const *inputs, Device *device,
                           const CallTarget *target, CallResult *result, GError **error);

#endif
