/* SPDX-License-Identifier: MIT
 *
 * sigma_clip: each pass of clip.h goes over pieces of the plane. Each thread counts into bins of its own, two in turn, so that
 * equal neighbors do not wait for each other's store.
 */
#include "kernels/sky/sigma_clip.h"

#include "kernels/common/histogram.h"

enum { PASSES = 24 }; /* about as many as it takes; for the progress */

typedef struct bins {
  int64_t count[2][CLIP_BINS];
} bins;

/* ---- A row ---- */

#define DEFINE_ROW(NAME, T, K)                                                                                         \
  VECTORISED static void count_##NAME (const T *v, int64_t n, const clip *c, bins *b)                                  \
  {                                                                                                                    \
    const K first = (K) c->first, span = (K) (c->last - c->first);                                                     \
    const int shift = c->shift;                                                                                        \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      K at = (K) (key_##NAME (v[i]) - first);                                                                          \
      if (at <= span)                                                                                                  \
        b->count[i & 1][at >> shift]++;                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void sum_##NAME (const T *v, int64_t n, const clip *c, clip_sums *s)                               \
  {                                                                                                                    \
    const K low = (K) c->low, span = (K) (c->high - c->low), last = (K) (c->last - c->low);                            \
    const double unit = c->about.unit, start = c->about.start;                                                         \
    K least = (K) -1, most = 0, above = (K) -1;                                                                        \
    for (int64_t end; n > 0; v += end, n -= end) {                                                                     \
      uint64_t sum = 0, squares = 0;                                                                                   \
      end = n < EXACT_TERMS ? n : EXACT_TERMS;                                                                         \
      _Pragma (                                                                                                        \
        "omp simd reduction(+ : sum, squares) reduction(min : least, above) reduction(max : most)") for (int64_t i =   \
                                                                                                           0;          \
                                                                                                         i < end; i++) \
      {                                                                                                                \
        K at = (K) (key_##NAME (v[i]) - low);                                                                          \
        bool kept = at <= span;                                                                                        \
        double d = kept ? (double) v[i] * unit - start : 0;                                                            \
        K up = kept ? at : (K) -1, down = kept ? at : 0, over = kept && at > last ? at : (K) -1;                       \
        sum += exact_term (d);                                                                                         \
        squares += spread_square (d);                                                                                  \
        least = up < least ? up : least;                                                                               \
        above = over < above ? over : above;                                                                           \
        most = down > most ? down : most;                                                                              \
      }                                                                                                                \
      exact_add (&s->sums.values, sum, end);                                                                           \
      exact_add (&s->sums.squares, squares, end);                                                                      \
    }                                                                                                                  \
    s->low = least <= span && c->low + least < s->low ? c->low + least : s->low;                                       \
    s->high = least <= span && c->low + most > s->high ? c->low + most : s->high;                                      \
    s->above = above <= span && c->low + above < s->above ? c->low + above : s->above;                                 \
  }
DEFINE_ROW (u8, uint8_t, uint32_t)
DEFINE_ROW (u16, uint16_t, uint32_t)
DEFINE_ROW (i32, int32_t, uint32_t)
DEFINE_ROW (f32, float, uint32_t)
DEFINE_ROW (f64, double, uint64_t)

/* ---- A pass ---- */

typedef struct clipping {
  pixels pixels;
  bins *bins;      /* [threads] */
  clip_sums *sums; /* [pieces] */
  progress *p;
} clipping;

static void
pass_piece (const clipping *w, const clip *c, int64_t i)
{
  fv_type type = w->pixels.array->grid->type;
  piece s = pixels_piece (&w->pixels, i);
  w->sums[i] = (clip_sums){.low = UINT64_MAX, .above = UINT64_MAX};
  for (int64_t y = 0; y < s.rows; y++) {
    const void *row = pixels_row (&w->pixels, &s, y);
    if (!c->found)
      WITH_TYPE (type, count, row, s.columns, c, w->bins + thread_index ())
    if (c->sums)
      WITH_TYPE (type, sum, row, s.columns, c, w->sums + i)
  }
}

static clip_bin
find_bin (const clipping *w, const clip *c)
{
  int64_t *all = w->bins->count[0], threads = threads_at_most ();
  clip_bin b = {.bin = -1, .next = -1};
  for (int64_t k = 0; k < CLIP_BINS; k++) {
    for (int64_t t = 0; t < threads; t++)
      all[k] += (t ? w->bins[t].count[0][k] : 0) + w->bins[t].count[1][k];
    b.all += all[k];
  }
  const int64_t rank = clip_wanted (c, b.all);
  for (int64_t k = 0, before = 0; k < CLIP_BINS && b.next < 0; before += all[k++])
    if (b.bin < 0 && rank < before + all[k])
      b.bin = k, b.before = before, b.count = all[k];
    else if (b.bin >= 0 && all[k])
      b.next = k;
  return b;
}

/* After find_bin(): as clip_first_bins() has it. */
static void
first_bins (const clipping *w, clip *c, int64_t middle)
{
  const int64_t *all = w->bins->count[0];
  int64_t lowest = 0, highest = CLIP_BINS - 1;
  while (!all[lowest])
    lowest++;
  while (!all[highest])
    highest--;
  clip_first_bins (c, lowest, middle, highest);
}

static clip_sums
join_sums (const clipping *w)
{
  clip_sums all = {.low = UINT64_MAX, .above = UINT64_MAX};
  for (int64_t i = 0; i < w->pixels.pieces; i++) {
    const clip_sums *s = w->sums + i;
    all.sums = spread_join (all.sums, s->sums);
    all.low = s->low < all.low ? s->low : all.low;
    all.high = s->high > all.high ? s->high : all.high;
    all.above = s->above < all.above ? s->above : all.above;
  }
  return all;
}

/* False when the work is to stop. */
static bool
pass (const clipping *w, clip *c)
{
  const int64_t pieces = w->pixels.pieces;
  memset (w->bins, 0, (size_t) threads_at_most () * sizeof *w->bins);
  if (w->p->done + pieces > w->p->total)
    w->p->done = w->p->total - pieces;
#pragma omp parallel for schedule(dynamic) if (pieces > 3) /* a pass over a piece takes 50 µs */
  for (int64_t i = 0; i < pieces; i++)
    if (!progress_stopped (w->p)) {
      pass_piece (w, c, i);
      progress_step (w->p, 1);
    }
  if (w->p->stop) /* not all pieces have sums */
    return false;
  clip_bin b = find_bin (w, c);
  clip_sums s = join_sums (w);
  if (c->rank < 0 && !c->iterations && b.all)
    first_bins (w, c, b.bin);
  clip_after (c, &b, &s);
  return true;
}

fv_status
sigma_clip_measure (const fv_call *call, const fv_array *in, const sigma_clip_args *a, double *results, fv_error *error)
{
  int64_t planes = array_planes (in);
  clipping w = {.pixels = pixels_of (in, 0, 1)};
  progress p = {call, .total = planes * w.pixels.pieces * PASSES};
  void *memory;
  fv_status status = call->host->scratch (
    call, (size_t) threads_at_most () * sizeof *w.bins + (size_t) w.pixels.pieces * sizeof *w.sums, &memory, error);
  if (status)
    return status;
  w.bins = memory;
  w.sums = (clip_sums *) (w.bins + threads_at_most ());
  w.p = &p;
  for (int64_t plane = 0; plane < planes; plane++) {
    clip c;
    w.pixels.first = plane;
    clip_begin (&c, in->grid->type, a->kappa, a->max_iterations);
    while (!c.done)
      if (!pass (&w, &c))
        return cancelled (error);
    sigma_clip_put (results + plane * SIGMA_CLIP_RESULTS, &c);
  }
  return FV_OK;
}

static fv_status
sigma_clip_cpu (const fv_call *call, fv_error *error)
{
  fv_status status = sigma_clip_measure (call, call->inputs[0], call->args, call->scalars, error);
  return status ? status : sigma_clip_table (call, call->scalars, error);
}

/* ---- The operation ---- */

fv_status
sigma_clip_table (const fv_call *call, const double *scalars, fv_error *error)
{
  const char *unit = call->inputs[0]->grid->value_unit;
  const fv_column columns[] = {
    {"plane", "", "The plane of the image, counted from 1: slice by slice, channel by channel, time by time.",
     FV_COLUMN_INTEGER},
    {"mean", unit, "Mean of the pixels that are kept.", FV_COLUMN_FLOAT},
    {"median", unit, "Median of the pixels that are kept.", FV_COLUMN_FLOAT},
    {"sigma", unit, "Standard deviation of the pixels that are kept.", FV_COLUMN_FLOAT},
    {"minimum", unit, "Smallest value that is kept.", FV_COLUMN_FLOAT},
    {"maximum", unit, "Largest value that is kept.", FV_COLUMN_FLOAT},
    {"kept", "", "How many pixels are kept.", FV_COLUMN_INTEGER},
    {"iterations", "", "How many times pixels were clipped.", FV_COLUMN_INTEGER},
  };
  int64_t planes = array_planes (call->inputs[0]);
  const int skipped = planes == 1; /* a single plane needs no number */
  double *values;
  fv_status status = call->host->table (call, columns + skipped, 1 + SIGMA_CLIP_RESULTS - skipped, sizeof *columns,
                                        planes, &values, error);
  if (status)
    return status;
  for (int64_t i = 0; i < planes && !skipped; i++)
    *values++ = (double) (i + 1);
  for (int j = 0; j < SIGMA_CLIP_RESULTS; j++)
    for (int64_t i = 0; i < planes; i++)
      *values++ = scalars[i * SIGMA_CLIP_RESULTS + j];
  return FV_OK;
}

const fv_op fv_op_sigma_clip = {
  FV_OP (sigma_clip_args),
  .key = "sigma_clip",
  .menu = "Analyze/Sky",
  .label = "Background Statistics...",
  .search = "sky level noise rms mean median mode astronomy statistics clipped",
  .columns = (const fv_column_name[]){{"mean", "Mean"}, {0}},
  .help = "Measures the background by clipping the pixels that lie far from the median until none does.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){
      {"image", "Image", "The image; NaN and infinities are left out.", FV_ANY_TYPE | FV_WANTS_CALIBRATED, false}, {0}},
  .scalars = (const fv_scalar[]){{"mean", "Mean", "Mean of the pixels that are kept.", FV_COLUMN_FLOAT},
                                 {"median", "Median", "Median of the pixels that are kept.", FV_COLUMN_FLOAT},
                                 {"sigma", "Sigma", "Standard deviation of the pixels that are kept.", FV_COLUMN_FLOAT},
                                 {"minimum", "Minimum", "Smallest value that is kept.", FV_COLUMN_FLOAT},
                                 {"maximum", "Maximum", "Largest value that is kept.", FV_COLUMN_FLOAT},
                                 {"kept", "Kept pixels", "How many pixels are kept.", FV_COLUMN_INTEGER},
                                 {"iterations", "Iterations", "How many times pixels were clipped.", FV_COLUMN_INTEGER},
                                 {0}},
  .params = (const fv_param[]){{FV_FIELD (sigma_clip_args, kappa), .label = "Kappa", .def = 3, .min = 0.1, .max = 1000,
                                .soft_min = 1, .soft_max = 10,
                                .help = "Pixels this many standard deviations or more from the median are clipped."},
                               {FV_FIELD (sigma_clip_args, max_iterations), .label = "Most iterations", .max = 1000,
                                .soft_max = 20, .help = "Clips this many times at most; 0: until nothing is clipped."},
                               {0}},
  .run = {[FV_CPU] = sigma_clip_cpu, [FV_CUDA] = FV_CUDA_FN (sigma_clip_cuda)},
};
