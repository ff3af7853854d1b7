/* SPDX-License-Identifier: MIT
 *
 * L. I. Bluestein's way: with chirps c(k) = exp (-pi i k^2 / n) the transform of x is c times the convolution of c x with conj (c).
 * Transforms whose length is a power of two make that convolution. Some lines at a time, one in each lane.
 */
#include "kernels/common/dft.h"
#include "kernels/common/fft.h"

enum { LANES = FFT_VECTOR / sizeof (double), LEAST = 4 };

/* An axis of n numbers; `length`: of the transforms. */
typedef struct chirp {
  const fft *fft;
  int64_t n, length;
  double *waves;    /* [2][length] */
  double *c;        /* [2][n] */
  double *spectrum; /* [2][length]: of conj (c), over the length */
} chirp;

static int64_t
length_of (int64_t n)
{
  int64_t length = LEAST;
  while (length < 2 * n - 1)
    length *= 2;
  return length;
}

static int64_t
values_of (const int64_t n[3])
{
  return n[0] * n[1] * n[2];
}

static int64_t
longest_of (const int64_t n[3])
{
  const int64_t most = n[0] > n[1] ? n[0] : n[1];
  return length_of (most > n[2] ? most : n[2]);
}

/* The tables of an axis; lines of each thread. */
int64_t
dft_numbers (const int64_t n[3], int64_t threads)
{
  const int64_t longest = longest_of (n);
  return 6 * longest + threads * 2 * LANES * longest;
}

/* ---- One axis ---- */

static double *
take (double **memory, int64_t n)
{
  double *taken = *memory;
  *memory += n;
  return taken;
}

/* line: 2 LANES length numbers. */
static chirp
make_chirp (int64_t n, double *memory, double *line)
{
  chirp c = {fft_of (FV_F64), n, length_of (n), NULL, NULL, NULL};
  double *re = line, *im = line + LANES * c.length;
  c.waves = take (&memory, 2 * c.length);
  c.spectrum = take (&memory, 2 * c.length);
  c.c = take (&memory, 2 * n);
  fft_waves (c.waves, FV_F64, c.length);
  memset (line, 0, (size_t) (2 * LANES * c.length) * sizeof *line);
  for (int64_t k = 0; k < n; k++) {
    const double turn = acos (-1) * (double) (k * k % (2 * n)) / (double) n;
    c.c[k] = cos (turn);
    c.c[n + k] = -sin (turn);
    re[LANES * k] = re[LANES * ((c.length - k) % c.length)] = cos (turn);
    im[LANES * k] = im[LANES * ((c.length - k) % c.length)] = sin (turn);
  }
  c.fft->forward (re, im, LANES, c.length, c.waves);
  for (int64_t k = 0; k < c.length; k++) {
    c.spectrum[k] = re[LANES * k] / (double) c.length;
    c.spectrum[c.length + k] = im[LANES * k] / (double) c.length;
  }
  return c;
}

/* Numbers times the spectrum. */
VECTORISED static void
multiply (const chirp *c, double *restrict re, double *restrict im)
{
  for (int64_t k = 0; k < c->length; k++) {
    const double a = c->spectrum[k], b = c->spectrum[c->length + k];
    for (int i = 0; i < LANES; i++) {
      const double r = re[LANES * k + i];
      re[LANES * k + i] = r * a - im[LANES * k + i] * b;
      im[LANES * k + i] = r * b + im[LANES * k + i] * a;
    }
  }
}

/* `lines` lines, numbers of which are `apart`, from the offsets at[] on; line: 2 LANES length numbers. */
static void
transform_lines (const chirp *c, double *re, double *im, const int64_t *at, int lines, int64_t apart, double *line)
{
  double *lane_re = line, *lane_im = line + LANES * c->length;
  memset (line, 0, (size_t) (2 * LANES * c->length) * sizeof *line);
  for (int64_t k = 0; k < c->n; k++)
    for (int i = 0; i < lines; i++) {
      const double a = re[at[i] + k * apart], b = im[at[i] + k * apart];
      lane_re[LANES * k + i] = a * c->c[k] - b * c->c[c->n + k];
      lane_im[LANES * k + i] = a * c->c[c->n + k] + b * c->c[k];
    }
  c->fft->forward (lane_re, lane_im, LANES, c->length, c->waves);
  multiply (c, lane_re, lane_im);
  c->fft->inverse (lane_re, lane_im, LANES, c->length, c->waves);
  for (int64_t k = 0; k < c->n; k++)
    for (int i = 0; i < lines; i++) {
      const double a = lane_re[LANES * k + i], b = lane_im[LANES * k + i];
      re[at[i] + k * apart] = a * c->c[k] - b * c->c[c->n + k];
      im[at[i] + k * apart] = a * c->c[c->n + k] + b * c->c[k];
    }
}

/* All lines along an axis. */
static void
transform_axis (const int64_t n[3], int axis, int64_t threads, double *re, double *im, double *memory)
{
  const int64_t longest = longest_of (n), all = values_of (n), lines = all / n[axis];
  const int64_t apart = axis == 0 ? n[1] * n[2] : axis == 1 ? n[2] : 1;
  double *own = memory + 6 * longest;
  const chirp c = make_chirp (n[axis], memory, own);
  (void) threads; /* without OpenMP there is one */
#pragma omp parallel for schedule(static) num_threads((int) threads)
  for (int64_t first = 0; first < lines; first += LANES) {
    const int count = (int) (lines - first < LANES ? lines - first : LANES);
    int64_t at[LANES] = {0};
    for (int i = 0; i < count; i++)
      at[i] = (first + i) / apart * apart * n[axis] + (first + i) % apart;
    transform_lines (&c, re, im, at, count, apart, own + thread_index () * 2 * LANES * longest);
  }
}

void
dft (const int64_t n[3], int64_t threads, double *re, double *im, double *memory)
{
  for (int axis = 0; axis < 3; axis++)
    if (n[axis] > 1)
      transform_axis (n, axis, threads, re, im, memory);
}
