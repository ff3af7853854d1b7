/* SPDX-License-Identifier: MIT
 *
 * Runs one operation on images: checks, infers, brings the inputs to the device, makes the outputs there, calls the plugin
 * for each group of planes that the operation's grain asks for, and times it on the device's own clock. What does not fit on
 * the device stays on the host and goes through it.
 */
#ifndef CORE_RUN_CALL_H
#define CORE_RUN_CALL_H

#include "core/data/image.h"
#include "core/ops/module.h"
#include "core/data/table.h"

typedef struct CallResult {
  Image **images; /* one for each declared output; NULL: it was let go */
  guint n_images;
  Table *table;    /* NULL when the operation makes none */
  double *scalars; /* [scalar_rows][n_scalars], settled; NULL when there are none */
  gint64 scalar_rows;
  double ms;                    /* on the device: the operation alone, settled */
  guint64 uploaded, downloaded; /* bytes that this call moved */
  /* Until it is settled: */
  Device *device;
  void *events[2];
  double *scalars_on_device;
  gsize scalar_bytes;
} CallResult;

void call_result_clear (CallResult *result);
/* from: settled. Shares images and table. */
void call_result_copy (CallResult *to, const CallResult *from);

/* inputs: one for each declared input; an optional one may be NULL. On success *result is the caller's, to be cleared. The
 * work may still be going on then: call_settle() waits for it. */
gboolean call_start (const Op *op, gconstpointer args, Image *const *inputs, Device *device, Progress *progress,
                     CallResult *result, GError **error);
/* Waits for the work, and takes its time and its scalars. */
gboolean call_settle (const Op *op, CallResult *result, GError **error);
/* Both. */
gboolean call_op (const Op *op, gconstpointer args, Image *const *inputs, Device *device, Progress *progress,
                  CallResult *result, GError **error);
/* What the outputs would be, without running: n_outputs infos, to be cleared by the caller. */
gboolean call_infer (const Op *op, gconstpointer args, Image *const *inputs, ImageInfo *outputs, GError **error);

#endif
