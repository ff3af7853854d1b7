/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: what any bytes decode to is counted, as the window does for its histogram, and goes through `display` and
 * every other operation, with its defaults, which does it or fails with an error.
 */
#include "core/ops/args.h"
#include "core/call/grid.h"
#include "core/call/op.h"
#include "core/view/contrast.h"
#include "tests/fuzz/support.h"

#define MAX_BYTES (1 << 12) /* of the image; what is made of it has no more than MAX_RESULT pixels */
#define MAX_PLANES 4        /* 16-bit planes have long histograms */
#define MAX_RESULT (1 << 20)

static Modules *modules;

/* Whether no histogram of the image has so many bins, one for each value, that it takes seconds here. */
static gboolean
count (Image *image)
{
  gboolean narrow = TRUE;
  const ImageInfo *info = image_info (image);
  for (gint64 plane = 0; plane < image_info_planes (info); plane++) {
    guint64 n = 0;
    ContrastAuto state = {0};
    Range limits = {0, 0};
    Counts counts;
    counts_of_plane (&counts, info, image_plane (image, plane, NULL));
    contrast_auto (&state, &counts, NULL, &limits);
    for (int i = 0; i < COUNTS_BINS; i++)
      n += counts.bins[i];
    if (n > (guint64) info->rows * (guint64) info->columns || !(limits.low <= limits.high))
      g_error ("%" G_GUINT64_FORMAT " values are counted, and the limits are %g and %g", n, limits.low, limits.high);
    if (info->type == FV_I32)
      narrow = narrow && !(counts.range.high - counts.range.low > 1 << 18);
  }
  return narrow;
}

/* Whether the results are as small as they have to be here; FALSE also when the operation refuses. */
static gboolean
is_small (const Op *op, gconstpointer args, Image *const *inputs)
{
  ImageInfo infos[4] = {{0}};
  g_autoptr (GError) error = NULL;
  gboolean small = call_infer (op, args, inputs, infos, &error);
  if (!small && !error)
    g_error ("%s: refused without an error", op->fv.key);
  for (guint i = 0; small && i < op->n_outputs; i++)
    small = image_info_planes (&infos[i]) <= MAX_RESULT
            && image_info_planes (&infos[i]) * infos[i].rows <= MAX_RESULT / MAX (infos[i].columns, 1);
  for (guint i = 0; i < op->n_outputs; i++)
    image_info_clear (&infos[i]);
  return small;
}

/* all: the optional inputs, too. */
static void
apply (const Op *op, Image *image, gboolean all)
{
  g_autoptr (GError) error = NULL;
  gpointer args = args_new (op, NULL);
  Image *inputs[OP_MAX_ARRAYS] = {NULL};
  CallResult result = {0};
  gboolean done;
  for (guint i = 0; i < op->n_inputs; i++)
    inputs[i] = (all || !op->fv.inputs[i].optional) && !(op->fv.inputs[i].types & FV_WANTS_TABLE) ? image : NULL;
  if (args && is_small (op, args, inputs)) {
    done = call_op (op, args, inputs, modules_device (modules, "cpu", NULL), NULL, &result, &error);
    if (done ? error != NULL : !error)
      g_error ("%s: done and an error, or neither", op->fv.key);
    if (done)
      call_result_clear (&result);
  }
  g_free (args);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  g_autoptr (GPtrArray) images = fuzz_open (bytes, size);
  if (!modules) {
    modules = modules_new ();
    if (modules_ops (modules)->len == 0)
      g_error ("there are no operations");
  }
  for (guint i = 0; i < images->len; i++) {
    if (image_info_planes (image_info (images->pdata[i])) > MAX_PLANES
        || !fuzz_read_planes (images->pdata[i], MAX_BYTES) || !count (images->pdata[i]))
      continue;
    for (guint j = 0; j < modules_ops (modules)->len; j++)
      for (int all = 0; all < 2; all++)
        apply (modules_ops (modules)->pdata[j], images->pdata[i], all);
  }
  return 0;
}
