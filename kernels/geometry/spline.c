/* SPDX-License-Identifier: MIT
 *
 * Splines on the CPU. A bundle of lines along one axis is brought side by side, so that filter and sums run over the
 * bundle in vector registers while the recursion runs along it; then it is filtered, interpolated and written.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast")
#endif
#include "kernels/geometry/spline.h"
#include "kernels/common/row.h"

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
  spline_axis a = {.n_in = n_in, .n_out = n_out, .n = n_in, .inside = {0, n_out}, .gain = 1};
  if (rule->prefilter && rule->order > 1) {
    a.pad = rule->border == SPLINE_NEAREST || rule->border == SPLINE_GRID_CONSTANT ? SPLINE_PAD : 0;
    a.n += 2 * a.pad;
    a.poles = a.n > 1 ? poles_of (rule->order, a.pole) : 0;
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

/* The coefficient that stands for i, or n: the constant. */
static int64_t
tap_index (const spline_rule *rule, int64_t i, int64_t n)
{
  switch (rule->border) {
  case SPLINE_NEAREST: return border_index (i, n, BORDER_NEAREST);
  case SPLINE_REFLECT:
  case SPLINE_GRID_MIRROR: return border_index (i, n, BORDER_REFLECT);
  case SPLINE_GRID_WRAP: return border_index (i, n, BORDER_WRAP);
  case SPLINE_GRID_CONSTANT: return i < 0 || i >= n ? n : i;
  default: return border_index (i, n, BORDER_MIRROR);
  }
}

void
spline_taps (const spline_rule *rule, const spline_axis *axis, int64_t k, int64_t *index, double *weight)
{
  double x = spline_coordinate (rule, axis->n_in, axis->n_out, k), last = (double) (axis->n_in - 1), knot;
  /* At most half a pixel outside. The other borders need nothing here: their coefficients have the symmetry. */
  if (rule->border == SPLINE_WRAP && (x < 0 || x > last))
    x = last == 0 ? 0 : x < 0 ? x + last : x - last;
  x += (double) axis->pad;
  knot = floor (rule->order & 1 ? x : x + 0.5);
  spline_weights (x - knot, rule->order, weight);
  for (int i = 0; i <= rule->order; i++) {
    index[i] = tap_index (rule, (int64_t) knot - rule->order / 2 + i, axis->n);
    weight[i] *= axis->gain;
  }
}

static void
end_add (spline_end *e, int64_t index, double weight)
{
  e->index[e->count] = index;
  e->weight[e->count++] = weight;
}

/* The next sample that a first value depends on: powers of a pole beyond SPLINE_END are below 1e-23. */
static int64_t
end_next (int64_t i, int64_t n)
{
  return i + 1 == SPLINE_END && n - SPLINE_END > i ? n - SPLINE_END : i + 1;
}

void
spline_ends (const spline_rule *rule, int64_t n, double z, spline_end *start, spline_end *end)
{
  double m = (double) n, turn;
  start->count = end->count = 0;
  switch (rule->border) {
  case SPLINE_GRID_WRAP:
    turn = 1 - pow (z, m);
    end_add (start, 0, 1 / turn);
    end_add (end, n - 1, -z / turn);
    for (int64_t i = end_next (0, n); i < n; i = end_next (i, n))
      end_add (start, i, pow (z, (double) (n - i)) / turn);
    for (int64_t i = 0; i < n - 1; i = end_next (i, n))
      end_add (end, i, -pow (z, (double) (i + 2)) / turn);
    break;
  case SPLINE_NEAREST:
  case SPLINE_REFLECT:
  case SPLINE_GRID_MIRROR:
    turn = 1 - pow (z, 2 * m);
    end_add (start, 0, 1 + (z + pow (z, 2 * m)) / turn);
    end_add (end, n - 1, z / (z - 1));
    for (int64_t i = end_next (0, n); i < n; i = end_next (i, n))
      end_add (start, i, (pow (z, (double) (i + 1)) + pow (z, (double) (2 * n - i))) / turn);
    break;
  default: /* constant and wrap have no filter of their own, as in SciPy */
    turn = 1 - pow (z, 2 * m - 2);
    end_add (start, 0, 1 / turn);
    end_add (end, n - 1, z / (z * z - 1));
    end_add (end, n - 2, z * z / (z * z - 1));
    for (int64_t i = end_next (0, n); i < n - 1; i = end_next (i, n))
      end_add (start, i, (pow (z, (double) i) + pow (z, (double) (2 * n - 2 - i))) / turn);
    end_add (start, n - 1, pow (z, m - 1) / turn);
  }
}

/* ---- Loops over a bundle: sample i of lane l is c[i * lanes + l] ---- */

#define DEFINE_LOOPS(NAME, T)                                                                                          \
  INLINE void first_##NAME (T *c, int64_t lanes, const spline_end *e)                                                  \
  {                                                                                                                    \
    T *restrict to = c + e->index[0] * lanes;                                                                          \
    for (int64_t l = 0; l < lanes; l++)                                                                                \
      to[l] *= (T) e->weight[0];                                                                                       \
    for (int k = 1; k < e->count; k++) {                                                                               \
      const T *restrict from = c + e->index[k] * lanes;                                                                \
      for (int64_t l = 0; l < lanes; l++)                                                                              \
        to[l] += (T) e->weight[k] * from[l];                                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  VECTORISED static void filter_##NAME (void *lines, int64_t n, int64_t lanes, double pole, const spline_end *start,   \
                                        const spline_end *end)                                                         \
  {                                                                                                                    \
    T *c = lines, z = (T) pole;                                                                                        \
    first_##NAME (c, lanes, start);                                                                                    \
    for (int64_t i = 1; i < n; i++) {                                                                                  \
      T *restrict to = c + i * lanes;                                                                                  \
      const T *restrict before = to - lanes;                                                                           \
      for (int64_t l = 0; l < lanes; l++)                                                                              \
        to[l] += z * before[l];                                                                                        \
    }                                                                                                                  \
    first_##NAME (c, lanes, end);                                                                                      \
    for (int64_t i = n - 2; i >= 0; i--) {                                                                             \
      T *restrict to = c + i * lanes;                                                                                  \
      const T *restrict behind = to + lanes;                                                                           \
      for (int64_t l = 0; l < lanes; l++)                                                                              \
        to[l] = z * (behind[l] - to[l]);                                                                               \
    }                                                                                                                  \
  }                                                                                                                    \
  INLINE void sums_##NAME (T *to, const T *c, int64_t lanes, const int64_t *index, const T *w, int64_t count,          \
                           int taps)                                                                                   \
  {                                                                                                                    \
    for (int64_t k = 0; k < count; k++, index += taps, w += taps, to += lanes) {                                       \
      T *restrict sum = to;                                                                                            \
      for (int64_t l = 0; l < lanes; l++) {                                                                            \
        T s = w[0] * c[index[0] * lanes + l];                                                                          \
        for (int t = 1; t < taps; t++)                                                                                 \
          s += w[t] * c[index[t] * lanes + l];                                                                         \
        sum[l] = s;                                                                                                    \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  /* Output samples k ... k + count - 1 of the bundle; a copy for each number of taps, so that they are unrolled. */   \
  VECTORISED static void interpolate_##NAME (void *to, const void *lines, int64_t lanes, const int64_t *index,         \
                                             const void *weights, int64_t k, int64_t count, int taps)                  \
  {                                                                                                                    \
    const T *w = (const T *) weights + k * taps;                                                                       \
    index += k * taps;                                                                                                 \
    switch (taps) {                                                                                                    \
    case 1: sums_##NAME (to, lines, lanes, index, w, count, 1); break;                                                 \
    case 2: sums_##NAME (to, lines, lanes, index, w, count, 2); break;                                                 \
    case 3: sums_##NAME (to, lines, lanes, index, w, count, 3); break;                                                 \
    case 4: sums_##NAME (to, lines, lanes, index, w, count, 4); break;                                                 \
    case 5: sums_##NAME (to, lines, lanes, index, w, count, 5); break;                                                 \
    case 6: sums_##NAME (to, lines, lanes, index, w, count, 6); break;                                                 \
    }                                                                                                                  \
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
DEFINE_LOOPS (f32, float)
DEFINE_LOOPS (f64, double)

typedef struct loops {
  void (*filter) (void *, int64_t, int64_t, double, const spline_end *, const spline_end *);
  void (*interpolate) (void *, const void *, int64_t, const int64_t *, const void *, int64_t, int64_t, int);
  void (*scatter) (void *, int64_t, const void *, int64_t);
  void (*gather) (void *, const void *, int64_t, int64_t);
  void (*fill) (void *, double, int64_t);
  void (*row_to) (void *, const void *, fv_type, int64_t);
  void (*row_from) (void *, fv_type, const void *, int64_t);
} loops;

static const loops loops_f32 = {filter_f32, interpolate_f32, scatter_f32, gather_f32,
                                fill_f32,   row_to_f32,      row_from_f32};
static const loops loops_f64 = {filter_f64, interpolate_f64, scatter_f64, gather_f64,
                                fill_f64,   row_to_f64,      row_from_f64};

/* ---- Passes ---- */

enum {
  ROW_LANES = 16,         /* rows in a bundle along x */
  MAX_LANES = 512,        /* columns in a bundle along y or z, */
  BUNDLE_BYTES = 3 << 17, /* fewer where they would not fit into the second cache */
  PIECE = 128,            /* pixels of a row that are transposed at a time */
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
  spline_end start[2], end[2]; /* for each pole */
  int64_t *index;              /* [n_out][taps] */
  void *weights;
  void *memory; /* the result, unless it is the last pass */
} pass;

typedef struct resample {
  const fv_call *call;
  progress progress;
  const spline_rule *rule;
  fv_type type; /* the working type */
  int64_t bytes;
  const loops *loops;
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

static int64_t
lanes_of (const resample *r, const pass *p, int64_t columns)
{
  int64_t lanes = BUNDLE_BYTES / (p->line.n + 1) / r->bytes / 16 * 16;
  if (p->axis == 2)
    return ROW_LANES;
  return least (columns, lanes < 16 ? 16 : least (lanes, MAX_LANES));
}

/* Samples in place become coefficients; the ends and the constant are added. */
static void
filter (const resample *r, const pass *p, void *bundle, int64_t lanes)
{
  const spline_axis *a = &p->line;
  bool nearest = r->rule->border == SPLINE_NEAREST;
  for (int64_t i = 0; i < a->pad; i++)
    for (int side = 0; side < 2; side++) {
      void *to = at (r, bundle, (side ? a->n - 1 - i : i) * lanes);
      if (nearest)
        memcpy (to, at (r, bundle, (side ? a->n - 1 - a->pad : a->pad) * lanes), (size_t) (lanes * r->bytes));
      else
        r->loops->fill (to, r->rule->value, lanes);
    }
  r->loops->fill (at (r, bundle, a->n * lanes), r->rule->value / a->gain, lanes);
  for (int i = 0; i < a->poles; i++)
    r->loops->filter (bundle, a->n, lanes, a->pole[i], &p->start[i], &p->end[i]);
}

/* Along z or y: columns x ... x + lanes - 1, where `other` is the row or the plane. */
static void
bundle_of_columns (const resample *r, const pass *p, const block *in, const block *out, void *bundle, int64_t other,
                   int64_t x, int64_t lanes)
{
  const spline_axis *a = &p->line;
  double sum[MAX_LANES];
  bool z = p->axis == 0;
  for (int64_t i = 0; i < a->n_in; i++)
    r->loops->row_to (at (r, bundle, (a->pad + i) * lanes), block_row (in, z ? i : other, z ? other : i, x), in->type,
                      lanes);
  filter (r, p, bundle, lanes);
  for (int64_t k = 0; k < a->n_out; k++) {
    r->loops->interpolate (sum, bundle, lanes, p->index, p->weights, k, 1, r->rule->order + 1);
    r->loops->row_from (block_row (out, z ? k : other, z ? other : k, x), out->type, sum, lanes);
  }
}

/* Along x: rows `first` ... first + lanes - 1, counted through all planes. */
static void
bundle_of_rows (const resample *r, const pass *p, const block *in, const block *out, void *bundle, int64_t first,
                int64_t lanes)
{
  const spline_axis *a = &p->line;
  double sums[PIECE * ROW_LANES], piece[PIECE];
  int64_t rows = in->shape[1];
  for (int64_t x = 0; x < a->n_in; x += PIECE)
    for (int64_t l = 0; l < lanes; l++) {
      int64_t n = least (a->n_in - x, PIECE);
      r->loops->row_to (piece, block_row (in, (first + l) / rows, (first + l) % rows, x), in->type, n);
      r->loops->scatter (at (r, bundle, (a->pad + x) * lanes + l), lanes, piece, n);
    }
  filter (r, p, bundle, lanes);
  for (int64_t x = 0; x < a->n_out; x += PIECE) {
    int64_t n = least (a->n_out - x, PIECE);
    r->loops->interpolate (sums, bundle, lanes, p->index, p->weights, x, n, r->rule->order + 1);
    for (int64_t l = 0; l < lanes; l++) {
      r->loops->gather (piece, at (r, sums, l), lanes, n);
      r->loops->row_from (block_row (out, (first + l) / rows, (first + l) % rows, x), out->type, piece, n);
    }
  }
}

static void
run_pass (resample *r, const pass *p, const block *in, const block *out)
{
  int64_t lanes = lanes_of (r, p, in->shape[2]), samples = p->line.n_in + p->line.n_out;
  int64_t others = p->axis == 2 ? 1 : p->axis == 1 ? in->shape[0] : in->shape[1];
  int64_t across = p->axis == 2 ? in->shape[0] * in->shape[1] : in->shape[2];

#pragma omp parallel for collapse(2) schedule(dynamic, 1)
  for (int64_t other = 0; other < others; other++)
    for (int64_t first = 0; first < across; first += lanes) {
      int64_t n = least (across - first, lanes);
      void *bundle = r->bundles[thread_index ()];
      if (progress_stopped (&r->progress))
        continue;
      if (p->axis == 2)
        bundle_of_rows (r, p, in, out, bundle, first, n);
      else
        bundle_of_columns (r, p, in, out, bundle, other, first, n);
      progress_step (&r->progress, n * samples);
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

static fv_status
make_pass (resample *r, pass *p, fv_error *error)
{
  int taps = r->rule->order + 1;
  double weight[SPLINE_MAX_TAPS];
  if (scratch (r, p->line.n_out * taps * (int64_t) sizeof (int64_t), &p->index, error)
      || scratch (r, p->line.n_out * taps * r->bytes, &p->weights, error))
    return error->code;
  for (int64_t k = 0; k < p->line.n_out; k++) {
    spline_taps (r->rule, &p->line, k, p->index + k * taps, weight);
    for (int t = 0; t < taps; t++)
      r->loops->fill (at (r, p->weights, k * taps + t), weight[t], 1);
  }
  for (int i = 0; i < p->line.poles; i++)
    spline_ends (r->rule, p->line.n, p->line.pole[i], &p->start[i], &p->end[i]);
  return FV_OK;
}

/* Those that shrink the image most come first; among equals x before z before y. */
static void
choose_passes (resample *r, const block *in, const block *out, bool volume)
{
  static const int axes[3] = {2, 0, 1};
  for (int i = 0; i < 3; i++) {
    int64_t n_in = in->shape[axes[i]], n_out = out->shape[axes[i]];
    int place = r->count;
    if ((axes[i] == 0 && !volume) || spline_same (r->rule, n_in, n_out))
      continue;
    for (; place > 0; place--) {
      const spline_axis *before = &r->passes[place - 1].line;
      if ((double) before->n_out / (double) before->n_in <= (double) n_out / (double) n_in)
        break;
      r->passes[place] = r->passes[place - 1];
    }
    r->passes[place] = (pass){.axis = axes[i], .line = spline_axis_make (r->rule, n_in, n_out)};
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
    int64_t bundle = lanes_of (r, p, from.shape[2]) * (p->line.n + 1) * r->bytes;
    block to = result_of (r, p, &from);
    most = bundle > most ? bundle : most;
    r->progress.total += from.shape[0] * from.shape[1] * from.shape[2] / p->line.n_in * (p->line.n_in + p->line.n_out);
    if (make_pass (r, p, error))
      return error->code;
    if (i < r->count - 1 && scratch (r, to.shape[0] * to.stride[0] * r->bytes, &p->memory, error))
      return error->code;
    from = to;
  }
  if (scratch (r, r->threads * (int64_t) sizeof (void *), &r->bundles, error))
    return error->code;
  for (int64_t t = 0; t < r->threads && most; t++)
    if (scratch (r, most, &r->bundles[t], error))
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
  resample r = {.rule = rule, .type = work, .bytes = (int64_t) type_bytes (work)};
  block from = {.shape = {in[0], in[1], in[2]}}, to = {.shape = {out[0], out[1], out[2]}};
  int64_t bytes = 0;
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
  resample r = {call,
                .progress = {call, .total = 0},
                .rule = rule,
                .type = work,
                .bytes = (int64_t) type_bytes (work),
                .loops = work == FV_F32 ? &loops_f32 : &loops_f64,
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
