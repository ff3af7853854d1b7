/* SPDX-License-Identifier: MIT
 *
 * Splines on the CPU. A bundle of lines along one axis is brought side by side, so that filter and sums run over the
 * bundle in vector registers while the recursion runs along it. Then it is filtered chunk by chunk, in memory that stays in the first
 * cache, interpolated and written.
 */
#include "kernels/geometry/spline.h"
#include "kernels/common/row.h"
#include "kernels/common/vectors.h"

/* ---- Tables ---- */

static int
poles_of (int order, double *pole)
{
  switch (order) {
  case 2: pole[0] = sqrt (8) - 3; return 1;
  case 3: pole[0] = sqrt (3) - 2; return 1;
  case 4:
    pole[0] = sqrt (664 - sqrt (438976)) + sqrt (304) - 19;
    pole[1] = sqrt (664 + sqrt (438976)) - sqrt (304) - 19;
    return 2;
  case 5:
    pole[0] = sqrt (67.5 - sqrt (4436.25)) + sqrt (26.25) - 6.5;
    pole[1] = sqrt (67.5 + sqrt (4436.25)) - sqrt (26.25) - 6.5;
    return 2;
  default: return 0;
  }
}

spline_axis
spline_axis_make (const spline_rule *rule, int64_t n_in, int64_t n_out)
{
  spline_axis a = {.n_in = n_in, .n_out = n_out, .inside = {0, n_out}, .gain = 1};
  if (rule->prefilter && rule->order > 1) {
    a.pad = rule->border == SPLINE_NEAREST || rule->border == SPLINE_GRID_CONSTANT ? SPLINE_PAD : 0;
    a.poles = n_in + 2 * a.pad > 1 ? poles_of (rule->order, a.pole) : 0;
  }
  for (int i = 0; i < a.poles; i++)
    a.gain *= (1 - a.pole[i]) * (1 - 1 / a.pole[i]);
  if (rule->border == SPLINE_CONSTANT) {
    while (a.inside[0] < n_out && spline_coordinate (rule, n_in, n_out, a.inside[0]) < 0)
      a.inside[0]++;
    while (a.inside[1] > a.inside[0] && spline_coordinate (rule, n_in, n_out, a.inside[1] - 1) > (double) (n_in - 1))
      a.inside[1]--;
  }
  return a;
}

/* How many samples a recursion in double needs to forget where it began. */
static int64_t
margin_of (double pole)
{
  return (int64_t) ceil (log (1e-17) / log (fabs (pole)));
}

spline_chunks
spline_chunks_of (const spline_rule *rule, const spline_axis *axis, fv_type work)
{
  spline_chunks c = {SPLINE_ANSWERED, SPLINE_REACH, 0, 0};
  for (int i = 0; i < axis->poles && work == FV_F64; i++)
    c.before += margin_of (axis->pole[i]);
  if (work == FV_F32) {
    c.before = SPLINE_BEFORE (rule->order);
    c.answered = SPLINE_COUNT (rule->order) - 2 * c.before;
  }
  c.count = c.answered + 2 * c.before;
  c.n = (axis->n_in + c.answered - 1) / c.answered;
  return c;
}

enum { UNIT_BYTES = 256 }; /* of the lanes that are filtered together */

/* ---- Loops over a bundle: sample i of lane l is c[i * lanes + l] ---- */

/* Samples `where`, or all, of UNIT lanes of a bundle with `pitch` lanes, filtered with one pole. What is not finite stays so, to the first
 * sample of the chunk. */
#define DEFINE_FILTER(NAME, T, BYTES, ARCH)                                                                            \
  typedef T filter_##NAME __attribute__ ((vector_size (BYTES), aligned (sizeof (T)), may_alias));                      \
  ARCH static void filter_##NAME##_lanes (void *chunk, const void *bundle, int64_t pitch, const int64_t *where,        \
                                          int64_t count, double pole)                                                  \
  {                                                                                                                    \
    enum { LANES = UNIT_BYTES / sizeof (T), EACH = (BYTES) / sizeof (T), PARTS = UNIT_BYTES / (BYTES) };               \
    const T z = (T) pole, turn = z / (z - 1);                                                                          \
    const filter_##NAME all = z - (filter_##NAME){0};                                                                  \
    const T *from = (const T *) bundle + (where ? where[0] : 0) * pitch;                                               \
    filter_##NAME v[PARTS];                                                                                            \
    T *to = chunk;                                                                                                     \
    for (int k = 0; k < PARTS; k++)                                                                                    \
      *(filter_##NAME *) (to + k * EACH) = v[k] = *(const filter_##NAME *) (from + k * EACH);                          \
    for (int64_t i = 1; i < count; i++) {                                                                              \
      to += LANES;                                                                                                     \
      from = (const T *) bundle + (where ? where[i] : i) * pitch;                                                      \
      for (int k = 0; k < PARTS; k++) {                                                                                \
        v[k] = (filter_##NAME) FMA_##NAME (all, v[k], *(const filter_##NAME *) (from + k * EACH));                     \
        *(filter_##NAME *) (to + k * EACH) = v[k];                                                                     \
      }                                                                                                                \
    }                                                                                                                  \
    for (int k = 0; k < PARTS; k++)                                                                                    \
      *(filter_##NAME *) (to + k * EACH) = v[k] = v[k] * turn;                                                         \
    for (int64_t i = 1; i < count; i++) {                                                                              \
      to -= LANES;                                                                                                     \
      for (int k = 0; k < PARTS; k++) {                                                                                \
        v[k] = z * (v[k] - *(const filter_##NAME *) (to + k * EACH));                                                  \
        *(filter_##NAME *) (to + k * EACH) = v[k];                                                                     \
      }                                                                                                                \
    }                                                                                                                  \
  }
DEFINE_FILTER (f32_16, float, 16, )
DEFINE_FILTER (f32_32, float, 32, AVX2)
DEFINE_FILTER (f32_64, float, 64, AVX512)
DEFINE_FILTER (f64_16, double, 16, )
DEFINE_FILTER (f64_32, double, 32, AVX2)
DEFINE_FILTER (f64_64, double, 64, AVX512)

typedef void filter_lanes (void *, const void *, int64_t, const int64_t *, int64_t, double);

#define DEFINE_LOOPS(NAME, T, FMA)                                                                                     \
  INLINE void sums_##NAME (T *to, const T *c, int64_t pitch, int64_t lanes, const int64_t *index, const T *w,          \
                           int64_t count, int taps)                                                                    \
  {                                                                                                                    \
    for (int64_t k = 0; k < count; k++, index += taps, w += taps, to += lanes) {                                       \
      T *restrict sum = to;                                                                                            \
      for (int64_t l = 0; l < lanes; l++) {                                                                            \
        T s = w[0] * c[index[0] * pitch + l];                                                                          \
        for (int t = 1; t < taps; t++)                                                                                 \
          s = FMA (w[t], c[index[t] * pitch + l], s);                                                                  \
        sum[l] = s;                                                                                                    \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  /* Output samples k ... k + count - 1 of the lanes; a copy for each number of taps, so that they are unrolled. */    \
  VECTORISED static void interpolate_##NAME (void *to, const void *lines, int64_t pitch, int64_t lanes,                \
                                             const int64_t *index, const void *weights, int64_t k, int64_t count,      \
                                             int taps)                                                                 \
  {                                                                                                                    \
    const T *w = (const T *) weights + k * taps;                                                                       \
    index += k * taps;                                                                                                 \
    switch (taps) {                                                                                                    \
    case 1: sums_##NAME (to, lines, pitch, lanes, index, w, count, 1); break;                                          \
    case 2: sums_##NAME (to, lines, pitch, lanes, index, w, count, 2); break;                                          \
    case 3: sums_##NAME (to, lines, pitch, lanes, index, w, count, 3); break;                                          \
    case 4: sums_##NAME (to, lines, pitch, lanes, index, w, count, 4); break;                                          \
    case 5: sums_##NAME (to, lines, pitch, lanes, index, w, count, 5); break;                                          \
    case 6: sums_##NAME (to, lines, pitch, lanes, index, w, count, 6); break;                                          \
    }                                                                                                                  \
  }                                                                                                                    \
  static void mark_##NAME (uint8_t *broken, const void *samples, int64_t n)                                            \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      broken[i] |= !isfinite (((const T *) samples)[i]);                                                               \
  }                                                                                                                    \
  /* One lane, from and to consecutive pixels. */                                                                      \
  static void scatter_##NAME (void *lines, int64_t lanes, const void *from, int64_t n)                                 \
  {                                                                                                                    \
    T *c = lines;                                                                                                      \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      c[i * lanes] = ((const T *) from)[i];                                                                            \
  }                                                                                                                    \
  static void gather_##NAME (void *to, const void *lines, int64_t lanes, int64_t n)                                    \
  {                                                                                                                    \
    const T *c = lines;                                                                                                \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      ((T *) to)[i] = c[i * lanes];                                                                                    \
  }                                                                                                                    \
  static void fill_##NAME (void *to, double value, int64_t n)                                                          \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      ((T *) to)[i] = (T) value;                                                                                       \
  }
DEFINE_LOOPS (f32, float, fmaf)
DEFINE_LOOPS (f64, double, fma)

typedef struct loops {
  filter_lanes *filter[3]; /* with vectors of 16, 32 and 64 bytes */
  void (*interpolate) (void *, const void *, int64_t, int64_t, const int64_t *, const void *, int64_t, int64_t, int);
  void (*mark) (uint8_t *, const void *, int64_t);
  void (*scatter) (void *, int64_t, const void *, int64_t);
  void (*gather) (void *, const void *, int64_t, int64_t);
  void (*fill) (void *, double, int64_t);
  void (*row_to) (void *, const void *, fv_type, int64_t);
  void (*row_from) (void *, fv_type, const void *, int64_t);
} loops;

static const loops loops_f32 = {{filter_f32_16_lanes, filter_f32_32_lanes, filter_f32_64_lanes},
                                interpolate_f32,
                                mark_f32,
                                scatter_f32,
                                gather_f32,
                                fill_f32,
                                row_to_f32,
                                row_from_f32};
static const loops loops_f64 = {{filter_f64_16_lanes, filter_f64_32_lanes, filter_f64_64_lanes},
                                interpolate_f64,
                                mark_f64,
                                scatter_f64,
                                gather_f64,
                                fill_f64,
                                row_to_f64,
                                row_from_f64};

/* ---- Passes ---- */

enum {
  ROW_LANES = 16,         /* rows in a bundle along x without a filter */
  MAX_LANES = 512,        /* columns in a bundle along y or z, */
  BUNDLE_BYTES = 3 << 17, /* fewer where they would not fit into the second cache */
  PIECE = 64,             /* pixels of a row that are transposed at a time */
  GROUP_BYTES = 1 << 24,  /* planes that go through the passes together */
};

/* A part of an array. */
typedef struct block {
  char *data;
  fv_type type;
  int64_t shape[3], stride[2]; /* of planes and rows, in elements */
} block;

typedef struct pass {
  int axis; /* 0 z, 1 y, 2 x */
  spline_axis line;
  int64_t *index; /* [n_out][taps]: of samples in the bundle or, with a filter, in the chunk */
  void *weights;
  void *memory; /* the result, unless it is the last pass */
  /* With a filter: */
  spline_chunks chunks;
  int64_t *where; /* [chunks.n][chunks.count]: samples in the bundle */
  int64_t *first; /* [chunks.n + 1]: into outputs, which are in the order of their chunks */
  int64_t *outputs;
} pass;

typedef struct resample {
  const fv_call *call;
  progress progress;
  const spline_rule *rule;
  fv_type type; /* the working type */
  int64_t bytes;
  const loops *loops;
  filter_lanes *filter;
  pass passes[3];
  int count;
  int64_t threads;
  void **bundles; /* one for each thread */
} resample;

static int64_t
least (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static void *
block_row (const block *b, int64_t plane, int64_t row, int64_t column)
{
  return b->data + (plane * b->stride[0] + row * b->stride[1] + column) * (int64_t) type_bytes (b->type);
}

static block
block_of (const fv_array *a, int64_t first, int64_t planes)
{
  const DLTensor *t = &a->tensor;
  return (block){
    array_row (a, first, 0), a->grid->type, {planes, t->shape[1], t->shape[2]}, {t->strides[0], t->strides[1]}};
}

static void *
at (const resample *r, void *base, int64_t i)
{
  return (char *) base + i * r->bytes;
}

/* Lanes that are filtered together. */
static int64_t
unit_of (const resample *r)
{
  return UNIT_BYTES / r->bytes;
}

static int64_t
lanes_of (const resample *r, const pass *p, int64_t columns)
{
  const int64_t unit = unit_of (r), lanes = BUNDLE_BYTES / (p->line.n_in + 1) / r->bytes / unit * unit;
  if (p->axis == 2)
    return p->line.poles ? unit : ROW_LANES;
  return least (columns, lanes < unit ? unit : least (lanes, MAX_LANES));
}

/* Lanes from row to row of a bundle. */
static int64_t
pitch_of (const resample *r, const pass *p, int64_t lanes)
{
  return !p->line.poles ? lanes : (lanes + unit_of (r) - 1) / unit_of (r) * unit_of (r);
}

/* A bundle of lines, side by side, and where they come from and go to. */
typedef struct bundle {
  const block *in, *out;
  int64_t pitch;
  int64_t other, first,
    lanes;       /* along z or y: columns, and the row or the plane; along x: rows, counted through all planes */
  void *samples; /* [n_in + 1][pitch], the last is the constant */
  void *chunk;
  uint8_t broken[MAX_LANES]; /* has a sample that is not finite */
} bundle;

/* Pixel k of a line of the output. */
static void *
pixel_of (const pass *p, const bundle *b, int64_t lane, int64_t k)
{
  const int64_t line = b->first + lane, rows = b->in->shape[1];
  return p->axis == 2   ? block_row (b->out, line / rows, line % rows, k)
         : p->axis == 0 ? block_row (b->out, k, b->other, line)
                        : block_row (b->out, b->other, k, line);
}

static void
read_bundle (const resample *r, const pass *p, const bundle *b)
{
  const int64_t n = p->line.n_in, rows = b->in->shape[1];
  double piece[PIECE];
  r->loops->fill (at (r, b->samples, n * b->pitch), r->rule->value, b->pitch);
  for (int64_t i = 0; i < n && p->axis < 2; i++)
    r->loops->row_to (at (r, b->samples, i * b->pitch),
                      block_row (b->in, p->axis ? b->other : i, p->axis ? i : b->other, b->first), b->in->type,
                      b->lanes);
  for (int64_t x = 0; x < n && p->axis == 2; x += PIECE)
    for (int64_t l = 0; l < b->lanes; l++) {
      r->loops->row_to (piece, block_row (b->in, (b->first + l) / rows, (b->first + l) % rows, x), b->in->type,
                        least (n - x, PIECE));
      r->loops->scatter (at (r, b->samples, x * b->pitch + l), b->pitch, piece, least (n - x, PIECE));
    }
}

/* Output samples k ... k + n - 1, n <= PIECE along x, else 1, of the lanes from `lane` on, from what lies side by side in `from`. */
static void
put_outputs (const resample *r, const pass *p, const bundle *b, const void *from, int64_t pitch, int64_t lane,
             int64_t lanes, int64_t k, int64_t n)
{
  double sums[PIECE * UNIT_BYTES / sizeof (double)], piece[PIECE];
  r->loops->interpolate (sums, from, pitch, lanes, p->index, p->weights, k, n, r->rule->order + 1);
  if (p->axis < 2)
    r->loops->row_from (pixel_of (p, b, lane, k), b->out->type, sums, lanes);
  for (int64_t l = 0; l < lanes && p->axis == 2; l++) {
    r->loops->gather (piece, at (r, sums, l), lanes, n);
    r->loops->row_from (pixel_of (p, b, lane + l, k), b->out->type, piece, n);
  }
}

/* A unit of lanes of a chunk, forth and back with each pole. */
static void
filter_chunk (const resample *r, const pass *p, bundle *b, int64_t chunk, int64_t lane)
{
  const int64_t count = p->chunks.count, unit = unit_of (r);
  r->filter (b->chunk, at (r, b->samples, lane), b->pitch, p->where + chunk * count, count, p->line.pole[0]);
  if (p->line.poles > 1)
    r->filter (b->chunk, b->chunk, unit, NULL, count, p->line.pole[1]);
  r->loops->mark (b->broken + lane, b->chunk, unit);
}

/* The output samples of a chunk, for some lanes. Neighbors come together where a line is a row. */
static void
run_chunk (const resample *r, const pass *p, bundle *b, int64_t chunk, int64_t lane, int64_t lanes)
{
  const int64_t end = p->first[chunk + 1], most = p->axis == 2 ? PIECE : 1;
  filter_chunk (r, p, b, chunk, lane);
  for (int64_t i = p->first[chunk], n; i < end; i += n) {
    for (n = 1; n < most && i + n < end && p->outputs[i + n] == p->outputs[i] + n;)
      n++;
    put_outputs (r, p, b, b->chunk, unit_of (r), lane, lanes, p->outputs[i], n);
  }
}

/* A recursion without end takes what is not finite all along a line. */
static void
break_lines (const resample *r, const pass *p, const bundle *b)
{
  double nan;
  r->loops->fill (&nan, NAN, 1);
  for (int64_t l = 0; l < b->lanes; l++)
    for (int64_t k = 0; k < p->line.n_out && b->broken[l]; k++)
      r->loops->row_from (pixel_of (p, b, l, k), b->out->type, &nan, 1);
}

static void
run_bundle (const resample *r, const pass *p, bundle *b)
{
  const int64_t most = p->axis == 2 ? PIECE : 1;
  read_bundle (r, p, b);
  if (!p->line.poles) {
    for (int64_t k = 0; k < p->line.n_out; k += most)
      put_outputs (r, p, b, b->samples, b->pitch, 0, b->lanes, k, least (p->line.n_out - k, most));
    return;
  }
  memset (b->broken, 0, sizeof b->broken);
  for (int64_t chunk = 0; chunk < p->chunks.n; chunk++)
    for (int64_t lane = 0, unit = unit_of (r); lane < b->lanes; lane += unit)
      run_chunk (r, p, b, chunk, lane, least (b->lanes - lane, unit));
  break_lines (r, p, b);
}

static void
run_pass (resample *r, const pass *p, const block *in, const block *out)
{
  int64_t lanes = lanes_of (r, p, in->shape[2]), pitch = pitch_of (r, p, lanes), samples = p->line.n_in + p->line.n_out;
  int64_t others = p->axis == 2 ? 1 : p->axis == 1 ? in->shape[0] : in->shape[1];
  int64_t across = p->axis == 2 ? in->shape[0] * in->shape[1] : in->shape[2];

#pragma omp parallel for collapse(2) schedule(dynamic, 1)
  for (int64_t other = 0; other < others; other++)
    for (int64_t first = 0; first < across; first += lanes) {
      void *memory = r->bundles[thread_index ()];
      bundle b = {
        in, out, pitch, other, first, least (across - first, lanes), memory, at (r, memory, pitch * (p->line.n_in + 1)),
        {0}};
      if (progress_stopped (&r->progress))
        continue;
      run_bundle (r, p, &b);
      progress_step (&r->progress, b.lanes * samples);
    }
}

/* Where nothing is resampled. */
static void
copy_block (resample *r, const block *in, const block *out)
{
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t plane = 0; plane < in->shape[0]; plane++)
    for (int64_t row = 0; row < in->shape[1]; row++) {
      double piece[PIECE];
      if (progress_stopped (&r->progress))
        continue;
      for (int64_t x = 0; x < in->shape[2]; x += PIECE) {
        int64_t n = least (in->shape[2] - x, PIECE);
        r->loops->row_to (piece, block_row (in, plane, row, x), in->type, n);
        r->loops->row_from (block_row (out, plane, row, x), out->type, piece, n);
      }
      progress_step (&r->progress, in->shape[2]);
    }
}

/* The output samples that are outside along any axis. */
static void
put_constant (const resample *r, const block *out)
{
  const int64_t all[3][2] = {{0, out->shape[0]}, {0, out->shape[1]}, {0, out->shape[2]}}, *inside[3];
  double piece[PIECE];
  for (int axis = 0; axis < 3; axis++)
    inside[axis] = all[axis];
  for (int i = 0; i < r->count; i++)
    inside[r->passes[i].axis] = r->passes[i].line.inside;
  r->loops->fill (piece, r->rule->value, PIECE);
  for (int64_t z = 0; z < out->shape[0]; z++)
    for (int64_t y = 0; y < out->shape[1]; y++) {
      bool row = z >= inside[0][0] && z < inside[0][1] && y >= inside[1][0] && y < inside[1][1];
      int64_t left = row ? inside[2][0] : out->shape[2], right = row ? inside[2][1] : out->shape[2];
      for (int64_t x = 0; x < left; x += PIECE)
        r->loops->row_from (block_row (out, z, y, x), out->type, piece, least (left - x, PIECE));
      for (int64_t x = right; x < out->shape[2]; x += PIECE)
        r->loops->row_from (block_row (out, z, y, x), out->type, piece, least (out->shape[2] - x, PIECE));
    }
}

/* ---- The whole ---- */

static fv_status
scratch (const resample *r, int64_t bytes, void *memory, fv_error *error)
{
  return r->call->host->scratch (r->call, (size_t) bytes, memory, error);
}

/* The chunk that output sample k belongs to, and the index of its first tap in the endless line. */
static int64_t
output_of (const resample *r, const pass *p, int64_t k, int64_t *tap, double *weight)
{
  const spline_axis *a = &p->line;
  const double x = spline_position (r->rule, a->n_in, spline_coordinate (r->rule, a->n_in, a->n_out, k)),
               knot = spline_knot (r->rule->order, x);
  spline_weights (x - knot, r->rule->order, weight);
  *tap = (int64_t) knot - r->rule->order / 2;
  return !a->poles || knot < 0 ? 0 : least ((int64_t) knot / p->chunks.answered, p->chunks.n - 1);
}

static int64_t
sample_of (const resample *r, const pass *p, int64_t i)
{
  const int64_t sample = spline_sample (r->rule->border, p->line.n_in, p->line.pad, i);
  return sample < 0 ? p->line.n_in : sample;
}

/* What the chunks filter, and the output samples in the order of their chunks. */
static fv_status
make_chunks (resample *r, pass *p, fv_error *error)
{
  const spline_chunks *c = &p->chunks;
  const int64_t word = (int64_t) sizeof (int64_t);
  double weight[SPLINE_MAX_TAPS];
  int64_t tap;
  if (scratch (r, c->n * c->count * word, &p->where, error) || scratch (r, (c->n + 1) * word, &p->first, error)
      || scratch (r, p->line.n_out * word, &p->outputs, error))
    return error->code;
  for (int64_t i = 0; i < c->n * c->count; i++)
    p->where[i] = sample_of (r, p, i / c->count * c->answered - c->before + i % c->count);
  memset (p->first, 0, (size_t) ((c->n + 1) * word));
  for (int64_t k = 0; k < p->line.n_out; k++)
    p->first[output_of (r, p, k, &tap, weight) + 1]++;
  for (int64_t i = 0; i < c->n; i++)
    p->first[i + 1] += p->first[i];
  for (int64_t k = 0; k < p->line.n_out; k++) /* each goes to the end of what its chunk has, */
    p->outputs[p->first[output_of (r, p, k, &tap, weight)]++] = k;
  memmove (p->first + 1, p->first, (size_t) (c->n * word)); /* where the next one begins */
  p->first[0] = 0;
  return FV_OK;
}

static fv_status
make_pass (resample *r, pass *p, fv_error *error)
{
  const int taps = r->rule->order + 1;
  double weight[SPLINE_MAX_TAPS];
  p->chunks = spline_chunks_of (r->rule, &p->line, r->type);
  if (scratch (r, p->line.n_out * taps * (int64_t) sizeof (int64_t), &p->index, error)
      || scratch (r, p->line.n_out * taps * r->bytes, &p->weights, error)
      || (p->line.poles && make_chunks (r, p, error)))
    return error->code;
  for (int64_t k = 0, tap; k < p->line.n_out; k++) {
    const int64_t chunk = output_of (r, p, k, &tap, weight);
    for (int t = 0; t < taps; t++) {
      p->index[k * taps + t] =
        p->line.poles ? tap + t - chunk * p->chunks.answered + p->chunks.before : sample_of (r, p, tap + t);
      r->loops->fill (at (r, p->weights, k * taps + t), weight[t] * p->line.gain, 1);
    }
  }
  return FV_OK;
}

/* Those that shrink the image most come first, but y, without a filter, last; among equals x before z before y. */
static void
choose_passes (resample *r, const block *in, const block *out, bool volume)
{
  static const int axes[3] = {2, 0, 1};
  for (int i = 0; i < 3; i++) {
    int64_t n_in = in->shape[axes[i]], n_out = out->shape[axes[i]];
    int index = r->count;
    if ((axes[i] == 0 && !volume) || spline_same (r->rule, n_in, n_out))
      continue;
    for (; index > 0 && (axes[i] != 1 || r->rule->order > 1); index--) {
      const spline_axis *before = &r->passes[index - 1].line;
      if ((double) before->n_out / (double) before->n_in <= (double) n_out / (double) n_in)
        break;
      r->passes[index] = r->passes[index - 1];
    }
    r->passes[index] = (pass){.axis = axes[i], .line = spline_axis_make (r->rule, n_in, n_out)};
    r->count++;
  }
}

/* What pass i makes from a block of that shape. */
static block
result_of (const resample *r, const pass *p, const block *in)
{
  block b = *in;
  b.data = p->memory;
  b.type = r->type;
  b.shape[p->axis] = p->line.n_out;
  b.stride[1] = b.shape[2];
  b.stride[0] = b.shape[1] * b.shape[2];
  return b;
}

/* Tables and memory for blocks like `in`. */
static fv_status
make_passes (resample *r, const block *in, fv_error *error)
{
  int64_t most = 0;
  block from = *in;
  for (int i = 0; i < r->count; i++) {
    pass *p = &r->passes[i];
    block to = result_of (r, p, &from);
    r->progress.total += from.shape[0] * from.shape[1] * from.shape[2] / p->line.n_in * (p->line.n_in + p->line.n_out);
    if (make_pass (r, p, error))
      return error->code;
    int64_t bundle =
      pitch_of (r, p, lanes_of (r, p, from.shape[2])) * (p->line.n_in + 1) + unit_of (r) * p->chunks.count;
    most = bundle > most ? bundle : most;
    if (i < r->count - 1 && scratch (r, to.shape[0] * to.stride[0] * r->bytes, &p->memory, error))
      return error->code;
    from = to;
  }
  if (scratch (r, r->threads * (int64_t) sizeof (void *), &r->bundles, error))
    return error->code;
  for (int64_t t = 0; t < r->threads && most; t++)
    if (scratch (r, most * r->bytes, &r->bundles[t], error))
      return error->code;
  return FV_OK;
}

static void
run_passes (resample *r, const block *in, const block *out)
{
  block from = *in;
  for (int i = 0; i < r->count; i++) {
    block to = i == r->count - 1 ? *out : result_of (r, &r->passes[i], &from);
    run_pass (r, &r->passes[i], &from, &to);
    from = to;
  }
  if (r->count == 0)
    copy_block (r, in, out);
  else if (r->rule->border == SPLINE_CONSTANT && r->rule->grid_mode)
    put_constant (r, out);
}

/* How many planes go through the passes together. */
static int64_t
planes_together (const resample *r, const block *in, const block *out, bool volume)
{
  int64_t larger = in->shape[1] * in->shape[2] + out->shape[1] * out->shape[2];
  return volume ? in->shape[0] : least (in->shape[0], GROUP_BYTES / r->bytes / larger + 1);
}

int64_t
spline_scratch (const spline_rule *rule, const int64_t in[3], const int64_t out[3], bool volume, fv_type work)
{
  resample r = {.rule = rule, .type = spline_type (rule, work)};
  block from = {.shape = {in[0], in[1], in[2]}}, to = {.shape = {out[0], out[1], out[2]}};
  int64_t bytes = 0;
  r.bytes = (int64_t) type_bytes (r.type);
  choose_passes (&r, &from, &to, volume);
  from.shape[0] = planes_together (&r, &from, &to, volume);
  for (int i = 0; i < r.count - 1; i++) {
    from = result_of (&r, &r.passes[i], &from);
    bytes += from.shape[0] * from.stride[0] * r.bytes;
  }
  return bytes;
}

fv_status
spline_resample (const fv_call *call, const spline_rule *rule, const fv_array *in, const fv_array *out, bool volume,
                 fv_type work, fv_error *error)
{
  const fv_type type = spline_type (rule, work);
  resample r = {call,
                .progress = {call, .total = 0},
                .rule = rule,
                .type = type,
                .bytes = (int64_t) type_bytes (type),
                .loops = type == FV_F32 ? &loops_f32 : &loops_f64,
                .filter = (type == FV_F32 ? &loops_f32 : &loops_f64)->filter[vector_bytes (64) / 32],
                .threads = threads_at_most ()};
  int64_t planes = array_planes (in), group;
  block whole_in = block_of (in, 0, planes), whole_out = block_of (out, 0, array_planes (out)), first;

  choose_passes (&r, &whole_in, &whole_out, volume);
  group = planes_together (&r, &whole_in, &whole_out, volume);
  first = block_of (in, 0, group);
  if (make_passes (&r, &first, error))
    return error->code;
  r.progress.total = r.count ? r.progress.total * planes / group : whole_in.shape[1] * whole_in.shape[2] * planes;
  for (int64_t p = 0; p < planes && !r.progress.stop; p += group) {
    int64_t n = least (group, planes - p);
    block from = block_of (in, p, n), to = volume ? whole_out : block_of (out, p, n);
    run_passes (&r, &from, &to);
  }
  return r.progress.stop ? cancelled (error) : FV_OK;
}
