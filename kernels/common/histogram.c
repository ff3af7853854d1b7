/* SPDX-License-Identifier: MIT
 *
 * Histograms, see histogram.h. Each thread counts into tables of its own: four in turn, so that equal neighbors do not wait for each
 * other's store, or one for many bins. Where even these would be too large, all threads count into the result with atomics.
 */
#include "kernels/common/histogram.h"

#include <float.h>

#define PIECE_PIXELS ((int64_t) 1 << 15)
#define MANY_BINS 65536
#define PRIVATE_BYTES ((size_t) 1 << 28)
#define CHUNK 1024
#define GAP_BUCKETS ((int64_t) 1 << 20)

pixels
pixels_of (const fv_array *array, int64_t first, int64_t planes)
{
  int64_t rows = array_rows (array), columns = array_columns (array);
  pixels p = {.array = array, .first = first, .planes = planes};
  p.piece_columns = columns < PIECE_PIXELS ? columns : PIECE_PIXELS;
  p.piece_rows = PIECE_PIXELS / p.piece_columns;
  p.down = (rows + p.piece_rows - 1) / p.piece_rows;
  p.across = (columns + p.piece_columns - 1) / p.piece_columns;
  p.pieces = planes * p.down * p.across;
  return p;
}

piece
pixels_piece (const pixels *p, int64_t index)
{
  int64_t rows = array_rows (p->array), columns = array_columns (p->array);
  piece s;
  s.column = index % p->across * p->piece_columns;
  s.row = index / p->across % p->down * p->piece_rows;
  s.plane = p->first + index / p->across / p->down;
  s.columns = columns - s.column < p->piece_columns ? columns - s.column : p->piece_columns;
  s.rows = rows - s.row < p->piece_rows ? rows - s.row : p->piece_rows;
  return s;
}

fv_status
buffer_need (buffer *b, const fv_call *call, size_t bytes, fv_error *error)
{
  if (bytes <= b->bytes)
    return FV_OK;
  fv_status status = call->host->scratch (call, bytes, &b->data, error);
  b->bytes = status ? 0 : bytes;
  return status;
}

/* ---- Range and moments: one partial result for each piece, joined in the order of the pieces ---- */

/* clang does not vectorize this one, and says so when asked to. */
#ifdef __clang__
#define RANGE_SIMD
#else
#define RANGE_SIMD _Pragma ("omp simd reduction(min : low) reduction(max : high)")
#endif

#define DEFINE_RANGE(NAME, T, FINITE)                                                                                  \
  VECTORISED static void range_##NAME (const T *v, int64_t n, double range[2])                                         \
  {                                                                                                                    \
    T low = (T) range[0], high = (T) range[1];                                                                         \
    const T start_low = low, start_high = high;                                                                        \
    RANGE_SIMD for (int64_t i = 0; i < n; i++)                                                                         \
    {                                                                                                                  \
      T a = FINITE ? v[i] : start_low, b = FINITE ? v[i] : start_high;                                                 \
      low = a < low ? a : low;                                                                                         \
      high = b > high ? b : high;                                                                                      \
    }                                                                                                                  \
    range[0] = (double) low;                                                                                           \
    range[1] = (double) high;                                                                                          \
  }
DEFINE_RANGE (u8, uint8_t, true)
DEFINE_RANGE (u16, uint16_t, true)
DEFINE_RANGE (i32, int32_t, true)
DEFINE_RANGE (f32, float, (fabsf (v[i]) <= FLT_MAX))
DEFINE_RANGE (f64, double, (fabs (v[i]) <= DBL_MAX))

static void
empty_range (fv_type type, double range[2])
{
  static const double ends[][2] = {{255, 0}, {65535, 0}, {2147483647.0, -2147483648.0}, {HUGE_VAL, -HUGE_VAL}};
  int i = type == FV_U8 ? 0 : type == FV_U16 ? 1 : type == FV_I32 ? 2 : 3;
  memcpy (range, ends[i], sizeof ends[i]);
}

fv_status
pixels_range (const pixels *p, buffer *partial, progress *progress, double *low, double *high, fv_error *error)
{
  fv_type type = p->array->grid->type;
  fv_status status = buffer_need (partial, progress->call, (size_t) p->pieces * 2 * sizeof (double), error);
  if (status)
    return status;
  double (*ranges)[2] = partial->data;

#pragma omp parallel for schedule(dynamic) if (p->pieces > 1)
  for (int64_t i = 0; i < p->pieces; i++) {
    piece s = pixels_piece (p, i);
    if (progress_stopped (progress))
      continue;
    empty_range (type, ranges[i]);
    for (int64_t y = 0; y < s.rows; y++)
      WITH_TYPE (type, range, pixels_row (p, &s, y), s.columns, ranges[i])
    progress_step (progress, 1);
  }
  if (progress->stop)
    return cancelled (error);

  double range[2];
  empty_range (type, range);
  for (int64_t i = 0; i < p->pieces; i++) {
    range[0] = ranges[i][0] < range[0] ? ranges[i][0] : range[0];
    range[1] = ranges[i][1] > range[1] ? ranges[i][1] : range[1];
  }
  *low = range[0] <= range[1] ? range[0] : NAN;
  *high = range[0] <= range[1] ? range[1] : NAN;
  return FV_OK;
}

#define DEFINE_MOMENTS(NAME, T, SHIFTED, SMALL)                                                                        \
  VECTORISED static void NAME (const T *v, int64_t n, const moments_rule *r, moments_part *m)                          \
  {                                                                                                                    \
    const double low = r->low;                                                                                         \
    const exact_bits below = {r->scale[0]}, above = {r->scale[1]};                                                     \
    for (int64_t end; n > 0; v += end, n -= end) {                                                                     \
      uint64_t n0 = 0, all = 0, sum0 = 0, sum = 0;                                                                     \
      end = n < EXACT_TERMS ? n : EXACT_TERMS;                                                                         \
      _Pragma ("omp simd reduction(+ : n0, all, sum0, sum)") for (int64_t i = 0; i < end; i++)                         \
      {                                                                                                                \
        const double d = SHIFTED;                                                                                      \
        const uint64_t finite = fabs (d) <= DBL_MAX ? ~UINT64_C (0) : 0, small = SMALL;                                \
        exact_bits scale;                                                                                              \
        scale.bits = (below.bits & small) | (above.bits & ~small); /* a branch is not vectorized */                    \
        const uint64_t term = exact_term (d * scale.number) & finite;                                                  \
        all -= finite;                                                                                                 \
        n0 -= finite & small;                                                                                          \
        sum += term;                                                                                                   \
        sum0 += term & small;                                                                                          \
      }                                                                                                                \
      m->n[0] += (int64_t) n0;                                                                                         \
      m->n[1] += (int64_t) (all - n0);                                                                                 \
      exact_add (&m->sum[0], sum0, (int64_t) n0);                                                                      \
      exact_add (&m->sum[1], sum - sum0, (int64_t) (all - n0));                                                        \
    }                                                                                                                  \
  }
#define NOT_ABOVE (d <= r->t ? ~UINT64_C (0) : 0)
DEFINE_MOMENTS (moments_u8, uint8_t, v[i] - low, NOT_ABOVE)
DEFINE_MOMENTS (sums_u8, uint8_t, v[i] - low, ~UINT64_C (0))
DEFINE_MOMENTS (moments_u16, uint16_t, v[i] - low, NOT_ABOVE)
DEFINE_MOMENTS (sums_u16, uint16_t, v[i] - low, ~UINT64_C (0))
DEFINE_MOMENTS (moments_i32, int32_t, v[i] - low, NOT_ABOVE)
DEFINE_MOMENTS (sums_i32, int32_t, v[i] - low, ~UINT64_C (0))
DEFINE_MOMENTS (moments_f32, float, (v[i] - (float) low), NOT_ABOVE)
DEFINE_MOMENTS (sums_f32, float, (v[i] - (float) low), ~UINT64_C (0))
DEFINE_MOMENTS (moments_f64, double, v[i] - low, NOT_ABOVE)
DEFINE_MOMENTS (sums_f64, double, v[i] - low, ~UINT64_C (0))

fv_status
pixels_moments (const pixels *p, const moments_rule *rule, buffer *partial, progress *progress, moments *m,
                fv_error *error)
{
  fv_type type = p->array->grid->type;
  fv_status status = buffer_need (partial, progress->call, (size_t) p->pieces * sizeof (moments_part), error);
  if (status)
    return status;
  moments_part *parts = partial->data, all = {0};

#pragma omp parallel for schedule(dynamic) if (p->pieces > 1)
  for (int64_t i = 0; i < p->pieces; i++) {
    piece s = pixels_piece (p, i);
    if (progress_stopped (progress))
      continue;
    parts[i] = (moments_part){0};
    for (int64_t y = 0; y < s.rows; y++)
      if (rule->t < HUGE_VAL)
        WITH_TYPE (type, moments, pixels_row (p, &s, y), s.columns, rule, &parts[i])
      else
        WITH_TYPE (type, sums, pixels_row (p, &s, y), s.columns, rule, &parts[i])
    progress_step (progress, 0);
  }
  if (progress->stop)
    return cancelled (error);

  for (int64_t i = 0; i < p->pieces; i++)
    all = moments_join (all, parts[i]);
  *m = moments_of (&all, rule);
  return FV_OK;
}

/* Two different values in one bucket are closer than its width; otherwise the buckets hold the values in order. */
static bool
gap_row (const void *row, fv_type type, int64_t n, double low, double width, double *buckets)
{
  for (int64_t i = 0; i < n; i++) {
    double v = pixel_get (row, type, i), d = type == FV_F32 ? (double) ((float) v - (float) low) : v - low;
    if (!isfinite (v))
      continue;
    double *bucket = &buckets[(int64_t) (d / width)];
    if (*bucket >= 0 && *bucket != d)
      return false;
    *bucket = d;
  }
  return true;
}

fv_status
pixels_smallest_gap (const pixels *p, double low, double high, double width, buffer *buffer, progress *progress,
                     double *gap, fv_error *error)
{
  fv_status status;
  double span = p->array->grid->type == FV_F32 ? (double) ((float) high - (float) low) : high - low;
  *gap = 0;
  if (!(span / width < (double) (GAP_BUCKETS - 1)))
    return FV_OK;
  if ((status = buffer_need (buffer, progress->call, GAP_BUCKETS * sizeof (double), error)))
    return status;
  double *buckets = buffer->data;
  for (int64_t i = 0; i < GAP_BUCKETS; i++)
    buckets[i] = -1;
  for (int64_t i = 0; i < p->pieces; i++) {
    piece s = pixels_piece (p, i);
    for (int64_t y = 0; y < s.rows; y++)
      if (!gap_row (pixels_row (p, &s, y), p->array->grid->type, s.columns, low, width, buckets))
        return FV_OK;
    progress_step (progress, 0);
    if (progress->stop)
      return cancelled (error);
  }
  double smallest = HUGE_VAL, before = -HUGE_VAL;
  for (int64_t i = 0; i < GAP_BUCKETS; i++)
    if (buckets[i] >= 0) {
      smallest = fmin (smallest, buckets[i] - before);
      before = buckets[i];
    }
  *gap = smallest >= width ? smallest : 0;
  return FV_OK;
}

/* ---- Bins of equal width ---- */

typedef struct binning {
  double low, high, scale, width, delta;
  int32_t bins;
} binning;

/* Writes the bin of each pixel, or `bins` for one that is not finite. The quotient may be off by one next to an edge:
 * the edges decide. */
#define DEFINE_BIN(NAME, V, T)                                                                                         \
  VECTORISED static void bin_##NAME (const V *v, int64_t n, const binning *b, int32_t *out)                            \
  {                                                                                                                    \
    const T low = (T) b->low, high = (T) b->high, scale = (T) b->scale, width = (T) b->width, delta = (T) b->delta;    \
    const T bins = (T) b->bins;                                                                                        \
    const int32_t outside = b->bins, last = b->bins - 1;                                                               \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      T x = (T) v[i] * scale, y = x > low ? x : low;                                                                   \
      y = y < high ? y : high;                                                                                         \
      int32_t k = (int32_t) ((y - low) / delta * bins);                                                                \
      k = k < last ? k : last;                                                                                         \
      k -= y < (T) k * width + low;                                                                                    \
      k += y >= (T) (k + 1) * width + low;                                                                             \
      k = k < last ? k : last;                                                                                         \
      int32_t finite = x == y ? -1 : 0; /* a mask: a branch would not be vectorized */                                 \
      out[i] = (k & finite) | (outside & ~finite);                                                                     \
    }                                                                                                                  \
  }
DEFINE_BIN (i32, int32_t, double)
DEFINE_BIN (f32, float, float)
DEFINE_BIN (f64, double, double)

static binning
binning_make (fv_type type, double low, double high, int64_t bins)
{
  bool single = type == FV_F32;
  int exponent = ilogb (fmax (fabs (low), fabs (high))), most = single ? 126 : 1022;
  exponent = exponent > most ? most : exponent < -most ? -most : exponent;
  binning b = {.scale = ldexp (1, -exponent), .bins = (int32_t) bins};
  b.low = low * b.scale;
  b.high = high * b.scale;
  b.delta = single ? (double) (float) (b.high - b.low) : b.high - b.low;
  b.width = single ? (double) (float) (b.delta / (double) bins) : b.delta / (double) bins;
  return b;
}

static double
bin_edge (fv_type type, const binning *b, int64_t i)
{
  if (i == b->bins)
    return b->high;
  if (type == FV_F32)
    return (double) (float) ((float) ((float) i * (float) b->width) + (float) b->low);
  return (double) i * b->width + b->low;
}

static double
bin_center (fv_type type, const binning *b, int64_t i)
{
  double sum = bin_edge (type, b, i) + bin_edge (type, b, i + 1);
  return type == FV_F32 ? (double) (float) sum / 2 : sum / 2;
}

/* ---- Counting ---- */

#define DEFINE_COUNT(NAME, T)                                                                                          \
  static void count_##NAME (const T *v, int64_t n, int64_t low, uint32_t *t, size_t stride)                            \
  {                                                                                                                    \
    uint32_t *t0 = t, *t1 = t + stride, *t2 = t + 2 * stride, *t3 = t + 3 * stride;                                    \
    int64_t i = 0;                                                                                                     \
    for (; i + 4 <= n; i += 4) {                                                                                       \
      t0[v[i] - low]++;                                                                                                \
      t1[v[i + 1] - low]++;                                                                                            \
      t2[v[i + 2] - low]++;                                                                                            \
      t3[v[i + 3] - low]++;                                                                                            \
    }                                                                                                                  \
    for (; i < n; i++)                                                                                                 \
      t0[v[i] - low]++;                                                                                                \
  }
DEFINE_COUNT (u8, uint8_t)
DEFINE_COUNT (u16, uint16_t)
DEFINE_COUNT (i32, int32_t)

typedef struct counting {
  const pixels *pixels;
  const binning *binning; /* NULL: the bin is the value less `low` */
  int64_t bins, low;
  int threads, tables; /* tables of each thread */
  size_t stride;       /* from one table to the next */
  uint32_t *data;      /* the tables; NULL: shared counting */
  int64_t *counts;
} counting;

static void
count_row (const counting *c, const void *row, int64_t n, uint32_t *t)
{
  size_t next = c->tables > 1 ? c->stride : 0;
  fv_type type = c->pixels->array->grid->type;
  int32_t bins[CHUNK];
  if (!c->binning && type == FV_U8)
    count_u8 (row, n, c->low, t, next);
  else if (!c->binning && type == FV_U16)
    count_u16 (row, n, c->low, t, next);
  else if (!c->binning)
    count_i32 (row, n, c->low, t, next);
  for (int64_t i = 0; c->binning && i < n; i += CHUNK) {
    int64_t m = n - i < CHUNK ? n - i : CHUNK;
    if (type == FV_F32)
      bin_f32 ((const float *) row + i, m, c->binning, bins);
    else if (type == FV_F64)
      bin_f64 ((const double *) row + i, m, c->binning, bins);
    else
      bin_i32 ((const int32_t *) row + i, m, c->binning, bins);
    count_i32 (bins, m, 0, t, next);
  }
}

static void
count_shared (const counting *c, const int32_t *v, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    __atomic_fetch_add (&c->counts[v[i] - c->low], 1, __ATOMIC_RELAXED);
}

/* Adds a thread's tables to the counts and clears them: before 32 bits run over. */
static void
flush (const counting *c, uint32_t *t)
{
  for (int k = 0; k < c->tables; k++)
    for (int64_t i = 0; i < c->bins; i++)
      if (t[(size_t) k * c->stride + (size_t) i])
        __atomic_fetch_add (&c->counts[i], t[(size_t) k * c->stride + (size_t) i], __ATOMIC_RELAXED);
  memset (t, 0, (size_t) c->tables * c->stride * sizeof *t);
}

VECTORISED static void
join (const uint32_t *tables, int n, size_t stride, int64_t first, int64_t end, int64_t *counts)
{
  for (int k = 0; k < n; k++)
    for (int64_t i = first; i < end; i++)
      counts[i] += tables[(size_t) k * stride + (size_t) i];
}

/* What one thread of the team does with its share of the pieces. */
static void
count_pieces (const counting *c, uint32_t *mine, progress *progress)
{
  int64_t filled = 0;
  if (mine)
    memset (mine, 0, (size_t) c->tables * c->stride * sizeof *mine);
#pragma omp for schedule(dynamic)
  for (int64_t i = 0; i < c->pixels->pieces; i++) {
    piece s = pixels_piece (c->pixels, i);
    if (progress_stopped (progress))
      continue;
    if (mine && filled > (int64_t) UINT32_MAX - PIECE_PIXELS) {
      flush (c, mine);
      filled = 0;
    }
    for (int64_t y = 0; y < s.rows; y++)
      if (mine)
        count_row (c, pixels_row (c->pixels, &s, y), s.columns, mine);
      else
        count_shared (c, pixels_row (c->pixels, &s, y), s.columns);
    filled += s.rows * s.columns;
    progress_step (progress, 1);
  }
}

static void
count_all (const counting *c, progress *progress)
{
#pragma omp parallel num_threads(c->threads)
  {
    int me = 0, team = 1;
#ifdef _OPENMP
    me = omp_get_thread_num ();
    team = omp_get_num_threads ();
#endif
#pragma omp for schedule(static)
    for (int64_t i = 0; i < c->bins; i++)
      c->counts[i] = 0;
    count_pieces (c, c->data ? c->data + (size_t) (me * c->tables) * c->stride : NULL, progress);
#pragma omp for schedule(static)
    for (int64_t i = 0; i < c->bins; i += CHUNK)
      if (c->data)
        join (c->data, team * c->tables, c->stride, i, i + CHUNK < c->bins ? i + CHUNK : c->bins, c->counts);
  }
}

static int
threads_for (const pixels *p)
{
  int threads = 1;
#ifdef _OPENMP
  threads = omp_get_max_threads ();
#endif
  int64_t useful = (p->pieces + 3) / 4;
  return useful < threads ? (int) useful : threads;
}

int
histogram_passes (fv_type type)
{
  return type == FV_U8 || type == FV_U16 ? 1 : 2;
}

/* Which bins there are: *b is filled when they have equal widths; for u8 and u16 all values of the type. */
static fv_status
choose_bins (const pixels *p, int64_t bins, int64_t limit, histogram_buffers *buffers, progress *progress, histogram *h,
             binning *b, fv_error *error)
{
  fv_status status;
  *h = (histogram){.type = p->array->grid->type, .exact = true, .scale = 1};
  if (histogram_passes (h->type) == 1) {
    h->bins = h->type == FV_U8 ? 256 : 65536;
    return FV_OK;
  }
  if ((status = pixels_range (p, &buffers->partial, progress, &h->low, &h->high, error)) || isnan (h->low))
    return status;
  h->exact = h->low == h->high || (h->type == FV_I32 && h->high - h->low < (double) limit);
  h->bins = h->exact ? (int64_t) (h->high - h->low) + 1 : bins;
  if (h->exact)
    return FV_OK;
  *b = binning_make (h->type, h->low, h->high, bins);
  h->scale = b->scale;
  if ((status = buffer_need (&buffers->centers, progress->call, (size_t) bins * sizeof (double), error)))
    return status;
  h->centers = buffers->centers.data;
  for (int64_t i = 0; i < bins; i++)
    h->centers[i] = bin_center (h->type, b, i);
  return FV_OK;
}

/* Leaves out empty bins at both ends. */
static void
trim (histogram *h)
{
  int64_t first = 0, end = h->bins;
  while (first < end && !h->counts[first])
    first++;
  while (end > first && !h->counts[end - 1])
    end--;
  h->low += (double) first;
  h->high = h->low + (double) (end - first - 1);
  h->counts += first;
  h->bins = end - first;
}

fv_status
histogram_make (const pixels *p, int64_t bins, int64_t limit, histogram_buffers *buffers, progress *progress,
                histogram *h, fv_error *error)
{
  binning b;
  fv_status status = choose_bins (p, bins, limit, buffers, progress, h, &b, error);
  if (status || h->bins <= 1) {
    progress_step (progress, status ? 0 : p->pieces);
    return status;
  }
  counting c = {.pixels = p, .bins = h->bins, .low = h->exact ? (int64_t) h->low : 0, .threads = threads_for (p)};
  c.binning = h->exact ? NULL : &b;
  c.tables = h->bins <= MANY_BINS ? 4 : 1;
  c.stride = ((size_t) h->bins + 1 + 15) / 16 * 16 + 16; /* never a multiple of a page */
  size_t bytes = (size_t) (c.threads * c.tables) * c.stride * sizeof (uint32_t);
  bool shared = h->bins > MANY_BINS && bytes > PRIVATE_BYTES;
  if ((status = buffer_need (&buffers->counts, progress->call, (size_t) h->bins * sizeof (int64_t), error))
      || (!shared && (status = buffer_need (&buffers->tables, progress->call, bytes, error))))
    return status;
  c.counts = h->counts = buffers->counts.data;
  c.data = shared ? NULL : buffers->tables.data;
  count_all (&c, progress);
  if (progress->stop)
    return cancelled (error);
  if (h->exact)
    trim (h);
  for (int64_t i = 0; i < h->bins; i++)
    h->total += h->counts[i];
  return FV_OK;
}
