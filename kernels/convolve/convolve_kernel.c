/* SPDX-License-Identifier: MIT
 *
 * The kernels of convolve. Named ones are written down as they weigh the pixels around one, that is mirrored already.
 */
#include "kernels/convolve/convolve_kernel.h"
#include "kernels/gaussian/gaussian_weights.h"

#include <float.h>
#include <stdlib.h>

static int64_t
gaussian_reach (double sigma)
{
  return (int64_t) (4 * sigma + 0.5);
}

static int64_t
airy_size (const convolve_args *a, int axis)
{
  int64_t reach[2];
  airy_reach (&a->airy, reach);
  return axis ? 2 * reach[axis - 1] + 1 : 1;
}

void
convolve_kernel_size (const convolve_args *a, const fv_grid *image, int64_t n[3])
{
  const int64_t typed[3] = {a->matrix.planes, a->matrix.rows, a->matrix.columns};
  for (int axis = 0; axis < 3; axis++)
    switch (a->shape) {
    case CONVOLVE_MATRIX: n[axis] = typed[axis]; break;
    case CONVOLVE_IMAGE: n[axis] = image ? image->shape[axis] : 1; break;
    case CONVOLVE_GAUSSIAN: n[axis] = axis || a->volume ? 2 * gaussian_reach (a->sigma) + 1 : 1; break;
    case CONVOLVE_MEAN: n[axis] = axis || a->volume ? a->size : 1; break;
    case CONVOLVE_AIRY: n[axis] = airy_size (a, axis); break;
    case CONVOLVE_EMBOSS: n[axis] = axis ? 3 : 1; break;
    default: n[axis] = axis || a->volume ? 3 : 1; break;
    }
}

static int64_t
values_of (const int64_t n[3])
{
  return n[0] * n[1] * n[2];
}

int64_t
convolve_kernel_values (const int64_t n[3])
{
  return values_of (n) + n[0] + n[1] + n[2];
}

/* ---- The way ---- */

/* Of a transform at least twice as long. */
static int64_t
transform_length (int64_t n)
{
  int64_t length = 16;
  while (length < 2 * n)
    length *= 2;
  return length;
}

/* Costs are in products for an output pixel. They lie between those measured on a Zen 5, where a transform costs as little as 110 products, and on
 * an H200, where it costs 400 to 660 and passes over memory cost more. */
convolve_way
convolve_way_of (const int64_t n[3], bool separable)
{
  const double direct = (double) values_of (n), axes = 3 * (double) (n[0] + n[1] + n[2]) + 64;
  const double fft = 440 + 4 * (double) n[0], least = separable && axes < direct ? axes : direct;
  if (fft < least && transform_length (n[1]) * transform_length (n[2]) <= CONVOLVE_MOST_IN_SPECTRUM)
    return CONVOLVE_BY_FFT;
  return least < direct ? CONVOLVE_BY_AXES : CONVOLVE_DIRECT;
}

/* ---- Named ones ---- */

/* Offsets from the middle of a kernel of 3 values along each axis that is in use. */
static double
laplacian (int64_t dz, int64_t dy, int64_t dx, bool volume)
{
  int64_t far = llabs (dz) + llabs (dy) + llabs (dx);
  return far == 0 ? (volume ? -6 : -4) : far == 1 ? 1 : 0;
}

static double
sobel (int64_t along, int64_t across, int64_t dz, bool volume)
{
  return (double) (along * (2 - llabs (across)) * (volume ? 2 - llabs (dz) : 1));
}

/* Light from the upper left. */
static double
emboss (int64_t dy, int64_t dx)
{
  return dy == 0 && dx == 0 ? 1 : (double) (dy + dx);
}

static double
named (const convolve_args *a, int64_t dz, int64_t dy, int64_t dx)
{
  switch (a->shape) {
  case CONVOLVE_LAPLACIAN: return laplacian (dz, dy, dx, a->volume);
  case CONVOLVE_SOBEL_X: return sobel (dx, dy, dz, a->volume);
  case CONVOLVE_SOBEL_Y: return sobel (dy, dx, dz, a->volume);
  default: return emboss (dy, dx);
  }
}

static void
fill_named (convolve_kernel *k, const convolve_args *a)
{
  for (int64_t i = 0; i < values_of (k->n); i++)
    k->w[i] =
      named (a, i / (k->n[1] * k->n[2]) - k->n[0] / 2, i / k->n[2] % k->n[1] - k->n[1] / 2, i % k->n[2] - k->n[2] / 2);
}

/* The product of its lines. */
static void
fill_product (convolve_kernel *k)
{
  double *w = k->w;
  for (int64_t z = 0; z < k->n[0]; z++)
    for (int64_t y = 0; y < k->n[1]; y++)
      for (int64_t x = 0; x < k->n[2]; x++)
        *w++ = k->lines[0][z] * k->lines[1][y] * k->lines[2][x];
}

static void
fill_gaussian (convolve_kernel *k, double sigma)
{
  for (int axis = 0; axis < 3; axis++) {
    int64_t r = k->n[axis] / 2;
    double *middle = k->lines[axis] + r;
    gaussian_weights (middle, r, sigma);
    for (int64_t i = 1; i <= r; i++)
      middle[-i] = middle[i];
  }
  fill_product (k);
}

static void
fill_mean (convolve_kernel *k)
{
  for (int axis = 0; axis < 3; axis++)
    for (int64_t i = 0; i < k->n[axis]; i++)
      k->lines[axis][i] = 1 / (double) k->n[axis];
  fill_product (k);
}

/* ---- Given ones ---- */

static void
fill_matrix (convolve_kernel *k, const fv_matrix *matrix)
{
  int64_t n = values_of (k->n);
  for (int64_t i = 0; i < n; i++)
    k->w[n - 1 - i] = matrix->v[i];
}

static void
fill_image (convolve_kernel *k, const fv_array *image, const void *pixels)
{
  const int64_t *stride = image->tensor.strides;
  double *w = k->w + values_of (k->n);
  for (int64_t z = 0; z < k->n[0]; z++)
    for (int64_t y = 0; y < k->n[1]; y++)
      for (int64_t x = 0; x < k->n[2]; x++)
        *--w = pixel_get (pixels, image->grid->type, z * stride[0] + y * stride[1] + x);
}

/* ---- What it is like ---- */

/* False: its sum is too large a number. */
static bool
normalize (convolve_kernel *k)
{
  double sum = 0;
  for (int64_t i = 0; i < values_of (k->n); i++)
    sum += k->w[i];
  for (int64_t i = 0; sum != 0 && i < values_of (k->n); i++)
    k->w[i] /= sum;
  return isfinite (sum);
}

static bool
is_finite (const convolve_kernel *k)
{
  bool finite = true;
  for (int64_t i = 0; i < values_of (k->n); i++)
    finite = finite && isfinite (k->w[i]);
  return finite;
}

/* The lines through its largest value make up a kernel of rank one. */
static void
separate (convolve_kernel *k, fv_type working)
{
  const int64_t rows = k->n[1], columns = k->n[2], n = values_of (k->n);
  int64_t at = 0;
  for (int64_t i = 1; i < n; i++)
    at = fabs (k->w[i]) > fabs (k->w[at]) ? i : at;
  const double largest = k->w[at], most = 4 * fabs (largest) * (working == FV_F64 ? DBL_EPSILON : FLT_EPSILON);
  const int64_t z0 = at / (rows * columns), y0 = at / columns % rows, x0 = at % columns;
  for (int64_t z = 0; z < k->n[0]; z++)
    k->lines[0][z] = largest ? k->w[(z * rows + y0) * columns + x0] / largest : 0;
  for (int64_t y = 0; y < rows; y++)
    k->lines[1][y] = largest ? k->w[(z0 * rows + y) * columns + x0] / largest : 0;
  memcpy (k->lines[2], k->w + (z0 * rows + y0) * columns, (size_t) columns * sizeof (double));
  k->separable = true;
  for (int64_t i = 0; i < n && k->separable; i++) {
    double product = k->lines[0][i / (rows * columns)] * k->lines[1][i / columns % rows] * k->lines[2][i % columns];
    k->separable = fabs (k->w[i] - product) <= most;
  }
}

fv_status
convolve_kernel_make (convolve_kernel *k, const convolve_args *a, const fv_array *image, const void *pixels,
                      fv_type working, double *memory, fv_error *error)
{
  convolve_kernel_size (a, image ? image->grid : NULL, k->n);
  k->w = memory;
  k->lines[0] = memory + values_of (k->n);
  k->lines[1] = k->lines[0] + k->n[0];
  k->lines[2] = k->lines[1] + k->n[1];
  switch (a->shape) {
  case CONVOLVE_MATRIX: fill_matrix (k, &a->matrix); break;
  case CONVOLVE_IMAGE: fill_image (k, image, pixels); break;
  case CONVOLVE_GAUSSIAN: fill_gaussian (k, a->sigma); break;
  case CONVOLVE_MEAN: fill_mean (k); break;
  case CONVOLVE_AIRY: airy_fill (&a->airy, k->w); break;
  default: fill_named (k, a); break;
  }
  if (!is_finite (k) || (a->normalize && !normalize (k)))
    return fail (error, a->shape == CONVOLVE_IMAGE ? FV_BAD_INPUT : FV_BAD_ARGUMENT,
                 a->shape == CONVOLVE_IMAGE ? "kernel" : "matrix",
                 "The kernel, or its sum, has a value that is not finite.");
  separate (k, working);
  return FV_OK;
}
