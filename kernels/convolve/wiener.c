/* SPDX-License-Identifier: MIT
 *
 * The function to its frequencies, what is there inverted, and back.
 */
#include "kernels/convolve/wiener.h"
#include "kernels/common/dft.h"

static int64_t
values_of (const int64_t n[3])
{
  return n[0] * n[1] * n[2];
}

int64_t
wiener_numbers (const int64_t n[3])
{
  return 2 * values_of (n) + dft_numbers (n, threads_at_most ());
}

static void
center_psf (const wiener_job *j, double *to)
{
  const int64_t *n = j->n, *m = j->m;
  const double *from = j->psf;
  for (int64_t z = 0; z < m[0]; z++)
    for (int64_t y = 0; y < m[1]; y++)
      for (int64_t x = 0; x < m[2]; x++)
        to[(border_index (z - m[0] / 2, n[0], BORDER_WRAP) * n[1] + border_index (y - m[1] / 2, n[1], BORDER_WRAP))
             * n[2]
           + border_index (x - m[2] / 2, n[2], BORDER_WRAP)] += *from++;
}

static double
laplacian_along (int64_t k, int64_t n)
{
  return 2 - 2 * cos (2 * acos (-1) * (double) k / (double) n);
}

/* The function's spectrum becomes the filter, over the number of all. */
static void
invert_row (const wiener_job *j, int64_t z, int64_t y, double *re, double *im)
{
  const double slower = laplacian_along (z, j->n[0]) + laplacian_along (y, j->n[1]), all = (double) values_of (j->n);
  for (int64_t x = 0; x < j->n[2]; x++) {
    const double l = slower + laplacian_along (x, j->n[2]),
                 least = (re[x] * re[x] + im[x] * im[x] + j->balance * l * l) * all;
    re[x] = least > 0 ? re[x] / least : 0;
    im[x] = least > 0 ? -im[x] / least : 0;
  }
}

void
wiener_answer (const wiener_job *j, double *memory)
{
  const int64_t *n = j->n, all = values_of (n);
  double *re = memory, *im = re + all, *rest = im + all;
  memset (memory, 0, (size_t) (2 * all) * sizeof *memory);
  center_psf (j, re);
  dft (n, threads_at_most (), re, im, rest);
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t z = 0; z < n[0]; z++)
    for (int64_t y = 0; y < n[1]; y++)
      invert_row (j, z, y, re + (z * n[1] + y) * n[2], im + (z * n[1] + y) * n[2]);
  dft (n, threads_at_most (), im, re, rest);
}
