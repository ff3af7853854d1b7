/* SPDX-License-Identifier: MIT
 *
 * Rows are transformed some at a time, side by side in blocks; columns where they stand, neighbors together.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast")
#endif
#include "kernels/geometry/correlate.h"
#include "kernels/common/row.h"

enum { LANES = FFT_VECTOR / sizeof (double), CHUNK = 64, TILE = 256 };

/* ---- Memory ---- */

static int64_t
row_chunks (const register_plan *p)
{
  return (p->length[0] / 2 + CHUNK - 1) / CHUNK;
}

/* Numbers of each kind of memory: planes, product, waves and windows and turns, sums, blocks. */
static int64_t
numbers_of (const register_plan *p)
{
  const int64_t rows = p->length[0], columns = p->length[1];
  return 2 * rows * (columns + LANES) + rows * columns + (rows + columns) * (3 + 2 * REGISTER_SIDE)
         + row_chunks (p) * REGISTER_SAMPLES + threads_at_most () * 2 * LANES * columns;
}

int64_t
correlation_bytes (const register_plan *p)
{
  return numbers_of (p) * (int64_t) sizeof (double) + (p->length[0] + p->length[1]) * (int64_t) sizeof (int32_t);
}

static double *
take (double **memory, int64_t n)
{
  double *taken = *memory;
  *memory += n;
  return taken;
}

/* The order of frequencies follows from the transform of a pulse next to the first number. line: 2 LANES n numbers. */
static void
find_order (const fft *f, int64_t n, const double *waves, double *line, int32_t *index)
{
  double *re = line, *im = line + LANES * n;
  memset (line, 0, (size_t) (2 * LANES * n) * sizeof *line);
  re[LANES] = 1;
  f->forward (re, im, LANES, n, waves);
  for (int64_t k = 0; k < n; k++) {
    const double turn = atan2 (-im[k * LANES], re[k * LANES]) / (2 * acos (-1));
    index[((int64_t) nearbyint (turn * (double) n) + n) % n] = (int32_t) k;
  }
}

/* sin^2 over all pixels, or 1. */
static void
make_window (double *window, int64_t n, bool fade)
{
  for (int64_t i = 0; i < n; i++) {
    const double s = sin (acos (-1) * ((double) i + 0.5) / (double) n);
    window[i] = fade ? s * s : 1;
  }
}

fv_status
correlation_make (const fv_call *call, const register_plan *p, int64_t pairs, correlation *c, fv_error *error)
{
  const int64_t rows = p->length[0], columns = p->length[1];
  double *memory;
  *c =
    (correlation){.call = call, .plan = p, .fft = fft_of (FV_F64), .pitch = columns + LANES, .chunks = row_chunks (p)};
  c->progress = (progress){call, .total = pairs * (2 * (rows + columns) / LANES + c->chunks)};
  if (call->host->scratch (call, (size_t) correlation_bytes (p), (void **) &memory, error))
    return error->code;
  c->re = take (&memory, rows * c->pitch);
  c->im = take (&memory, rows * c->pitch);
  c->product = take (&memory, rows * columns);
  c->blocks = take (&memory, threads_at_most () * 2 * LANES * columns);
  c->sums = take (&memory, c->chunks * REGISTER_SAMPLES);
  for (int axis = 0; axis < 2; axis++) {
    c->waves[axis] = take (&memory, 2 * p->length[axis]);
    c->window[axis] = take (&memory, p->length[axis]);
    c->turns[axis] = take (&memory, 2 * REGISTER_SIDE * p->length[axis]);
  }
  c->index[0] = (int32_t *) memory;
  c->index[1] = c->index[0] + rows;
  for (int axis = 0; axis < 2; axis++) {
    fft_waves (c->waves[axis], FV_F64, p->length[axis]);
    make_window (c->window[axis], p->size[axis], ((const register_args *) call->args)->window);
    find_order (c->fft, p->length[axis], c->waves[axis], axis ? c->re : c->product, c->index[axis]);
  }
  return FV_OK;
}

/* ---- Pixels ---- */

/* Part of a row, the sum of all slices. */
static void
read_row (const register_view *v, int64_t y, int64_t x, int64_t n, double *values, double *more)
{
  const fv_type type = v->array->grid->type;
  for (int64_t z = 0; z < v->depth; z++) {
    const char *row = array_row (v->array, v->plane + z, y);
    row_to_f64 (z ? more : values, row + x * (int64_t) type_bytes (type), type, n);
    for (int64_t i = 0; i < n && z; i++)
      values[i] += more[i];
  }
}

static register_scale
find_scale (const correlation *c, const register_view *v)
{
  const register_plan *p = c->plan;
  double count = 0, sum = 0, squares = 0;
#pragma omp parallel for reduction(+ : count, sum, squares) schedule(static)
  for (int64_t y = 0; y < p->size[0]; y++) {
    double values[TILE], more[TILE];
    for (int64_t x = 0, n; x < p->size[1]; x += n) {
      n = p->size[1] - x < TILE ? p->size[1] - x : TILE;
      read_row (v, p->start[0] + y, p->start[1] + x, n, values, more);
      for (int64_t i = 0; i < n; i++)
        if (isfinite (values[i])) {
          count++;
          sum += values[i];
          squares += values[i] * values[i];
        }
    }
  }
  return register_scale_of (count, sum, squares);
}

/* One row of a transform. */
static void
fill_row (const correlation *c, const register_view *v, const register_scale *scale, int64_t y, double *to)
{
  const register_plan *p = c->plan;
  double values[TILE], more[TILE];
  memset (to, 0, (size_t) p->length[1] * sizeof *to);
  for (int64_t x = 0, n; x < p->size[1] && y < p->size[0]; x += n) {
    n = p->size[1] - x < TILE ? p->size[1] - x : TILE;
    read_row (v, p->start[0] + y, p->start[1] + x, n, values, more);
    for (int64_t i = 0; i < n; i++)
      if (isfinite (values[i]))
        to[x + i] = (values[i] - scale->mean) * scale->scale * c->window[0][y] * c->window[1][x + i];
  }
}

/* ---- Transforms ---- */

static double *
block_of_thread (const correlation *c)
{
  return c->blocks + thread_index () * 2 * LANES * c->plan->length[1];
}

/* From pixels to frequencies along the rows. */
static void
rows_there (correlation *c, const register_view pair[2], const register_scale scale[2])
{
  const int64_t rows = c->plan->length[0], columns = c->plan->length[1];
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t y = 0; y < rows; y += LANES) {
    double *re = block_of_thread (c), *im = re + LANES * columns, *to_re = c->re + y * c->pitch,
           *to_im = c->im + y * c->pitch;
    if (progress_stopped (&c->progress))
      continue;
    for (int64_t k = 0; k < LANES; k++) {
      fill_row (c, &pair[0], &scale[0], y + k, to_re + k * c->pitch);
      fill_row (c, &pair[1], &scale[1], y + k, to_im + k * c->pitch);
    }
    c->fft->transpose (re, LANES, to_re, c->pitch, LANES, columns);
    c->fft->transpose (im, LANES, to_im, c->pitch, LANES, columns);
    c->fft->forward (re, im, LANES, columns, c->waves[1]);
    c->fft->transpose (to_re, c->pitch, re, LANES, columns, LANES);
    c->fft->transpose (to_im, c->pitch, im, LANES, columns, LANES);
    progress_step (&c->progress, 1);
  }
}

static void
columns_there_or_back (correlation *c, bool there)
{
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t x = 0; x < c->plan->length[1]; x += LANES) {
    if (progress_stopped (&c->progress))
      continue;
    (there ? c->fft->forward : c->fft->inverse) (c->re + x, c->im + x, c->pitch, c->plan->length[0], c->waves[0]);
    progress_step (&c->progress, 1);
  }
}

typedef struct whole_peak {
  double value;
  int64_t at; /* row times columns, plus column */
} whole_peak;

static whole_peak
higher (whole_peak a, whole_peak b)
{
  return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
}

/* Back along the rows, and the highest of all. */
static whole_peak
rows_back (correlation *c)
{
  const int64_t rows = c->plan->length[0], columns = c->plan->length[1];
  whole_peak best = {-INFINITY, 0};
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t y = 0; y < rows; y += LANES) {
    double *re = block_of_thread (c), *im = re + LANES * columns;
    whole_peak own = {-INFINITY, 0};
    if (progress_stopped (&c->progress))
      continue;
    c->fft->transpose (re, LANES, c->re + y * c->pitch, c->pitch, LANES, columns);
    c->fft->transpose (im, LANES, c->im + y * c->pitch, c->pitch, LANES, columns);
    c->fft->inverse (re, im, LANES, columns, c->waves[1]);
    for (int64_t x = 0; x < columns; x++)
      for (int64_t k = 0; k < LANES; k++)
        own = higher (own, (whole_peak){re[x * LANES + k], (y + k) * columns + x});
#pragma omp critical(register_peak)
    best = higher (best, own);
    progress_step (&c->progress, 1);
  }
  return best;
}

/* ---- The product ---- */

typedef struct complex_value {
  double re, im;
} complex_value;

/* z and w: the transform of a + i b at a frequency and at its negative. */
static complex_value
product_of (complex_value z, complex_value w, bool phase, double least)
{
  const complex_value a = {(z.re + w.re) / 2, (z.im - w.im) / 2}, b = {(z.im + w.im) / 2, (w.re - z.re) / 2};
  const double of_a = a.re * a.re + a.im * a.im, of_b = b.re * b.re + b.im * b.im;
  complex_value p = {a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im};
  if (!(of_a > least * least && of_b > least * least))
    return (complex_value){0, 0};
  if (phase) {
    const double size = sqrt (p.re * p.re + p.im * p.im);
    p.re /= size;
    p.im /= size;
  }
  return p;
}

/* Row of frequency v and that of -v: products replace their factors, and those of v are in order. */
static void
multiply_rows (correlation *c, int64_t v, bool phase, double least)
{
  const int64_t rows = c->plan->length[0], columns = c->plan->length[1];
  const int64_t here = c->index[0][v] * c->pitch, there = c->index[0][(rows - v) % rows] * c->pitch;
  double *kept_re = c->product + 2 * v * columns, *kept_im = kept_re + columns;
  for (int64_t u = 0; u < (here == there ? columns / 2 + 1 : columns); u++) {
    const int64_t i = here + c->index[1][u], j = there + c->index[1][(columns - u) % columns];
    const complex_value p =
      product_of ((complex_value){c->re[i], c->im[i]}, (complex_value){c->re[j], c->im[j]}, phase, least);
    c->re[i] = c->re[j] = p.re;
    c->im[i] = p.im;
    c->im[j] = i == j ? p.im : -p.im;
    if (v == rows / 2)
      continue;
    kept_re[u] = p.re;
    kept_im[u] = p.im;
    if (here == there) {
      kept_re[(columns - u) % columns] = p.re;
      kept_im[(columns - u) % columns] = c->im[j];
    }
  }
}

static void
multiply (correlation *c)
{
  const register_plan *p = c->plan;
  const bool phase = ((const register_args *) c->call->args)->method == REGISTER_PHASE;
  const double least = register_floor (c->call->inputs[0]->grid->type, (double) p->length[0] * (double) p->length[1]);
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t v = 0; v <= p->length[0] / 2; v++)
    multiply_rows (c, v, phase, least);
}

/* ---- Between pixels ---- */

/* Cosines and sines of all frequencies, for points `apart` about `middle`. */
static void
make_turns (const correlation *c, int axis, double middle, double apart)
{
  const int64_t n = c->plan->length[axis];
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = 0; i < REGISTER_SIDE; i++) {
      const double at = middle + (double) (i - REGISTER_SIDE / 2) * apart,
                   turn = 2 * acos (-1) * register_frequency (k, n) * at / (double) n;
      double *to = c->turns[axis] + 2 * i * n + k;
      to[0] = k == n / 2 ? 0 : cos (turn);
      to[n] = k == n / 2 ? 0 : sin (turn);
    }
}

/* Columns that are summed up together, for all points along y. */
typedef struct tile_sums {
  double re[REGISTER_SIDE][TILE], im[REGISTER_SIDE][TILE];
} tile_sums;

VECTORISED static void
add_row (tile_sums *s, const double *re, const double *im, const double *turn, int64_t pitch, int64_t n, double weight)
{
  for (int j = 0; j < REGISTER_SIDE; j++) {
    const double c = weight * turn[2 * j * pitch], t = weight * turn[(2 * j + 1) * pitch];
    for (int64_t i = 0; i < n; i++) {
      s->re[j][i] += re[i] * c - im[i] * t;
      s->im[j][i] += re[i] * t + im[i] * c;
    }
  }
}

static void
add_tile (const tile_sums *s, const double *turn, int64_t pitch, int64_t n, double *sums)
{
  for (int j = 0; j < REGISTER_SIDE; j++)
    for (int i = 0; i < REGISTER_SIDE; i++)
      for (int64_t x = 0; x < n; x++)
        sums[j * REGISTER_SIDE + i] +=
          s->re[j][x] * turn[2 * i * pitch + x] - s->im[j][x] * turn[(2 * i + 1) * pitch + x];
}

/* What rows CHUNK * chunk and the next ones give to the correlation at all points. */
static void
sum_chunk (const correlation *c, int64_t chunk)
{
  const int64_t rows = c->plan->length[0], columns = c->plan->length[1], first = chunk * CHUNK,
                end = first + CHUNK < rows / 2 ? first + CHUNK : rows / 2;
  double *sums = c->sums + chunk * REGISTER_SAMPLES;
  memset (sums, 0, REGISTER_SAMPLES * sizeof *sums);
  for (int64_t x = 0; x < columns; x += TILE) {
    const int64_t n = columns - x < TILE ? columns - x : TILE;
    tile_sums s = {0};
    for (int64_t v = first; v < end; v++) {
      const double *re = c->product + 2 * v * columns + x;
      add_row (&s, re, re + columns, c->turns[0] + v, rows, n, v ? 2 : 1);
    }
    add_tile (&s, c->turns[1] + x, columns, n, sums);
  }
}

static void
refine (correlation *c, double shift[2])
{
  double apart = 0.25;
  for (int turn = 0; turn < 3; turn++, apart /= 4) {
    double all[REGISTER_SAMPLES] = {0};
    make_turns (c, 0, shift[1], apart);
    make_turns (c, 1, shift[0], apart);
#pragma omp parallel for schedule(dynamic)
    for (int64_t chunk = 0; chunk < c->chunks; chunk++)
      sum_chunk (c, chunk);
    for (int64_t chunk = 0; chunk < c->chunks; chunk++)
      for (int i = 0; i < REGISTER_SAMPLES; i++)
        all[i] += c->sums[chunk * REGISTER_SAMPLES + i];
    register_choose (all, apart, turn == 2, &shift[0], &shift[1]);
  }
}

fv_status
correlate (correlation *c, const register_view pair[2], double shift[2], fv_error *error)
{
  const register_plan *p = c->plan;
  const int32_t upsample = ((const register_args *) c->call->args)->upsample;
  const register_scale scale[2] = {find_scale (c, &pair[0]), find_scale (c, &pair[1])};
  rows_there (c, pair, scale);
  columns_there_or_back (c, true);
  multiply (c);
  columns_there_or_back (c, false);
  const whole_peak peak = rows_back (c);
  if (c->progress.stop)
    return cancelled (error);
  shift[0] = register_distance (peak.at % p->length[1], p->length[1]);
  shift[1] = register_distance (peak.at / p->length[1], p->length[0]);
  if (upsample > 1)
    refine (c, shift);
  progress_step (&c->progress, c->chunks);
  shift[0] = register_round (shift[0], upsample);
  shift[1] = register_round (shift[1], upsample);
  return FV_OK;
}
