/* SPDX-License-Identifier: MIT
 *
 * equalize on the CPU: a histogram, its sums, and a look at them for each pixel.
 */
#include "kernels/contrast/equalize.h"
#include "kernels/common/rows.h"
#include "kernels/contrast/linear.h"

typedef struct equalize_work {
  histogram_buffers histogram;
  buffer shares;
} equalize_work;

static fv_status
make_table (const pixels *p, const equalize_args *a, equalize_work *w, double full, progress *progress,
            equalize_table *t, fv_error *error)
{
  histogram h = {0};
  int64_t sum = 0;
  if (histogram_make (p, a->bins, EQUALIZE_LIMIT, &w->histogram, progress, &h, error)
      || buffer_need (&w->shares, progress->call, (size_t) (h.bins > 1 ? h.bins : 1) * sizeof (double), error))
    return error->code;
  double *shares = w->shares.data;
  shares[0] = 1;
  for (int64_t i = 0; i < h.bins && h.bins > 1; i++) {
    sum += h.counts[i];
    shares[i] = (double) sum / (double) h.total;
  }
  *t = (equalize_table){h.exact, h.low, h.scale, h.bins > 1 ? h.bins : 1, h.centers, shares, full};
  return FV_OK;
}

DEFINE_POINT_MAP (equalize_values, equalize_table, equalize_value)

static fv_status
equalize_cpu (const fv_call *call, fv_error *error)
{
  const equalize_args *a = call->args;
  const fv_array *in = call->inputs[0];
  const int64_t planes = array_planes (in), together = a->over == LINEAR_PLANE ? 1 : planes;
  progress progress = {call, .total = 3 * planes * array_rows (in)};
  equalize_work w = {0};
  for (int64_t first = 0; first < planes; first += together) {
    const pixels p = pixels_of (in, first, together);
    equalize_table t;
    if (make_table (&p, a, &w, full_of (call->outputs[0]->grid->type), &progress, &t, error))
      return error->code;
    point_planes (call, first, together, equalize_values, &t, &progress);
    if (progress.stop)
      return cancelled (error);
  }
  return FV_OK;
}

/* ---- The operation ---- */

static fv_grain
equalize_grain (const fv_op *op, const void *args)
{
  (void) op;
  return linear_grain_of (((const equalize_args *) args)->over);
}

static fv_status
equalize_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const equalize_args *a = args;
  (void) op, (void) error;
  full_grid (out[0], in[0], a->output == FULL_FLOAT ? full_float (in[0]->type) : in[0]->type);
  return FV_OK;
}

const fv_op fv_op_equalize = {
  FV_OP (equalize_args),
  .key = "equalize",
  .menu = "Process/Contrast",
  .label = "Equalize Histogram...",
  .search = "histogram equalization enhance contrast",
  .help =
    "Maps each value to the share of pixels that are not brighter, so that all grays are equally frequent; NaN stays.",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Equalized"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (equalize_args, over), .label = "Histogram of", .choices = LINEAR_OVERS,
                        .help = "What has a histogram of its own."},
                       {FV_FIELD (equalize_args, bins), .label = "Bins", .advanced = true, .def = 256, .min = 2,
                        .max = 65536, .soft_min = 16, .soft_max = 4096, .scale = FV_LOG,
                        .help = "Bins of the histogram of float images; integer images have one for each value."},
                       {FV_FIELD (equalize_args, output), .label = "Output", .advanced = true, .choices = FULL_OUTPUTS,
                        .help = "Type and range of the result."},
                       {0}},
  .grain = equalize_grain,
  .infer = equalize_infer,
  .run = {[FV_CPU] = equalize_cpu, [FV_CUDA] = FV_CUDA_FN (equalize_cuda)},
  .part = FV_PART_ALIKE,
};
