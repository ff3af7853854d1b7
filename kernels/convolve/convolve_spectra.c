/* SPDX-License-Identifier: MIT
 *
 * Down the columns a vector holds neighbors of a row; along the rows it holds neighbors of a column, in blocks that are transposed.
 */
#include "kernels/convolve/convolve_spectra.h"

static void *
at (const spectra *s, const void *base, int64_t i)
{
  return (char *) base + i * s->bytes;
}

int64_t
spectra_block (const spectra *s)
{
  return 2 * s->lanes * s->columns;
}

int64_t
spectra_size (const spectra *s)
{
  return 2 * s->rows * s->columns;
}

void
spectra_down (const spectra *s, void *re, void *im)
{
  for (int64_t x = 0; x < s->columns; x += s->lanes)
    s->fft->forward (at (s, re, x), at (s, im, x), s->pitch, s->rows, s->row_waves);
}

void
spectra_up (const spectra *s, void *re, void *im)
{
  for (int64_t x = 0; x < s->columns; x += s->lanes)
    s->fft->inverse (at (s, re, x), at (s, im, x), s->pitch, s->rows, s->row_waves);
}

void
spectra_in (const spectra *s, void *to, const void *re, const void *im, int64_t block)
{
  const int64_t first = block * s->lanes * s->pitch;
  void *to_im = at (s, to, s->lanes * s->columns);
  s->fft->transpose (to, s->lanes, at (s, re, first), s->pitch, s->lanes, s->columns);
  s->fft->transpose (to_im, s->lanes, at (s, im, first), s->pitch, s->lanes, s->columns);
  s->fft->forward (to, to_im, s->lanes, s->columns, s->column_waves);
}

void
spectra_out (const spectra *s, void *re, void *im, void *from, int64_t block)
{
  const int64_t first = block * s->lanes * s->pitch;
  void *from_im = at (s, from, s->lanes * s->columns);
  s->fft->inverse (from, from_im, s->lanes, s->columns, s->column_waves);
  s->fft->transpose (at (s, re, first), s->pitch, from, s->lanes, s->columns, s->lanes);
  s->fft->transpose (at (s, im, first), s->pitch, from_im, s->lanes, s->columns, s->lanes);
}

/* w(j, i) is at -j, -i, the pixel that it is convolved with, divided by the factor of the transforms. */
void
spectra_of_kernel (const spectra *s, void *to, const double *w, int64_t m, int64_t n, void *re, void *im)
{
  const double scale = 1 / ((double) s->rows * (double) s->columns);
  memset (re, 0, (size_t) (s->rows * s->pitch * s->bytes));
  memset (im, 0, (size_t) (s->rows * s->pitch * s->bytes));
  for (int64_t j = 0; j < m; j++)
    for (int64_t i = 0; i < n; i++) {
      int64_t index = (j ? s->rows - j : 0) * s->pitch + (i ? s->columns - i : 0);
      if (s->type == FV_F32)
        ((float *) re)[index] = (float) (w[j * n + i] * scale);
      else
        ((double *) re)[index] = w[j * n + i] * scale;
    }
  spectra_down (s, re, im);
  for (int64_t block = 0; block < s->rows / s->lanes; block++)
    spectra_in (s, at (s, to, block * spectra_block (s)), re, im, block);
}
