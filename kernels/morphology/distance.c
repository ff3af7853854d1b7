/* SPDX-License-Identifier: MIT
 *
 * distance: first how far background is in each column, which is counted down the rows and up again; then along the rows and,
 * in a volume, across the planes. There each pixel asks its neighbors, from near to far, until one so far could not be the nearest
 * any more. Lines on which that would be long take the lower envelope of what their pixels offer each other. Background parts a line.
 * Where background is near everywhere, as in most masks, bands of rows are done one by one, and columns are counted no farther than that.
 * Envelope: A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, Mathematical Morphology and its Applications (2000) 331.
 */
#include "kernels/morphology/distance.h"

enum {
  BLOCK = 256,     /* pixels that are worked on together */
  REACH = 32,      /* neighbors that are asked on either side */
  FAR = REACH + 2, /* rows: so far away, or farther, background is not near */
  BAND = 64,       /* rows that are done together */
};

typedef struct job {
  const distance_args *args;
  const fv_array *in, *out; /* out holds counts, then costs, then distances */
  double step[3];
  progress *p;
  double *costs; /* of lines, one for each thread */
  int64_t *sites;
  int64_t longest;
  uint8_t *near; /* of bands, counts of their rows and one row more, one band for each thread */
  bool is_near;  /* until it is found not to be */
} job;

/* ---- Columns ---- */

VECTORISED static void
count_first (int32_t *restrict to, const uint8_t *restrict mask, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = mask[i] ? DISTANCE_NONE : 0;
}

VECTORISED static void
count_down (int32_t *restrict to, const uint8_t *restrict mask, const int32_t *restrict above, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = mask[i] ? above[i] + (above[i] != DISTANCE_NONE) : 0;
}

VECTORISED static void
count_up (int32_t *restrict to, const int32_t *restrict below, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    int32_t more = below[i] + (below[i] != DISTANCE_NONE);
    to[i] = more < to[i] ? more : to[i];
  }
}

static void
count_columns (const job *j, int64_t z, int64_t x, int64_t n)
{
  int64_t rows = array_rows (j->out);
  count_first ((int32_t *) array_row (j->out, z, 0) + x, (uint8_t *) array_row (j->in, z, 0) + x, n);
  for (int64_t y = 1; y < rows; y++)
    count_down ((int32_t *) array_row (j->out, z, y) + x, (uint8_t *) array_row (j->in, z, y) + x,
                (int32_t *) array_row (j->out, z, y - 1) + x, n);
  for (int64_t y = rows - 2; y >= 0; y--)
    count_up ((int32_t *) array_row (j->out, z, y) + x, (int32_t *) array_row (j->out, z, y + 1) + x, n);
}

/* ---- Lines ---- */

/* n pixels in a line, and the pixels that are nearest to some: site[q] from start[q] on. */
typedef struct line {
  double *from, *to; /* costs; infinity REACH pixels before and after `from` */
  int64_t *site, *start;
  int64_t n;
  double step;
} line;

static line
line_of (const job *j, int64_t n, double step)
{
  double *to = j->costs + 2 * j->longest * thread_index (), *from = to + j->longest + REACH;
  int64_t *site = j->sites + 2 * j->longest * thread_index ();
  for (int k = 0; k < REACH; k++)
    from[-1 - k] = from[n + k] = INFINITY;
  return (line){from, to, site, site + j->longest, n, step};
}

INLINE double
cost_at (distance_metric metric, const line *l, int64_t x, int64_t site)
{
  return distance_cost (metric, l->from[site], (double) (x > site ? x - site : site - x) * l->step);
}

/* The last x to which site i is nearer than site u > i, or as near. Steps of other metrics than the Euclidean are 1. */
INLINE double
last_of (distance_metric metric, const line *l, int64_t i, int64_t u)
{
  double a = l->from[i], b = l->from[u], between = (double) (u - i), both = (double) (u + i);
  if (metric == DISTANCE_EUCLIDEAN)
    return floor (((b - a) / (l->step * l->step) + between * both) / (2 * between));
  if (metric == DISTANCE_CITY)
    return b >= a + between ? (double) l->n : floor ((b - a + both) / 2);
  double half = floor (both / 2);
  return a <= b ? fmax ((double) i + b, half) : fmin ((double) u - a, half);
}

/* The pixels from `first` to `end` - 1, which nothing outside these is nearer to. */
INLINE void
settle (distance_metric metric, const line *l, int64_t first, int64_t end)
{
  int64_t q = -1;
  for (int64_t u = first; u < end; u++) {
    if (isinf (l->from[u]))
      continue;
    while (q >= 0 && cost_at (metric, l, l->start[q], l->site[q]) > cost_at (metric, l, l->start[q], u))
      q--;
    double start = q < 0 ? (double) first : 1 + last_of (metric, l, l->site[q], u);
    if (start < (double) end) {
      q++;
      l->site[q] = u;
      l->start[q] = (int64_t) start;
    }
  }
  for (int64_t u = end - 1; u >= first; u--) {
    l->to[u] = q < 0 ? INFINITY : cost_at (metric, l, u, l->site[q]);
    if (q >= 0 && u == l->start[q])
      q--;
  }
}

INLINE void
settle_line (distance_metric metric, const line *l)
{
  for (int64_t x = 0, end; x < l->n; x = end) {
    end = x + 1;
    l->to[x] = 0;
    if (l->from[x] == 0)
      continue;
    while (end < l->n && l->from[end] != 0)
      end++;
    settle (metric, l, x - (x > 0), end + (end < l->n));
  }
}

/* ask_NAME(): false when a pixel farther away than REACH may be nearer. */
#define COST(METRIC, C, AWAY)                                                                                          \
  ((METRIC) == DISTANCE_EUCLIDEAN ? (C) + (AWAY) * (AWAY)                                                              \
   : (METRIC) == DISTANCE_CITY    ? (C) + (AWAY)                                                                       \
   : (C) > (AWAY)                 ? (C)                                                                                \
                                  : (AWAY))
#define DEFINE_ASK(NAME, T)                                                                                            \
  INLINE bool ask_##NAME (distance_metric metric, T *restrict to, const T *restrict from, int64_t n, T step)           \
  {                                                                                                                    \
    memcpy (to, from, (size_t) n * sizeof *to);                                                                        \
    for (int k = 1; k <= REACH; k++) {                                                                                 \
      T away = (T) k * step, farther = COST (metric, (T) 0, away + step);                                              \
      int32_t more = 0;                                                                                                \
      for (int64_t i = 0; i < n; i++) {                                                                                \
        T near = from[i - k] < from[i + k] ? from[i - k] : from[i + k], cost = COST (metric, near, away);              \
        cost = cost < to[i] ? cost : to[i];                                                                            \
        more |= cost > farther;                                                                                        \
        to[i] = cost;                                                                                                  \
      }                                                                                                                \
      if (!more)                                                                                                       \
        return true;                                                                                                   \
    }                                                                                                                  \
    return false;                                                                                                      \
  }
DEFINE_ASK (f32, float)
DEFINE_ASK (f64, double)

INLINE void
find_nearest_by (distance_metric metric, const line *l)
{
  bool found = true;
  for (int64_t x = 0; x < l->n && found; x += BLOCK)
    found = ask_f64 (metric, l->to + x, l->from + x, l->n - x < BLOCK ? l->n - x : BLOCK, l->step);
  if (!found)
    settle_line (metric, l);
}

VECTORISED static void
find_nearest (distance_metric metric, const line *l)
{
  switch (metric) {
  case DISTANCE_EUCLIDEAN: find_nearest_by (DISTANCE_EUCLIDEAN, l); break;
  case DISTANCE_CITY: find_nearest_by (DISTANCE_CITY, l); break;
  default: find_nearest_by (DISTANCE_CHESSBOARD, l);
  }
}

/* Pixels one long and high: what is found within REACH is an integer that a float holds, and where nothing is, a row takes the way in double.
 * `from` has REACH pixels more on either side. False then. NONE: the count without background. */
#define DEFINE_FIND_NEAR(NAME, T, NONE)                                                                                \
  INLINE bool find_within_##NAME (distance_metric metric, const T *counts, int64_t n, float *restrict from,            \
                                  float *restrict to)                                                                  \
  {                                                                                                                    \
    bool found = true;                                                                                                 \
    for (int k = 1; k <= REACH; k++)                                                                                   \
      from[-k] = from[n - 1 + k] = INFINITY;                                                                           \
    for (int64_t x = 0; x < n; x++) {                                                                                  \
      float count = (float) counts[x], cost = metric == DISTANCE_EUCLIDEAN ? count * count : count;                    \
      from[x] = counts[x] == (NONE) ? INFINITY : cost;                                                                 \
    }                                                                                                                  \
    for (int64_t x = 0; x < n && found; x += BLOCK)                                                                    \
      found = ask_f32 (metric, to + x, from + x, n - x < BLOCK ? n - x : BLOCK, 1);                                    \
    return found;                                                                                                      \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static bool find_near_##NAME (distance_metric metric, const T *counts, int64_t n, float *restrict from,   \
                                           float *restrict to)                                                         \
  {                                                                                                                    \
    switch (metric) {                                                                                                  \
    case DISTANCE_EUCLIDEAN: return find_within_##NAME (DISTANCE_EUCLIDEAN, counts, n, from, to);                      \
    case DISTANCE_CITY: return find_within_##NAME (DISTANCE_CITY, counts, n, from, to);                                \
    default: return find_within_##NAME (DISTANCE_CHESSBOARD, counts, n, from, to);                                     \
    }                                                                                                                  \
  }
DEFINE_FIND_NEAR (u8, uint8_t, FAR)
DEFINE_FIND_NEAR (i32, int32_t, DISTANCE_NONE)

/* ---- Rows and planes ---- */

#define DEFINE_STORE(NAME, T)                                                                                          \
  VECTORISED static void roots_##NAME (float *restrict to, const T *restrict costs, int64_t n)                         \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = sqrtf ((float) costs[i]);                                                                                \
  }                                                                                                                    \
                                                                                                                       \
  static void store_##NAME (float *to, const T *costs, bool roots, int64_t n)                                          \
  {                                                                                                                    \
    if (roots)                                                                                                         \
      roots_##NAME (to, costs, n);                                                                                     \
    else                                                                                                               \
      for (int64_t i = 0; i < n; i++)                                                                                  \
        to[i] = (float) costs[i];                                                                                      \
  }
DEFINE_STORE (f32, float)
DEFINE_STORE (f64, double)

static bool
has_unit_steps (const job *j)
{
  return j->step[1] == 1 && j->step[2] == 1;
}

/* The lines of floats in the memory of a line. */
static float *
near_from (const line *l)
{
  return (float *) (void *) (l->from - REACH) + REACH;
}

static void
along_row (const job *j, int64_t z, int64_t y)
{
  distance_metric metric = j->args->metric;
  line l = line_of (j, array_columns (j->out), j->step[2]);
  float *near_to = (void *) l.to;
  bool roots = metric == DISTANCE_EUCLIDEAN && !j->args->volume;
  void *row = array_row (j->out, z, y);
  if (has_unit_steps (j) && find_near_i32 (metric, row, l.n, near_from (&l), near_to)) {
    store_f32 (row, near_to, roots, l.n);
    return;
  }
  l = line_of (j, l.n, l.step);
  for (int64_t x = 0; x < l.n; x++)
    l.from[x] = distance_of_count (metric, ((int32_t *) row)[x], j->step[1]);
  find_nearest (metric, &l);
  store_f64 (row, l.to, roots, l.n);
}

/* One row farther from background, or none at all. */
VECTORISED static void
count_on (uint8_t *restrict counts, const uint8_t *restrict mask, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    uint8_t more = (uint8_t) (counts[i] + (counts[i] < FAR));
    counts[i] = mask[i] ? more : 0;
  }
}

VECTORISED static void
take_less (uint8_t *restrict to, const uint8_t *restrict counts, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    to[i] = to[i] < counts[i] ? to[i] : counts[i];
}

/* Rows y0 ... y1 - 1. False where background is far from a pixel of them. */
static bool
along_band (const job *j, int64_t z, int64_t y0, int64_t y1)
{
  int64_t n = array_columns (j->out), rows = array_rows (j->out), y;
  distance_metric metric = j->args->metric;
  line l = line_of (j, n, 1);
  uint8_t *counts = j->near + thread_index () * (BAND + 1) * n, *own = counts + BAND * n;
  bool found = true;
  memset (own, FAR, (size_t) n);
  for (y = y0 > FAR ? y0 - FAR : 0; y < y1; y++) {
    count_on (own, array_row (j->in, z, y), n);
    if (y >= y0)
      memcpy (counts + (y - y0) * n, own, (size_t) n);
  }
  memset (own, FAR, (size_t) n);
  for (y = (y1 + FAR < rows ? y1 + FAR : rows) - 1; y >= y0 && found; y--) {
    count_on (own, array_row (j->in, z, y), n);
    if (y >= y1)
      continue;
    take_less (counts + (y - y0) * n, own, n);
    found = find_near_u8 (metric, counts + (y - y0) * n, n, near_from (&l), (float *) (void *) l.to);
    if (found)
      store_f32 (array_row (j->out, z, y), (float *) (void *) l.to, metric == DISTANCE_EUCLIDEAN && !j->args->volume,
                 n);
  }
  return found;
}

static void
along_bands (job *j)
{
  int64_t planes = array_planes (j->out), rows = array_rows (j->out);
#pragma omp parallel for collapse(2) schedule(dynamic, 1)
  for (int64_t z = 0; z < planes; z++)
    for (int64_t y = 0; y < rows; y += BAND) {
      int64_t end = y + BAND < rows ? y + BAND : rows;
      if (progress_stopped (j->p) || !__atomic_load_n (&j->is_near, __ATOMIC_RELAXED))
        continue;
      if (!along_band (j, z, y, end))
        __atomic_store_n (&j->is_near, false, __ATOMIC_RELAXED);
      progress_step (j->p, 2 * (end - y) * array_columns (j->out));
    }
}

/* All pixels of row y of all planes. */
static void
across_planes (const job *j, int64_t y)
{
  distance_metric metric = j->args->metric;
  line l = line_of (j, array_planes (j->out), j->step[0]);
  float *first = array_row (j->out, 0, y);
  int64_t stride = j->out->tensor.strides[0];
  for (int64_t x = 0; x < array_columns (j->out) && !progress_stopped (j->p); x++) {
    for (int64_t z = 0; z < l.n; z++)
      l.from[z] = (double) first[z * stride + x];
    find_nearest (metric, &l);
    for (int64_t z = 0; z < l.n; z++)
      first[z * stride + x] = distance_root (metric, l.to[z]);
  }
}

static void
along_rows (const job *j)
{
  int64_t planes = array_planes (j->out), rows = array_rows (j->out), columns = array_columns (j->out);
#pragma omp parallel for collapse(2) schedule(dynamic, 1)
  for (int64_t z = 0; z < planes; z++)
    for (int64_t x = 0; x < columns; x += BLOCK) {
      int64_t n = columns - x < BLOCK ? columns - x : BLOCK;
      if (progress_stopped (j->p))
        continue;
      count_columns (j, z, x, n);
      progress_step (j->p, n * rows);
    }
#pragma omp parallel for collapse(2) schedule(dynamic, 8)
  for (int64_t z = 0; z < planes; z++)
    for (int64_t y = 0; y < rows; y++) {
      if (progress_stopped (j->p))
        continue;
      along_row (j, z, y);
      progress_step (j->p, columns);
    }
}

static void
run_passes (job *j)
{
  int64_t planes = array_planes (j->out), rows = array_rows (j->out), columns = array_columns (j->out);
  j->is_near = has_unit_steps (j);
  if (j->is_near)
    along_bands (j);
  if (!j->is_near) {
    j->p->done = 0;
    along_rows (j);
  }
  if (!j->args->volume)
    return;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t y = 0; y < rows; y++) {
    if (progress_stopped (j->p))
      continue;
    across_planes (j, y);
    progress_step (j->p, planes * columns);
  }
}

/* ---- The operation ---- */

static fv_status
distance_cpu (const fv_call *call, fv_error *error)
{
  const distance_args *a = call->args;
  const fv_array *out = call->outputs[0];
  int64_t planes = array_planes (out), columns = array_columns (out);
  progress p = {call, .total = (a->volume ? 3 : 2) * planes * array_rows (out) * columns};
  job j = {.args = a, .in = call->inputs[0], .out = out, .p = &p};
  j.longest = (a->volume && planes > columns ? planes : columns) + 2 * REACH;
  distance_steps (a, call->inputs[0]->grid, j.step);
  size_t each = 2 * (size_t) (threads_at_most () * j.longest);
  fv_status status = call->host->scratch (call, each * sizeof *j.costs, (void **) &j.costs, error);
  if (!status)
    status = call->host->scratch (call, each * sizeof *j.sites, (void **) &j.sites, error);
  if (!status)
    status = call->host->scratch (call, (size_t) (threads_at_most () * (BAND + 1) * columns), (void **) &j.near, error);
  if (status)
    return status;
  run_passes (&j);
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_grain
distance_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const distance_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
distance_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const distance_args *a = args;
  (void) op, (void) in;
  if (a->units == DISTANCE_PHYSICAL && a->metric != DISTANCE_EUCLIDEAN)
    return fail (error, FV_BAD_ARGUMENT, "units",
                 "City block and chessboard distances count pixels: use units=pixel, or metric=euclidean.");
  out[0]->type = FV_F32;
  out[0]->role = FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

const fv_op fv_op_distance = {
  FV_OP (distance_args),
  .key = "distance",
  .menu = "Process/Binary",
  .label = "Distance Map...",
  .search = "distance transform edm euclidean map voronoi",
  .help =
    "Replaces each pixel of a mask by its distance to the nearest background pixel (infinity where there is none).",
  .cite = "A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, Mathematical Morphology and its Applications (2000) 331",
  .kind = FV_GLOBAL,
  .inputs =
    (const fv_input[]){
      {"image", "Image", "A mask: every value but 0 and NaN is foreground.", FV_U8 | FV_WANTS_MASK, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (distance_args, metric), .label = "Metric",
       .choices = (const fv_choice[]){{"euclidean", "Euclidean", "The length of the straight line."},
                                      {"city", "City block", "Steps along the axes, added up."},
                                      {"chessboard", "Chessboard", "Steps of which each may be diagonal."},
                                      {0}},
       .help = "How far two pixels are from each other."},
      {FV_FIELD (distance_args, units), .label = "Units of the distance", .advanced = true,
       .enabled = "metric=euclidean",
       .choices = (const fv_choice[]){{"pixel", "Pixels", "A pixel is one long, high and deep."},
                                      {"physical", "Scaled units", "A pixel is as large as the image says."},
                                      {0}},
       .help = "Whether distances count pixels or are lengths in the image's unit."},
      {FV_FIELD (distance_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume, with distances across them."},
      {0}},
  .grain = distance_grain,
  .infer = distance_infer,
  .part = FV_PART_ALIKE,
  .run = {[FV_CPU] = distance_cpu, [FV_CUDA] = FV_CUDA_FN (distance_cuda)},
};
