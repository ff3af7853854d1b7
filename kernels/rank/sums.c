/* SPDX-License-Identifier: MIT
 *
 * sums: the shared part of the declarations, and the CPU version, tile by tile and slice of the footprint by slice.
 */
#include "kernels/rank/sums.h"
#include "kernels/rank/sums_formulas.h"

#include "kernels/common/row.h"

enum { STRIPE = 32 }; /* columns that are summed together: they stay in the first cache */

/* ---- Declaration ---- */

const fv_output sums_outputs[] = {{"image", "Image"}, {0}};
const fv_param sums_params[] = {
  NEIGHBORHOOD_FOOTPRINT (FOOTPRINT_DISK, 2),
  NEIGHBORHOOD_BORDER,
  {FV_FIELD (neighborhood_args, output), .label = "Output", .advanced = true,
   .choices = (const fv_choice[]){{"float", "32-bit float", "32-bit float, or 64-bit for a 64-bit image."},
                                  {"same", "Like the input", "The input's type, rounded to nearest."},
                                  {0}},
   .help = "Type of the result."},
  NEIGHBORHOOD_VOLUME,
  {0}};

fv_status
sums_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const neighborhood_args *a = args;
  footprint_spec spec = neighborhood_spec (a);
  (void) op;
  filter_grid (in[0], filter_type (in[0], a->output == NEIGHBORHOOD_FLOAT), out[0]);
  return footprint_check (&spec, a->volume, error);
}

static bool
is_box (const neighborhood_args *a)
{
  return a->footprint == FOOTPRINT_SQUARE || a->footprint == FOOTPRINT_CUBE;
}

double
sums_arithmetic (const fv_op *op, const void *args, const fv_grid *const *inputs)
{
  const neighborhood_args *a = args;
  int64_t runs = neighborhood_runs (a, NULL);
  (void) inputs;
  return ((intptr_t) op->user == SUMS_VARIANCE ? 2 : 1) * (is_box (a) ? 16.0 : 4.0 * (double) runs);
}

/* ---- Sums ---- */

/* to[i] += from[i] */
VECTORISED static void
take (double *restrict to, const double *restrict from, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] += from[i];
}

/* p[i] += p[i + step], each before it is changed. */
VECTORISED static void
widen (double *p, int64_t step, int64_t n)
{
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    p[i] += p[i + step];
}

VECTORISED static void
square (double *p, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    p[i] *= p[i];
}

typedef struct sums_job {
  const fv_call *call;
  progress progress;
  neighborhood b;
  bool variance, box;
  int64_t n, n_runs;
  const neighborhood_run *runs;
  int64_t room;   /* numbers of one slice of a tile, and two rows behind it */
  double *memory; /* of each thread: a slice, one or two results */
  int64_t each;
} sums_job;

/* to[i] = the sum of `width` numbers from p[i] on, an odd number of them. Changes p. */
VECTORISED static void
sum_along (double *restrict to, double *p, int64_t width, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = 0. + p[width - 1 + i];
  for (int64_t w = 1; 2 * w <= width; w *= 2) { /* p[i] is the sum of w, then of twice as many */
    const double *piece = p + sums_piece_at (width, 2 * w);
#pragma omp simd
    for (int64_t i = 0; i < n + width - 2 * w; i++)
      p[i] += p[i + w];
    for (int64_t i = 0; i < n && width & (2 * w); i++)
      to[i] += piece[i];
  }
}

/* Adds to `rows` rows of STRIPE numbers those that `height` rows from each on have together. Changes p. */
INLINE void
add_columns (double *restrict to, double *restrict p, int64_t pitch, int64_t height, int64_t rows)
{
  for (int64_t w = 1; w <= height; w *= 2) { /* a row of p is the sum of w */
    const double *piece = p + sums_piece_at (height, w) * pitch;
    const int64_t wider = 2 * w <= height ? rows + height - 2 * w : 0;
    for (int64_t y = 0; y < rows && height & w; y++)
      for (int64_t x = 0; x < STRIPE; x++)
        to[y * pitch + x] += piece[y * pitch + x];
    for (int64_t y = 0; y < wider; y++)
      for (int64_t x = 0; x < STRIPE; x++)
        p[y * pitch + x] += p[(y + w) * pitch + x];
  }
}

/* `columns` is rounded up to whole stripes. */
VECTORISED static void
add_down (double *to, double *p, int64_t pitch, int64_t height, int64_t rows, int64_t columns)
{
  for (int64_t x = 0; x < columns; x += STRIPE)
    add_columns (to + x, p + x, pitch, height, rows);
}

/* The runs of one slice, which are in order. */
static void
add_runs (const sums_job *j, double *result, double *p, const neighborhood_run *runs, int64_t n_runs, int64_t n)
{
  int32_t longest = 0;
  for (int64_t k = 0; k < n_runs; k++)
    longest = runs[k].last - runs[k].first + 1 > longest ? runs[k].last - runs[k].first + 1 : longest;
  for (int32_t w = 1; w <= longest; w *= 2) {
    for (const neighborhood_run *r = runs; r < runs + n_runs; r++) {
      int32_t width = r->last - r->first + 1; /* the bits below w are summed */
      if (width & w)
        take (result,
              p + neighborhood_offset (&j->b, j->b.low[0], r->dy, r->first + (int32_t) sums_piece_at (width, w)), n);
    }
    if (2 * w <= longest)
      widen (p, w, j->b.slice - w);
  }
}

/* Row y of a slice of the tile and its surroundings, squared for power 1. */
static void
load_row (const sums_job *j, const neighborhood_tile *t, int32_t dz, int64_t y, int power, double *p)
{
  const neighborhood *b = &j->b;
  int64_t n = t->width + b->high[2] - b->low[2];
  void *row = p + n; /* which has room for it */
  neighborhood_load_row (b, t, dz, y, row);
  row_to_f64 (p, row, b->in->grid->type, n);
  if (power)
    square (p, n);
}

/* Sums of one slice of the footprint, at runs[0 ... n_runs - 1], into the result: those of a box are sums of columns. p: a slice, and a row
 * more. */
static void
add_slice (const sums_job *j, const neighborhood_tile *t, int power, double *p, double *result,
           const neighborhood_run *runs, int64_t n_runs)
{
  const neighborhood *b = &j->b;
  int64_t height = b->high[1] - b->low[1] + 1, rows = t->height + height - 1;
  for (int64_t y = 0; y < rows; y++)
    load_row (j, t, runs->dz, y, power, p + y * b->pitch);
  if (j->box)
    add_down (result, p, b->pitch, height, t->height, t->width + b->high[2] - b->low[2]);
  else
    add_runs (j, result, p, runs, n_runs, (t->height - 1) * b->pitch + t->width);
}

VECTORISED static void
mean_of (double *s, int64_t n, double count, bool rounded)
{
  const double inverse = 1 / count;
  if (rounded)
    for (int64_t x = 0; x < n; x++)
      s[x] = sums_mean (s[x], count, inverse, true);
  else
    for (int64_t x = 0; x < n; x++)
      s[x] = sums_mean (s[x], count, inverse, false);
}

VECTORISED static void
variance_of (double *restrict s, const double *restrict squares, int64_t n, double count)
{
  for (int64_t x = 0; x < n; x++)
    s[x] = sums_variance (s[x], squares[x], count);
}

/* The results of a tile. spare: two rows. */
static void
finish (const sums_job *j, const neighborhood_tile *t, double *sum, double *squares, double *spare)
{
  const fv_array *out = j->call->outputs[0];
  int64_t bytes = (int64_t) type_bytes (out->grid->type), n = t->width, width = j->b.high[2] - j->b.low[2] + 1;
  for (int64_t y = 0; y < t->height; y++) {
    double *s = sum + y * j->b.pitch, *q = squares + y * j->b.pitch;
    if (j->box) {
      sum_along (spare, s, width, n);
      s = spare;
    }
    if (j->box && j->variance) {
      sum_along (spare + j->b.pitch, q, width, n);
      q = spare + j->b.pitch;
    }
    if (j->variance)
      variance_of (s, q, n, (double) j->n);
    else
      mean_of (s, n, (double) j->n, out->grid->type == FV_F32);
    row_from_f64 ((char *) array_row (out, t->z, t->y + y) + t->x * bytes, out->grid->type, s, n);
  }
}

static void
run_tile (sums_job *j, const neighborhood_tile *t, double *memory)
{
  double *p = memory, *result[2] = {p + j->room, p + 2 * j->room};
  int64_t next;
  memset (result[0], 0, (size_t) ((1 + j->variance) * j->room) * sizeof *p);
  for (int64_t k = 0; k < j->n_runs && !progress_stopped (&j->progress); k = next) {
    for (next = k + 1; next < j->n_runs && j->runs[next].dz == j->runs[k].dz;)
      next++;
    for (int power = 0; power <= (int) j->variance; power++)
      add_slice (j, t, power, p, result[power], j->runs + k, next - k);
    progress_step (&j->progress, 0);
  }
  finish (j, t, result[0], result[1], p);
  progress_step (&j->progress, 1);
}

static fv_status
make_job (sums_job *j, fv_error *error)
{
  const neighborhood_args *a = j->call->args;
  int64_t threads = threads_at_most ();
  neighborhood_run *runs;
  neighborhood *b = &j->b;
  j->box = is_box (a);
  neighborhood_cut (b, j->call, 64, 0);
  if (j->box || b->high[1] - b->low[1] > 64)
    neighborhood_cut (b, j->call, 128 - (b->high[2] - b->low[2]) % STRIPE, STRIPE);
  j->room = b->slice + b->pitch;
  j->each = (2 + j->variance) * j->room;
  j->n_runs = neighborhood_runs (a, NULL);
  j->n = neighborhood_count (a);
  j->progress = (progress){j->call, .total = array_planes (b->in) * b->down * b->across};
  if (j->call->host->scratch (j->call, (size_t) j->n_runs * sizeof *runs, (void **) &runs, error)
      || j->call->host->scratch (j->call, (size_t) (threads * j->each) * sizeof (double), (void **) &j->memory, error))
    return error->code;
  neighborhood_runs (a, runs);
  memset (j->memory, 0, (size_t) (threads * j->each) * sizeof (double));
  j->runs = runs;
  return FV_OK;
}

fv_status
sums_cpu (const fv_call *call, fv_error *error)
{
  sums_job j = {call, .variance = (intptr_t) call->op->user == SUMS_VARIANCE};
  if (make_job (&j, error))
    return error->code;
  progress_step (&j.progress, 0); /* other threads may take all tiles */
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < j.progress.total; i++) {
    neighborhood_tile t = neighborhood_tile_at (&j.b, i);
    if (!progress_stopped (&j.progress))
      run_tile (&j, &t, j.memory + thread_index () * j.each);
  }
  return j.progress.stop ? cancelled (error) : FV_OK;
}
