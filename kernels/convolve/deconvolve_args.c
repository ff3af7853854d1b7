/* SPDX-License-Identifier: MIT
 */
#include "kernels/convolve/deconvolve_args.h"

convolve_args
deconvolve_psf (const deconvolve_args *a, const fv_grid *image, bool turned)
{
  const double unit = airy_unit (image->unit);
  convolve_args c = {.shape = a->shape, .matrix = a->matrix, .sigma = a->sigma, .size = 1, .normalize = true};
  const int32_t n = a->matrix.planes * a->matrix.rows * a->matrix.columns;
  for (int32_t i = 0; i < n && turned; i++)
    c.matrix.v[i] = a->matrix.v[n - 1 - i];
  if (a->shape == DECONVOLVE_AIRY) {
    c.shape = CONVOLVE_AIRY;
    c.airy = (airy_disk){a->na, a->wavelength, image->spacing[1] * unit, image->spacing[2] * unit};
  }
  c.mode = CONVOLVE_SAME;
  c.boundary = a->boundary;
  c.output = CONVOLVE_FLOAT;
  c.volume = a->volume;
  return c;
}
