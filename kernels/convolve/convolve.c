/* SPDX-License-Identifier: MIT
 *
 * convolve: sizes, checks and the declaration; convolve_tiles.c does the rest on the CPU.
 */
#include "kernels/convolve/convolve.h"
#include "kernels/convolve/convolve_tiles.h"

enum { MOST_VALUES = 1 << 22, MOST_SIDE = 1 << 20 };

static fv_type
output_type (const convolve_args *a, const fv_grid *in)
{
  return a->output == CONVOLVE_LIKE ? in->type : convolve_working_type (in);
}

static fv_grain
convolve_grain (const fv_op *op, const void *args)
{
  (void) op;
  const convolve_args *a = args;
  return a->volume                    ? FV_STACK
         : a->shape == CONVOLVE_IMAGE ? FV_FRAME
                                      : FV_PLANES; /* a kernel goes with any number of planes */
}

/* How far a kernel image reaches is not known here: the whole image, as with what is wrapped. */
static void
convolve_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  (void) op;
  const convolve_args *a = args;
  if (a->shape == CONVOLVE_IMAGE || a->boundary == CONVOLVE_WRAP) {
    memcpy (halo, input->shape, 3 * sizeof *halo);
    return;
  }
  convolve_kernel_size (a, NULL, halo);
  for (int axis = 0; axis < 3; axis++)
    halo[axis] = axis || a->volume ? halo[axis] / 2 : 0;
}

/* ---- Checks ---- */

/* The parameter or input that says how large the kernel is. */
static const char *
size_field (const convolve_args *a)
{
  switch (a->shape) {
  case CONVOLVE_MATRIX: return "matrix";
  case CONVOLVE_IMAGE: return "kernel";
  case CONVOLVE_GAUSSIAN: return "sigma";
  case CONVOLVE_MEAN: return "size";
  default: return "shape";
  }
}

static fv_status
check_given (const convolve_args *a, const fv_grid *kernel, fv_error *error)
{
  if (a->shape == CONVOLVE_MATRIX && a->matrix.planes < 1)
    return fail (error, FV_BAD_ARGUMENT, "matrix", "No matrix is given: type one, such as 0 1 0; 1 -4 1; 0 1 0.");
  if (a->shape == CONVOLVE_IMAGE && !kernel)
    return fail (error, FV_BAD_INPUT, "kernel", "No image is given as the kernel: name one, or choose another shape.");
  if (a->shape != CONVOLVE_IMAGE && kernel)
    return fail (error, FV_BAD_INPUT, "kernel",
                 "An image is given as the kernel, but shape is not image: choose shape=image.");
  if (a->shape == CONVOLVE_IMAGE && kernel->channels > 1)
    return fail (error, FV_BAD_INPUT, "kernel",
                 "The kernel has %lld channels and must have one: take one with channel.",
                 (long long) kernel->channels);
  return FV_OK;
}

static fv_status
check_size (const convolve_args *a, const int64_t n[3], const fv_grid *in, fv_error *error)
{
  const char *field = size_field (a);
  const fv_status code = a->shape == CONVOLVE_IMAGE ? FV_BAD_INPUT : FV_BAD_ARGUMENT;
  if (n[0] > 1 && !a->volume)
    return fail (error, code, field, "The kernel has %lld planes: turn 3-D on, or give it one plane.",
                 (long long) n[0]);
  for (int axis = 0; axis < 3; axis++)
    if (n[axis] > MOST_SIDE || n[0] * n[1] * n[2] > MOST_VALUES)
      return fail (error, code, field, "The kernel would have %lld x %lld x %lld values, and can have at most %d.",
                   (long long) n[0], (long long) n[1], (long long) n[2], MOST_VALUES);
  for (int axis = 0; axis < 3; axis++)
    if (a->mode == CONVOLVE_VALID && n[axis] > in->shape[axis] && (axis || a->volume))
      return fail (
        error, code, field,
        "The kernel has %lld values along %c and the image %lld pixels: with mode valid it must not be larger.",
        (long long) n[axis], "zyx"[axis], (long long) in -> shape[axis]);
  return FV_OK;
}

static void
output_shape (const convolve_args *a, const int64_t n[3], const fv_grid *in, int64_t shape[3])
{
  for (int axis = 0; axis < 3; axis++)
    shape[axis] = in->shape[axis]
                  + (a->mode == CONVOLVE_FULL    ? n[axis] - 1
                     : a->mode == CONVOLVE_VALID ? 1 - n[axis]
                                                 : 0);
}

static fv_status
convolve_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  const convolve_args *a = args;
  int64_t n[3];
  if (check_given (a, in[1], error))
    return error->code;
  convolve_kernel_size (a, in[1], n);
  if (check_size (a, n, in[0], error))
    return error->code;
  output_shape (a, n, in[0], out[0]->shape);
  filter_grid (in[0], output_type (a, in[0]), out[0]);
  return FV_OK;
}

/* ---- What it takes ---- */

static bool
may_be_separable (const convolve_args *a)
{
  return a->shape == CONVOLVE_GAUSSIAN || a->shape == CONVOLVE_MEAN || a->shape == CONVOLVE_SOBEL_X
         || a->shape == CONVOLVE_SOBEL_Y;
}

/* Unless it goes by Fourier transforms. */
static bool
convolve_exact (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  int64_t n[3];
  convolve_kernel_size (args, in[1], n);
  return convolve_way_of (n, may_be_separable (args)) != CONVOLVE_BY_FFT;
}

static double
convolve_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  int64_t n[3];
  convolve_kernel_size (args, in[1], n);
  return 2 * convolve_choose (n, may_be_separable (args), convolve_working_type (in[0]), in[0]->shape).cost;
}

/* Tiles, for any image. */
static int64_t
convolve_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  const fv_type working = convolve_working_type (in[0]);
  int64_t n[3], out[3];
  convolve_kernel_size (args, in[1], n);
  output_shape (args, n, in[0], out);
  const convolve_tiling t = convolve_choose (n, may_be_separable (args), working, out);
  return convolve_tiles_scratch (&t, n, working, out) + 2 * convolve_kernel_values (n) * (int64_t) sizeof (double);
}

static fv_status
convolve_cpu (const fv_call *call, fv_error *error)
{
  const convolve_args *a = call->args;
  const fv_array *image = call->inputs[1];
  convolve_kernel kernel;
  double *memory;
  int64_t n[3];
  convolve_kernel_size (a, image ? image->grid : NULL, n);
  if (call->host->scratch (call, (size_t) convolve_kernel_values (n) * sizeof (double), (void **) &memory, error)
      || convolve_kernel_make (&kernel, a, image, image ? image->tensor.data : NULL,
                               convolve_working_type (call->inputs[0]->grid), memory, error))
    return error->code;
  return convolve_tiles (call, &kernel, error);
}

/* ---- Declaration ---- */

static const fv_choice shapes[] = {
  {"matrix", "Typed matrix", "The numbers of the matrix."},
  {"image", "Image", "The pixels of the kernel image."},
  {"gaussian", "Gaussian", "A Gaussian with the sum 1, cut off at 4 sigma."},
  {"mean", "Mean", "A square, or cube, of equal values with the sum 1."},
  {"laplacian", "Laplacian", "The sum of the neighbors along the axes less as many times the pixel: edges and spots."},
  {"sobel_x", "Sobel, x", "The slope along x, smoothed across: bright where it rises to the right."},
  {"sobel_y", "Sobel, y", "The slope along y, smoothed across: bright where it rises downward."},
  {"emboss", "Emboss", "A relief, lit from the upper left."},
  {0},
};

static const fv_param params[] = {
  {FV_FIELD (convolve_args, shape), .label = "Kernel", .choices = shapes, .help = "What is convolved with the image."},
  {FV_FIELD (convolve_args, matrix), .label = "Matrix", .enabled = "shape=matrix",
   .def_text = "-1 -1 -1 -1 -1; -1 -1 -1 -1 -1; -1 -1 24 -1 -1; -1 -1 -1 -1 -1; -1 -1 -1 -1 -1",
   .help =
     "The kernel as numbers, row by row, as it makes a single bright pixel look (ImageJ turns it by 180 degrees)."},
  {FV_FIELD (convolve_args, sigma), .label = "Sigma", .unit = FV_PIXELS, .enabled = "shape=gaussian", .def = 2,
   .max = 250, .soft_min = 0.3, .soft_max = 50, .scale = FV_LOG, .help = "Standard deviation of the Gaussian."},
  {FV_FIELD (convolve_args, size), .label = "Size", .unit = FV_PIXELS, .enabled = "shape=mean", .def = 3, .min = 1,
   .max = 2001, .soft_min = 1, .soft_max = 51, .help = "Side of the square, or cube, over which the mean is taken."},
  {FV_FIELD (convolve_args, normalize), .label = "Normalize kernel",
   .help = "Divides the kernel by its sum, where that is not 0."},
  {FV_FIELD (convolve_args, mode), .label = "Result", .advanced = true,
   .choices = (const fv_choice[]){{"same", "Like the image", "As large as the image."},
                                  {"full", "Full", "All pixels where the kernel touches the image."},
                                  {"valid", "Valid", "The pixels where all of the kernel lies in the image."},
                                  {0}},
   .help = "Which part of the convolution is kept."},
  {FV_FIELD (convolve_args, boundary), .label = "Boundary", .advanced = true,
   .choices = (const fv_choice[]){{"nearest", "Nearest", "The edge pixel repeats: aaa|abcd|ddd."},
                                  {"fill", "Fill", "Outside the image is a constant value."},
                                  {"wrap", "Wrap", "The image is repeated: bcd|abcd|abc."},
                                  {"symm", "Symmetric", "The image is reflected about its edge: cba|abcd|dcb."},
                                  {0}},
   .help = "Values outside the image."},
  {FV_FIELD (convolve_args, value), .label = "Value outside", .advanced = true, .enabled = "boundary=fill",
   .help = "The constant outside the image."},
  {FV_FIELD (convolve_args, output), .label = "Output", .advanced = true,
   .choices =
     (const fv_choice[]){{"float", "Float", "32-bit float, or 64-bit for an image of 64-bit float or 32-bit integers."},
                         {"same", "Like the input", "The input's type, rounded to nearest."},
                         {0}},
   .help = "Type of the result."},
  {FV_FIELD (convolve_args, volume), .label = "3-D (whole stack)",
   .help = "Convolves along z too, taking the planes as one volume."},
  {0},
};

const fv_op fv_op_convolve = {
  FV_OP (convolve_args),
  .key = "convolve",
  .menu = "Process/Filters",
  .label = "Convolve...",
  .search = "filter kernel psf blur point spread function custom weights",
  .help =
    "Convolves with any kernel: a typed matrix, an image, or a named one; NaN spreads as far as the kernel reaches.",
  .kind = FV_LOCAL,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false},
                       {"kernel", "Kernel image", "The kernel, of one channel, with shape=image.", FV_ANY_TYPE, true},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Convolved"}, {0}},
  .params = params,
  .grain = convolve_grain,
  .halo = convolve_halo,
  .infer = convolve_infer,
  .scratch = convolve_scratch,
  .arithmetic = convolve_arithmetic,
  .reproducible = 1e-5,
  .exact = convolve_exact,
  .run = {[FV_CPU] = convolve_cpu, [FV_CUDA] = FV_CUDA_FN (convolve_cuda)},
};
