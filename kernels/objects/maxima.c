/* SPDX-License-Identifier: MIT
 *
 * maxima: the operation; maxima_prominent.c and maxima_peaks.c find them.
 */
#include "kernels/objects/maxima.h"

#include "kernels/common/inner_call.h"

extern const fv_op fv_op_dilation, fv_op_erosion;

/* ---- The extremes around each pixel ---- */

static morphology_args
around (const maxima_args *a)
{
  return (morphology_args){.footprint = a->volume ? FOOTPRINT_CUBE : FOOTPRINT_SQUARE,
                           .radius = a->distance,
                           .iterations = 1,
                           .volume = a->volume};
}

static const fv_op *
extremes_op (const maxima_args *a)
{
  return a->light ? &fv_op_erosion : &fv_op_dilation;
}

static int64_t
image_bytes (const fv_grid *image)
{
  return image->shape[0] * image->shape[1] * image->shape[2] * (int64_t) type_bytes (image->type);
}

void
maxima_lay_out (maxima_image *to, const fv_array *like, fv_type type, void *memory)
{
  static const DLDataType types[] = {
    [FV_U8] = {kDLUInt, 8, 1},    [FV_U16] = {kDLUInt, 16, 1},  [FV_I32] = {kDLInt, 32, 1},
    [FV_F32] = {kDLFloat, 32, 1}, [FV_F64] = {kDLFloat, 64, 1},
  };
  to->grid = *like->grid;
  to->grid.type = type;
  to->grid.role = FV_IMAGE;
  to->strides[0] = array_rows (like) * array_columns (like);
  to->strides[1] = array_columns (like);
  to->strides[2] = 1;
  to->array = (fv_array){like->size, &to->grid, like->tensor};
  to->array.tensor.data = memory;
  to->array.tensor.dtype = types[type];
  to->array.tensor.strides = to->strides;
}

int64_t
maxima_extremes_bytes (const maxima_args *a, const fv_grid *image)
{
  const morphology_args args = around (a);
  fv_grid plain = *image;
  const fv_grid *in = &plain;
  plain.role = FV_IMAGE;
  return image_bytes (image) + fv_op_dilation.scratch (extremes_op (a), &args, &in);
}

fv_status
maxima_extremes (const fv_call *call, fv_device_kind kind, maxima_image *extremes, fv_error *error)
{
  const morphology_args args = around (call->args);
  fv_array in = *call->inputs[0];
  fv_grid plain = *in.grid;
  const fv_array *from = &in, *to = &extremes->array;
  void *memory;
  fv_status status = call->host->scratch (call, (size_t) image_bytes (in.grid), &memory, error);
  if (status)
    return status;
  plain.role = FV_IMAGE; /* a mask, too, is taken as it is */
  in.grid = &plain;
  maxima_lay_out (extremes, &in, in.grid->type, memory);
  return run_inner (call, kind, extremes_op (call->args), &args, &from, &to, NULL, error);
}

/* ---- The table ---- */

static bool
has_slices (const fv_call *call)
{
  return array_planes (call->inputs[0]) > 1;
}

fv_status
maxima_new_rows (const fv_call *call, int64_t n, double **values, fv_error *error)
{
  static const fv_column columns[] = {
    {"z", "", "The slice that the maximum is in, counted from 1.", FV_COLUMN_INTEGER},
    {"label", "", "The number of the maximum in the label image.", FV_COLUMN_INTEGER},
    {"x", FV_PIXELS, "Column of the point; the first pixel's center is at 0.", FV_COLUMN_INTEGER},
    {"y", FV_PIXELS, "Row of the point.", FV_COLUMN_INTEGER},
    {"value", "", "The image's value there.", FV_COLUMN_FLOAT},
  };
  const uint32_t without = has_slices (call) ? 0 : 1, all = sizeof columns / sizeof *columns;
  return call->host->table (call, columns + without, all - without, sizeof *columns, n, values, error);
}

void
maxima_put_row (const fv_call *call, double *values, int64_t n, int64_t row, int64_t at, double value, int64_t number)
{
  const int64_t rows = array_rows (call->inputs[0]), columns = array_columns (call->inputs[0]);
  const double cells[] = {(double) number, (double) (at % columns), (double) (at / columns % rows), value};
  if (has_slices (call)) {
    values[row] = (double) (at / columns / rows + 1);
    values += n;
  }
  for (int j = 0; j < 4; j++)
    values[j * n + row] = cells[j];
}

/* ---- The operation ---- */

static fv_status
maxima_cpu (const fv_call *call, fv_error *error)
{
  const maxima_args *a = call->args;
  return a->method == MAXIMA_PEAKS ? maxima_peaks_cpu (call, call->scalars, error)
                                   : maxima_prominent_cpu (call, call->scalars, error);
}

static int64_t
maxima_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const maxima_args *a = args;
  (void) op;
  return a->method == MAXIMA_PEAKS ? maxima_peaks_bytes (a, in[0]) : maxima_prominent_bytes (in[0]);
}

static fv_grain
maxima_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME;
}

static fv_status
maxima_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args;
  if (in[0]->channels != 1)
    return fail (error, FV_BAD_INPUT, "image", "The image has %lld channels; take one of them.",
                 (long long) in[0]->channels);
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = true;
  return FV_OK;
}

static const fv_choice methods[] = {
  {"prominence", "Prominence", "What rises above the saddles to anything higher, as ImageJ finds it."},
  {"peaks", "Local peaks", "The brightest pixels within a distance, as scikit-image finds them."},
  {0}};

static const fv_choice outputs[] = {{"points", "Points", "One pixel of each maximum."},
                                    {"areas", "Areas", "All pixels around it that are within the prominence."},
                                    {0}};

const fv_op fv_op_maxima = {
  FV_OP (maxima_args),
  .key = "maxima",
  .menu = "Process",
  .label = "Find Maxima...",
  .search = "peaks local maxima spots points prominence seeds markers",
  .help = "Finds and counts the bright peaks of an image, or the dark ones: a label image and a table of points.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Image", "The image, of one channel.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"labels", "Maxima"}, {0}},
  .scalars = (const fv_scalar[]){{"maxima", "Maxima", "How many maxima there are.", FV_COLUMN_INTEGER}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (maxima_args, method), .label = "Method", .choices = methods, .help = "What a maximum is."},
      {FV_FIELD (maxima_args, prominence), .label = "Prominence", .enabled = "method=prominence", .max = 1e12,
       .soft_max = 1000, .def = 10,
       .help = "How far a maximum must rise above everything that joins it to a higher one, in grey levels."},
      {FV_FIELD (maxima_args, strict), .label = "Strict", .enabled = "method=prominence", .advanced = true,
       .help = "Finds nothing in an image that spans no more than the prominence; at edges, whole areas count."},
      {FV_FIELD (maxima_args, distance), .label = "Distance", .unit = FV_PIXELS, .enabled = "method=peaks", .min = 1,
       .max = FOOTPRINT_RADIUS_MAX, .soft_min = 1, .soft_max = 20, .def = 1,
       .help = "How near, along rows and columns, nothing may be brighter than a peak."},
      {FV_FIELD (maxima_args, threshold), .label = "Threshold", .min = -INFINITY, .max = 1e30, .def = -INFINITY,
       .soft_max = 1000, .open = true, .help = "Only what is above it is a maximum or, on a light background, below."},
      {FV_FIELD (maxima_args, exclude_edges), .label = "Exclude edges",
       .help = "Leaves out maxima that touch the edge, or peaks that are nearer to it than the distance."},
      {FV_FIELD (maxima_args, light), .label = "Light background", .help = "Finds dark spots."},
      {FV_FIELD (maxima_args, output), .label = "Output", .enabled = "method=prominence", .choices = outputs,
       .help = "What the label image shows."},
      {FV_FIELD (maxima_args, volume), .label = "3-D (whole stack)", .enabled = "method=peaks",
       .help = "Takes the planes as one volume."},
      {0}},
  .grain = maxima_grain,
  .infer = maxima_infer,
  .scratch = maxima_scratch,
  .run = {[FV_CPU] = maxima_cpu, [FV_CUDA] = FV_CUDA_FN (maxima_cuda)},
  .part = FV_PART_ALIKE,
};
