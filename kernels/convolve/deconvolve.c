/* SPDX-License-Identifier: MIT
 *
 * deconvolve: the operation convolve twice a round, with a pass over the pixels after each. The memory of one convolution is that of the next. Wiener's
 * filter is in deconvolve_wiener.c.
 */
#include "kernels/convolve/deconvolve.h"
#include "kernels/common/inner_call.h"
#include "kernels/common/row.h"
#include "kernels/convolve/convolve_kernel.h"
#include "kernels/convolve/deconvolve_wiener.h"

extern const fv_op fv_op_convolve;

/* ---- Memory that is used again ---- */

enum { BLOCKS = 1024 };

/* Blocks in the order in which they are asked for, which is the same each time; more than that are not kept. */
typedef struct block_list {
  void *memory[BLOCKS];
  size_t bytes[BLOCKS];
  int next;
} block_list;

/* A call that resets its scratch with each convolution, and that of the host with each round, when the device has read it. */
typedef struct rounds_call {
  inner_call inner; /* first */
  block_list device, host;
  int64_t turn, turns; /* convolutions: done and all */
} rounds_call;

typedef fv_status take_memory (const fv_call *call, size_t bytes, void **memory, fv_error *error);

static fv_status
take_again (block_list *list, take_memory *take, const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  const int i = list->next < BLOCKS ? list->next++ : BLOCKS;
  if (i < BLOCKS && list->bytes[i] >= bytes) {
    *memory = list->memory[i];
    return FV_OK;
  }
  if (take (call, bytes, memory, error))
    return error->code;
  if (i < BLOCKS) {
    list->memory[i] = *memory;
    list->bytes[i] = bytes;
  }
  return FV_OK;
}

static fv_status
rounds_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  const fv_call *outer = outer_call (call);
  return take_again (&((rounds_call *) call)->device, outer->host->scratch, outer, bytes, memory, error);
}

static fv_status
rounds_host_scratch (const fv_call *call, size_t bytes, void **memory, fv_error *error)
{
  const fv_call *outer = outer_call (call);
  return take_again (&((rounds_call *) call)->host, outer->host->host_scratch, outer, bytes, memory, error);
}

static int
rounds_tick (const fv_call *call, int64_t done, int64_t total)
{
  const rounds_call *r = (const rounds_call *) call;
  const fv_call *outer = outer_call (call);
  return outer->host->tick (outer, r->turn * total + done, r->turns * total);
}

static void
begin_rounds (rounds_call *r, const fv_call *call)
{
  memset (r, 0, sizeof *r);
  r->inner = (inner_call){*call, *call->host, call};
  r->inner.call.host = &r->inner.host;
  r->inner.host.scratch = rounds_scratch;
  r->inner.host.host_scratch = rounds_host_scratch;
  r->inner.host.tick = rounds_tick;
  r->inner.host.read = inner_read;
  r->turns = 2 * (int64_t) ((const deconvolve_args *) call->args)->iterations;
}

/* ---- The rounds ---- */

static fv_status
convolve_with (rounds_call *r, fv_device_kind kind, const convolve_args *args, const fv_array *from,
               const fv_array *psf, const fv_array *to, fv_error *error)
{
  const fv_array *inputs[] = {from, psf};
  r->device.next = 0;
  fv_status status = run_inner (&r->inner.call, kind, &fv_op_convolve, args, inputs, &to, NULL, error);
  r->turn++;
  return status;
}

/* Waits for the device, which has then read all that lay in the host's memory for it. */
static fv_status
wait_for (rounds_call *r, const fv_array *array, fv_error *error)
{
  const fv_call *outer = outer_call (&r->inner.call);
  double pixel;
  r->host.next = 0;
  return outer->host->read (outer, &pixel, array->tensor.data, type_bytes (array->grid->type), error);
}

static fv_status
run_rounds (rounds_call *r, const deconvolve_passes *passes, const deconvolve_arrays *a, fv_error *error)
{
  const fv_call *call = outer_call (&r->inner.call);
  const deconvolve_args *args = call->args;
  const fv_grid *image = a->image->grid;
  const convolve_args there = deconvolve_psf (args, image, false), back = deconvolve_psf (args, image, true);
  const fv_array *blurred = &a->blurred.array, *factor = &a->factor.array, *turned = a->psf ? &a->turned.array : NULL;
  fv_status status = passes->start (call, a, error);
  for (int32_t i = 0; i < args->iterations && !status; i++) {
    if (i > 0 && passes->kind != FV_CPU)
      status = wait_for (r, a->estimate, error);
    if (!status)
      status = convolve_with (r, passes->kind, &there, a->estimate, a->psf, blurred, error);
    if (!status)
      status = passes->ratio (call, a, error);
    if (!status)
      status = convolve_with (r, passes->kind, &back, blurred, turned, factor, error);
    if (!status)
      status = passes->multiply (call, a, error);
  }
  return status;
}

static fv_status
make_arrays (const fv_call *call, deconvolve_arrays *a, fv_error *error)
{
  const fv_type working = convolve_working_type (call->inputs[0]->grid);
  a->image = call->inputs[0];
  a->psf = call->inputs[1];
  a->output = a->estimate = call->outputs[0];
  if (a->output->grid->type != working) {
    a->estimate = &a->scratch.array;
    if (scratch_image_take (call, a->image, working, FV_IMAGE, &a->scratch, error))
      return error->code;
  }
  if (a->psf && scratch_image_take (call, a->psf, a->psf->grid->type, FV_IMAGE, &a->turned, error))
    return error->code;
  return scratch_image_take (call, a->image, working, FV_IMAGE, &a->blurred, error)
           ? error->code
           : scratch_image_take (call, a->image, working, FV_IMAGE, &a->factor, error);
}

fv_status
deconvolve_run (const fv_call *call, const deconvolve_passes *passes, fv_error *error)
{
  rounds_call rounds;
  deconvolve_arrays a;
  if (((const deconvolve_args *) call->args)->method == DECONVOLVE_WIENER)
    return deconvolve_wiener (call, passes->kind, error);
  fv_status status = make_arrays (call, &a, error);
  begin_rounds (&rounds, call);
  if (!status && a.psf)
    status = passes->turn (call, &a, error);
  if (!status)
    status = run_rounds (&rounds, passes, &a, error);
  return status || a.estimate == a.output ? status : passes->write (call, &a, error);
}

/* ---- The passes on the CPU ---- */

#define DEFINE_PASSES(NAME, T, TO)                                                                                     \
  VECTORISED static void fill_##NAME (T *to, int64_t n)                                                                \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = (T) 0.5;                                                                                                 \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void divide_##NAME (T *restrict blurred, const T *restrict image, int64_t n)                       \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      blurred[i] = image[i] / (blurred[i] + (T) DECONVOLVE_LEAST);                                                     \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void times_##NAME (T *restrict estimate, const T *restrict factor, int64_t n)                      \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      estimate[i] *= factor[i];                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  /* By way of a few of the image's pixels in the working type. */                                                     \
  static void ratio_##NAME (const deconvolve_arrays *a, int64_t z, int64_t y)                                          \
  {                                                                                                                    \
    T some[1024];                                                                                                      \
    const fv_type type = a->image->grid->type;                                                                         \
    const int64_t columns = array_columns (a->image);                                                                  \
    for (int64_t x = 0, n; x < columns; x += n) {                                                                      \
      n = columns - x < 1024 ? columns - x : 1024;                                                                     \
      TO (some, (const char *) array_row (a->image, z, y) + x * (int64_t) type_bytes (type), type, n);                 \
      divide_##NAME ((T *) array_row (&a->blurred.array, z, y) + x, some, n);                                          \
    }                                                                                                                  \
  }
DEFINE_PASSES (f32, float, row_to_f32)
DEFINE_PASSES (f64, double, row_to_f64)

/* A row of the plane z. */
typedef void row_pass (const deconvolve_arrays *a, int64_t z, int64_t y);

static bool
is_single (const deconvolve_arrays *a)
{
  return a->estimate->grid->type == FV_F32;
}

static void
start_row (const deconvolve_arrays *a, int64_t z, int64_t y)
{
  if (is_single (a))
    fill_f32 (array_row (a->estimate, z, y), array_columns (a->estimate));
  else
    fill_f64 (array_row (a->estimate, z, y), array_columns (a->estimate));
}

static void
ratio_row (const deconvolve_arrays *a, int64_t z, int64_t y)
{
  (is_single (a) ? ratio_f32 : ratio_f64) (a, z, y);
}

static void
multiply_row (const deconvolve_arrays *a, int64_t z, int64_t y)
{
  void *estimate = array_row (a->estimate, z, y), *factor = array_row (&a->factor.array, z, y);
  if (is_single (a))
    times_f32 (estimate, factor, array_columns (a->estimate));
  else
    times_f64 (estimate, factor, array_columns (a->estimate));
}

static void
write_row (const deconvolve_arrays *a, int64_t z, int64_t y)
{
  (is_single (a) ? row_from_f32 : row_from_f64) (array_row (a->output, z, y), a->output->grid->type,
                                                 array_row (a->estimate, z, y), array_columns (a->output));
}

static void
each_row (const deconvolve_arrays *a, row_pass *pass)
{
  const int64_t planes = array_planes (a->image), rows = array_rows (a->image);
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < planes; z++)
    for (int64_t y = 0; y < rows; y++)
      pass (a, z, y);
}

/* convolve asks the host whether to go on; here nothing takes long beside it. */
static fv_status
start_cpu (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  (void) call, (void) error;
  each_row (a, start_row);
  return FV_OK;
}

static fv_status
ratio_cpu (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  (void) call, (void) error;
  each_row (a, ratio_row);
  return FV_OK;
}

static fv_status
multiply_cpu (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  (void) call, (void) error;
  each_row (a, multiply_row);
  return FV_OK;
}

static fv_status
write_cpu (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  (void) call, (void) error;
  each_row (a, write_row);
  return FV_OK;
}

static fv_status
turn_cpu (const fv_call *call, const deconvolve_arrays *a, fv_error *error)
{
  const int64_t *n = a->psf->tensor.shape;
  const size_t bytes = type_bytes (a->psf->grid->type);
  (void) call, (void) error;
  for (int64_t z = 0; z < n[0]; z++)
    for (int64_t y = 0; y < n[1]; y++) {
      const char *from = array_row (a->psf, n[0] - 1 - z, n[1] - 1 - y);
      char *to = array_row (&a->turned.array, z, y);
      for (int64_t x = 0; x < n[2]; x++)
        memcpy (to + (size_t) x * bytes, from + (size_t) (n[2] - 1 - x) * bytes, bytes);
    }
  return FV_OK;
}

static fv_status
deconvolve_cpu (const fv_call *call, fv_error *error)
{
  return deconvolve_run (call, &(deconvolve_passes){FV_CPU, turn_cpu, start_cpu, ratio_cpu, multiply_cpu, write_cpu},
                         error);
}

/* ---- The operation ---- */

static fv_grain
deconvolve_grain (const fv_op *op, const void *args)
{
  const deconvolve_args *a = args;
  (void) op;
  return a->volume ? FV_STACK : a->shape == DECONVOLVE_IMAGE ? FV_FRAME : FV_PLANES;
}

/* What is convolved: an image of the working type, and the function. */
static fv_grid
working_grid (const fv_grid *in)
{
  fv_grid g = *in;
  g.type = convolve_working_type (in);
  g.role = FV_IMAGE;
  return g;
}

static fv_status
check_wiener (const deconvolve_args *a, const fv_grid *const *in, fv_error *error)
{
  const fv_grid answer = deconvolve_wiener_grid (a, in[0], in[1]);
  const int64_t *n = answer.shape;
  if (n[0] * n[1] * n[2] <= DECONVOLVE_MOST)
    return FV_OK;
  return a->boundary == CONVOLVE_WRAP
           ? fail (error, FV_BAD_ARGUMENT, "boundary",
                   "With boundary=wrap Wiener's filter takes %d pixels at most: choose another boundary.",
                   DECONVOLVE_MOST)
           : fail (error, FV_BAD_ARGUMENT, a->shape == DECONVOLVE_GAUSSIAN ? "sigma" : "method",
                   "Wiener's filter would reach over %lld x %lld x %lld pixels: take a smaller point spread function.",
                   (long long) n[0], (long long) n[1], (long long) n[2]);
}

static fv_status
check_airy (const deconvolve_args *a, const fv_grid *image, fv_error *error)
{
  if (a->volume)
    return fail (error, FV_BAD_ARGUMENT, "volume",
                 "The microscope's function is of one plane, in focus: turn 3-D off, and each plane is taken by "
                 "itself, or give the function of a volume as an image.");
  if (!*image->unit)
    return fail (error, FV_BAD_ARGUMENT, "shape",
                 "The image has no scale, and the microscope's function depends on it: say how large a pixel is, as "
                 "with calibrate width=0.1 unit=um, or choose another function.");
  if (!airy_unit (image->unit))
    return fail (error, FV_BAD_ARGUMENT, "shape",
                 "The image's scale is in %s, and the microscope's function needs a length, such as um: set it with "
                 "calibrate.",
                 image->unit);
  const convolve_args c = deconvolve_psf (a, image, false);
  int64_t reach[2];
  airy_reach (&c.airy, reach);
  if (reach[0] > AIRY_REACH || reach[1] > AIRY_REACH)
    return fail (error, FV_BAD_ARGUMENT, "na",
                 "The function would reach farther than %d pixels of %g x %g nm: check the image's scale, or bin it.",
                 AIRY_REACH, c.airy.width, c.airy.height);
  return FV_OK;
}

static fv_status
deconvolve_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const deconvolve_args *a = args;
  const fv_grid image = working_grid (in[0]), *inputs[] = {&image, in[1]};
  fv_grid blurred = *out[0];
  (void) op;
  if (a->shape == DECONVOLVE_AIRY && check_airy (a, in[0], error))
    return error->code;
  const convolve_args c = deconvolve_psf (a, in[0], false);
  if (fv_op_convolve.infer (&fv_op_convolve, &c, inputs, (fv_grid *[]){&blurred}, error)
      || (a->method == DECONVOLVE_WIENER && check_wiener (a, in, error)))
    return error->code;
  out[0]->type = a->output == CONVOLVE_LIKE ? in[0]->type : image.type;
  if (in[0]->role != FV_RGB || out[0]->type != FV_U8)
    out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

static int64_t
grid_bytes (const fv_grid *g)
{
  return g->shape[0] * g->shape[1] * g->shape[2] * (int64_t) type_bytes (g->type);
}

static int64_t
deconvolve_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const deconvolve_args *a = args;
  const convolve_args c = deconvolve_psf (a, in[0], false);
  const fv_grid image = working_grid (in[0]), *inputs[] = {&image, in[1]};
  const int arrays = a->output == CONVOLVE_LIKE && in[0]->type != image.type ? 3 : 2;
  (void) op;
  if (a->method == DECONVOLVE_WIENER)
    return deconvolve_wiener_bytes (a, in[0], in[1]);
  return arrays * grid_bytes (&image) + (in[1] ? grid_bytes (in[1]) : 0)
         + fv_op_convolve.scratch (&fv_op_convolve, &c, inputs);
}

static double
deconvolve_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const deconvolve_args *a = args;
  const convolve_args c = deconvolve_psf (a, in[0], false);
  const fv_grid image = working_grid (in[0]), *inputs[] = {&image, in[1]};
  (void) op;
  if (a->method == DECONVOLVE_WIENER) {
    const convolve_args w = deconvolve_wiener_args (a);
    const fv_grid answer = deconvolve_wiener_grid (a, in[0], in[1]);
    return fv_op_convolve.arithmetic (&fv_op_convolve, &w, (const fv_grid *[]){in[0], &answer});
  }
  return a->iterations * (2 * fv_op_convolve.arithmetic (&fv_op_convolve, &c, inputs) + 10);
}

const fv_op fv_op_deconvolve = {
  FV_OP (deconvolve_args),
  .key = "deconvolve",
  .menu = "Process/Filters",
  .label = "Deconvolve...",
  .search = "richardson lucy restore sharpen psf blur deblur point spread function airy microscope diffraction",
  .help = "Removes a known blur, by Richardson and Lucy's iterations or by Wiener's filter; NaN spreads.",
  .cite =
    "W. H. Richardson, Bayesian-Based Iterative Method of Image Restoration, J. Opt. Soc. Am. 62 (1972), 55; L. B. "
    "Lucy, An iterative technique for the rectification of observed distributions, Astron. J. 79 (1974), 745; N. "
    "Wiener, Extrapolation, Interpolation, and Smoothing of Stationary Time Series (1949)",
  .kind = FV_GLOBAL,
  .reads_back = true,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false},
                               {"kernel", "Point spread function",
                                "How a point looks, in an image of one channel, with shape=image.", FV_ANY_TYPE, true},
                               {0}},
  .outputs = (const fv_output[]){{"image", "Deconvolved"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (deconvolve_args, method), .label = "Method",
       .choices = (const fv_choice[]){{"richardson_lucy", "Richardson-Lucy",
                                       "Iterations that improve an estimate: for counted light."},
                                      {"wiener", "Wiener", "One filter, which weighs sharpness against noise: fast."},
                                      {0}},
       .help = "How the blur is removed."},
      {FV_FIELD (deconvolve_args, shape), .label = "Point spread function", .def = DECONVOLVE_GAUSSIAN,
       .choices = (const fv_choice[]){{"matrix", "Typed matrix", "The numbers of the matrix."},
                                      {"image", "Image", "The pixels of an image, such as one of a small bead."},
                                      {"gaussian", "Gaussian", "A Gaussian, cut off at 4 sigma."},
                                      {"airy", "Microscope",
                                       "What a widefield microscope makes of a point in focus, up to the fourth dark "
                                       "ring; the image needs a scale."},
                                      {0}},
       .help = "How a point looks in the image."},
      {FV_FIELD (deconvolve_args, matrix), .label = "Matrix", .enabled = "shape=matrix",
       .def_text = "1 2 1; 2 4 2; 1 2 1", .help = "How a point looks, as numbers, row by row."},
      {FV_FIELD (deconvolve_args, sigma), .label = "Sigma", .unit = FV_PIXELS, .enabled = "shape=gaussian", .def = 2,
       .max = 30, .soft_min = 0.3, .soft_max = 10, .scale = FV_LOG, .help = "Standard deviation of the Gaussian."},
      {FV_FIELD (deconvolve_args, na), .label = "Numerical aperture", .enabled = "shape=airy", .def = 1.4, .min = 0.05,
       .max = 1.7, .soft_min = 0.1, .soft_max = 1.5, .help = "Of the objective, as it is written on it."},
      {FV_FIELD (deconvolve_args, wavelength), .label = "Wavelength", .unit = "nm", .enabled = "shape=airy", .def = 520,
       .min = 200, .max = 2000, .soft_min = 400, .soft_max = 750, .help = "Of the light that comes from the sample."},
      {FV_FIELD (deconvolve_args, balance), .label = "Balance", .enabled = "method=wiener", .def = 0.01, .min = 1e-9,
       .max = 1e9, .soft_min = 1e-4, .soft_max = 10, .scale = FV_LOG,
       .help = "How much smoothness counts: less is sharper, and brings noise out."},
      {FV_FIELD (deconvolve_args, iterations), .label = "Rounds", .enabled = "method=richardson_lucy", .def = 10,
       .min = 1, .max = 200, .soft_min = 1, .soft_max = 100, .scale = FV_LOG,
       .help = "Iterations. More sharpens further but amplifies noise."},
      {FV_FIELD (deconvolve_args, boundary), .label = "Boundary", .advanced = true, .def = CONVOLVE_SYMM,
       .choices = (const fv_choice[]){{"nearest", "Nearest", "The edge pixel repeats: aaa|abcd|ddd."},
                                      {"fill", "Fill", "Outside the image is 0."},
                                      {"wrap", "Wrap", "The image is repeated: bcd|abcd|abc."},
                                      {"symm", "Symmetric", "The image is reflected about its edge: cba|abcd|dcb."},
                                      {0}},
       .help = "Values outside the image."},
      {FV_FIELD (deconvolve_args, output), .label = "Output", .advanced = true,
       .choices = (const fv_choice[]){{"float", "Float",
                                       "32-bit float, or 64-bit for an image of 64-bit float or 32-bit integers."},
                                      {"same", "Like the input", "The input's type, rounded to nearest."},
                                      {0}},
       .help = "Type of the result."},
      {FV_FIELD (deconvolve_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume, which is blurred along z, too."},
      {0}},
  .grain = deconvolve_grain,
  .infer = deconvolve_infer,
  .scratch = deconvolve_scratch,
  .arithmetic = deconvolve_arithmetic,
  .reproducible = 1e-5,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = deconvolve_cpu, [FV_CUDA] = FV_CUDA_FN (deconvolve_cuda)},
  .part = FV_PART_ALIKE,
};
