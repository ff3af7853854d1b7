/* SPDX-License-Identifier: MIT
 *
 * local_threshold on the CPU: filters of other files make what is around each pixel, then row by row.
 */
#include "kernels/rank/local_threshold.h"

#include "kernels/common/inner_call.h"
#include "kernels/common/row.h"
#include "kernels/common/rows.h"
#include "kernels/gaussian/gaussian_args.h"

extern const fv_op fv_op_gaussian, fv_op_mean, fv_op_variance, fv_op_median, fv_op_minimum, fv_op_maximum;

/* ---- What is around each pixel ---- */

typedef struct local_threshold_filters {
  const fv_op *op[2]; /* NULL: it needs one only */
  const void *args;
  gaussian_args gaussian;
} local_threshold_filters;

static void
choose_filters (const local_threshold_args *a, local_threshold_filters *f)
{
  *f = (local_threshold_filters){{&fv_op_mean, NULL}, &a->around, {.truncate = 4}};
  switch ((local_threshold_method) a->method) {
  case LOCAL_MEAN: break;
  case LOCAL_GAUSSIAN:
    f->op[0] = &fv_op_gaussian;
    f->gaussian.sigma.n = 1;
    f->gaussian.sigma.v[0] = a->around.radius / 3.;
    f->gaussian.border = a->around.border;
    f->gaussian.value = a->around.value;
    f->gaussian.volume = a->around.volume;
    f->args = &f->gaussian;
    break;
  case LOCAL_MEDIAN: f->op[0] = &fv_op_median; break;
  case LOCAL_BERNSEN:
  case LOCAL_CONTRAST:
  case LOCAL_MIDGRAY:
    f->op[0] = &fv_op_minimum;
    f->op[1] = &fv_op_maximum;
    break;
  default: f->op[1] = &fv_op_variance; break;
  }
}

/* The grid of what a filter makes of the image. */
static fv_status
filtered_grid (const local_threshold_filters *f, int i, const fv_grid *in, fv_grid *grid, fv_error *error)
{
  fv_grid *out[] = {grid};
  *grid = *in;
  return f->op[i]->infer (f->op[i], f->args, &in, out, error);
}

local_threshold_rule
local_threshold_rule_of (const local_threshold_args *a, fv_type type, fv_type around)
{
  double top = type == FV_U8 ? UINT8_MAX : type == FV_U16 ? UINT16_MAX : type == FV_I32 ? INT32_MAX : 1;
  double half = type == FV_F32 || type == FV_F64 ? 1 : type == FV_I32 ? top + 0.5 : top / 2;
  double own = a->method == LOCAL_PHANSALKAR ? 0.5 : half; /* the value that counts as 0 */
  return (local_threshold_rule){(local_threshold_method) a->method,
                                a->offset,
                                a->k,
                                a->r > 0 ? a->r : own,
                                a->contrast,
                                top,
                                a->method == LOCAL_GAUSSIAN && around == FV_F32 ? 4e-7 : 1e-12};
}

fv_status
local_threshold_prepare (const fv_call *call, fv_device_kind kind, local_threshold_images *images, fv_error *error)
{
  fv_grid plain = *call->inputs[0]->grid; /* the pixels of a mask are numbers here */
  fv_array image = *call->inputs[0];
  const fv_array *inputs[] = {&image};
  local_threshold_filters f;
  choose_filters (call->args, &f);
  plain.role = FV_IMAGE;
  image.grid = &plain;
  for (images->n = 0; images->n < 2 && f.op[images->n]; images->n++) {
    int i = images->n;
    fv_grid grid;
    const fv_array *outputs[] = {&images->image[i].array};
    if (filtered_grid (&f, i, &plain, &grid, error)
        || scratch_image_make (call, call->inputs[0], &grid, &images->image[i], error)
        || run_inner (call, kind, f.op[i], f.args, inputs, outputs, NULL, error))
      return error->code;
  }
  images->rule = local_threshold_rule_of (call->args, plain.type, images->image[0].grid.type);
  return FV_OK;
}

/* ---- Declaration ---- */

static fv_status
local_threshold_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                       fv_error *error)
{
  const local_threshold_args *a = args;
  footprint_spec spec = neighborhood_spec (&a->around);
  (void) op, (void) in;
  out[0]->type = FV_U8;
  out[0]->role = FV_MASK;
  out[0]->dense = false;
  return footprint_check (&spec, a->around.volume, error);
}

/* What is around each pixel, and what one of the filters takes meanwhile. */
static int64_t
local_threshold_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  local_threshold_filters f;
  int64_t bytes = 0, pixels = in[0]->shape[0] * in[0]->shape[1] * in[0]->shape[2];
  (void) op;
  choose_filters (args, &f);
  for (int i = 0; i < 2 && f.op[i]; i++) {
    fv_grid grid;
    fv_error error;
    if (filtered_grid (&f, i, in[0], &grid, &error))
      return 0; /* infer() says so */
    bytes +=
      pixels * (int64_t) type_bytes (grid.type) + (f.op[i]->scratch ? f.op[i]->scratch (f.op[i], f.args, in) : 0);
  }
  return bytes;
}

static void
local_threshold_halo (const fv_op *op, const void *args, const fv_grid *in, int64_t halo[3])
{
  local_threshold_filters f;
  (void) op;
  choose_filters (args, &f);
  f.op[0]->halo (f.op[0], f.args, in, halo);
}

static double
local_threshold_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  local_threshold_filters f;
  double sum = 20;
  (void) op;
  choose_filters (args, &f);
  for (int i = 0; i < 2 && f.op[i]; i++)
    sum += f.op[i]->arithmetic ? f.op[i]->arithmetic (f.op[i], f.args, in) : 20;
  return sum;
}

/* ---- The work ---- */

enum { PIECE = 256 }; /* pixels of a row at a time */

VECTORISED static void
compare (const local_threshold_rule *l, uint8_t *to, const double *v, const double *a, const double *b, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = local_threshold_above (l, v[i], a[i], b[i]) ? 255 : 0;
}

static void
compare_row (const fv_call *call, const void *made, int64_t z, int64_t y)
{
  const local_threshold_images *images = made;
  const fv_array *array[] = {call->inputs[0], &images->image[0].array, &images->image[images->n - 1].array};
  double piece[3][PIECE];
  uint8_t *to = array_row (call->outputs[0], z, y);
  int64_t columns = array_columns (array[0]);
  for (int64_t x = 0; x < columns; x += PIECE) {
    int64_t n = columns - x < PIECE ? columns - x : PIECE;
    for (int i = 0; i < 3; i++) {
      fv_type type = array[i]->grid->type;
      row_to_f64 (piece[i], (const char *) array_row (array[i], z, y) + x * (int64_t) type_bytes (type), type, n);
    }
    compare (&images->rule, to + x, piece[0], piece[1], piece[2], n);
  }
}

static fv_status
local_threshold_cpu (const fv_call *call, fv_error *error)
{
  local_threshold_images images;
  int64_t planes = array_planes (call->inputs[0]), rows = array_rows (call->inputs[0]);
  if (local_threshold_prepare (call, FV_CPU, &images, error))
    return error->code;
  rows_each (call, planes, rows, compare_row, &images, NULL);
  return FV_OK;
}

const fv_op fv_op_local_threshold = {
  FV_OP (local_threshold_args),
  .key = "local_threshold",
  .menu = "Process/Threshold",
  .label = "Auto Local Threshold...",
  .search = "adaptive threshold niblack sauvola phansalkar bernsen contrast midgrey uneven illumination binarize",
  .help = "Makes a mask of the pixels above a threshold that the pixels around each give, for uneven backgrounds.",
  .cite = "J. Sauvola, M. Pietikäinen, Pattern Recognition 33 (2000) 225; N. Phansalkar et al., ICCSP 2011, 218",
  .kind = FV_LOCAL,
  .inputs = neighborhood_inputs,
  .outputs = (const fv_output[]){{"mask", "Mask"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (local_threshold_args, method), .label = "Method",
       .choices =
         (const fv_choice[]){{"mean", "Mean", "The mean, less the offset."},
                             {"gaussian", "Gaussian", "A Gaussian mean, sigma a third of the radius, less the offset."},
                             {"median", "Median", "The median, less the offset."},
                             {"niblack", "Niblack", "The mean, less k standard deviations."},
                             {"sauvola", "Sauvola", "The mean, lower where the standard deviation is small."},
                             {"phansalkar", "Phansalkar", "As Sauvola's, for dark images."},
                             {"bernsen", "Bernsen", "The middle of minimum and maximum, where these are far apart."},
                             {"contrast", "Contrast", "What is nearer to the maximum than to the minimum."},
                             {"midgrey", "MidGrey", "The middle of minimum and maximum, less the offset."},
                             {0}},
       .help = "How the threshold is made of the pixels around."},
      NEIGHBORHOOD_FOOTPRINT (FOOTPRINT_SQUARE, 10),
      {FV_FIELD (local_threshold_args, offset), .label = "Offset", .soft_min = -100, .soft_max = 100,
       .enabled = "method=mean|gaussian|median|midgrey", .help = "Subtracted from the mean, median or middle."},
      {FV_FIELD (local_threshold_args, k), .label = "Factor k", .def = 0.2, .soft_min = -1, .soft_max = 1,
       .enabled = "method=niblack|sauvola|phansalkar", .help = "Weight of the standard deviation."},
      {FV_FIELD (local_threshold_args, r), .label = "Range r", .advanced = true, .max = 1e300, .soft_max = 255,
       .enabled = "method=sauvola|phansalkar",
       .help = "Standard deviation of a large contrast; 0: half of the type's range, with phansalkar 0.5 of it."},
      {FV_FIELD (local_threshold_args, contrast), .label = "Contrast", .def = 15, .max = 1e300, .soft_max = 100,
       .enabled = "method=bernsen", .help = "Where minimum and maximum are closer, all or nothing is foreground."},
      NEIGHBORHOOD_BORDER,
      NEIGHBORHOOD_VOLUME,
      {0}},
  .grain = neighborhood_grain,
  .halo = local_threshold_halo,
  .infer = local_threshold_infer,
  .scratch = local_threshold_scratch,
  .arithmetic = local_threshold_arithmetic,
  .run = {[FV_CPU] = local_threshold_cpu, [FV_CUDA] = FV_CUDA_FN (local_threshold_cuda)},
};
