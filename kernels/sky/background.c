/* SPDX-License-Identifier: MIT
 *
 * background: boxes are spread over threads, each with its pixels in 64-bit float; what is smoothed is small; then rows.
 */
#include "kernels/sky/background.h"

#include "kernels/common/alike.h"
#include "kernels/common/row.h"

#include <stdlib.h>

/* Of one plane. */
typedef struct mesh {
  mesh_shape s;
  double *value[2], *bend[2]; /* [down][across]: background, deviation; NaN: a bad box */
  double *other;              /* [down][across] to work in */
  double *factor;             /* [largest side of the mesh] */
  double *pixels;             /* [threads][box]; later [threads][row] */
  int64_t box;
} mesh;

/* ---- The pixels of a box ---- */

/* Moves those that count to the front; returns how many. */
static int64_t
keep_good (double *v, const uint8_t *mask, int64_t n)
{
  int64_t kept = 0;
  for (int64_t i = 0; i < n; i++)
    if (isfinite (v[i]) && !(mask && mask[i]))
      v[kept++] = v[i];
  return kept;
}

VECTORISED static mesh_box
box_ends (const double *v, int64_t n)
{
  double low = HUGE_VAL, high = -HUGE_VAL;
#pragma omp simd reduction(min : low) reduction(max : high)
  for (int64_t i = 0; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  return mesh_box_begin (low, high, v[0]);
}

VECTORISED static mesh_sums
box_sums (const double *v, int64_t n, const mesh_box *b)
{
  const double first = b->low, last = b->high, unit = b->about.unit, start = b->about.start;
  mesh_sums s = {.low = HUGE_VAL, .high = -HUGE_VAL};
  double low = s.low, high = s.high;
  for (int64_t end; n > 0; v += end, n -= end) {
    uint64_t kept = 0, values = 0, squares = 0;
    end = n < EXACT_TERMS ? n : EXACT_TERMS;
#pragma omp simd reduction(+ : kept, values, squares) reduction(min : low) reduction(max : high)
    for (int64_t i = 0; i < end; i++) {
      const bool on = v[i] >= first && v[i] <= last;
      const double d = on ? v[i] * unit - start : 0, up = on ? v[i] : HUGE_VAL, down = on ? v[i] : -HUGE_VAL;
      kept += on ? 1 : 0;
      values += exact_term (d);
      squares += spread_square (d);
      low = up < low ? up : low;
      high = down > high ? down : high;
    }
    s.n += (int64_t) kept;
    exact_add (&s.sums.values, values, end);
    exact_add (&s.sums.squares, squares, end);
  }
  s.low = low;
  s.high = high;
  return s;
}

/* ---- The mode of a box ---- */

VECTORISED static void
level_sums (const int32_t *counts, int low, int high, mesh_counts *c)
{
  uint64_t n = 0, sum = 0, squares = 0;
#pragma omp simd reduction(+ : n, sum, squares)
  for (int i = low; i <= high; i++) {
    const uint32_t count = (uint32_t) counts[i], at = (uint32_t) i;
    n += count;
    sum += (uint64_t) count * at;
    squares += (uint64_t) count * (at * at);
  }
  c->n = (double) n;
  c->sum = (double) sum;
  c->squares = (double) squares;
}

static void
find_middle (const int32_t *counts, int low, int high, mesh_counts *c)
{
  c->middle = low - 1;
  c->below = 0;
  for (int i = low; i <= high && 2 * c->below + counts[i] < c->n; i++) {
    c->below += counts[i];
    c->middle = i;
  }
  if (c->middle >= 0)
    c->fuller = counts[c->middle] > counts[c->middle + 1] ? counts[c->middle] : counts[c->middle + 1];
}

static void
box_mode (const double *v, int64_t n, double *mode, double *deviation)
{
  int32_t counts[MESH_LEVELS + 1];
  mesh_box b = box_ends (v, n);
  mesh_sums s;
  do
    s = box_sums (v, n, &b);
  while (!mesh_box_take (&b, &s));
  mesh_levels l = mesh_levels_of (s.n, b.about.mean, b.about.sigma);
  memset (counts, 0, sizeof counts);
  for (int64_t i = 0; i < n; i++) {
    int level = mesh_level (&l, v[i]);
    if (level >= 0)
      counts[level]++;
  }
  mesh_mode m = mesh_mode_begin (&l);
  while (mesh_mode_goes_on (&m)) {
    mesh_counts c;
    level_sums (counts, m.low, m.high, &c);
    find_middle (counts, m.low, m.high, &c);
    mesh_mode_turn (&m, &l, &c);
  }
  *mode = mesh_mode_value (&m, &l);
  *deviation = m.sigma * l.width;
}

static void
measure_box (const mesh *m, const fv_call *call, int64_t plane, int64_t j, int64_t i)
{
  const fv_array *in = call->inputs[BACKGROUND_IMAGE], *mask = call->inputs[BACKGROUND_MASK];
  const mesh_shape *s = &m->s;
  const int64_t y0 = j * s->height, y1 = y0 + s->height < s->rows ? y0 + s->height : s->rows;
  const int64_t x0 = i * s->width, n = x0 + s->width < s->columns ? s->width : s->columns - x0;
  double *v = m->pixels + thread_index () * m->box;
  int64_t good = 0;
  for (int64_t y = y0; y < y1; y++) {
    const char *row = array_row (in, plane, y);
    const uint8_t *hidden = mask ? array_row (mask, array_planes (mask) == 1 ? 0 : plane, y) : NULL;
    row_to_f64 (v + good, row + (size_t) x0 * type_bytes (in->grid->type), in->grid->type, n);
    good += keep_good (v + good, hidden ? hidden + x0 : NULL, n);
  }
  double *value = m->value[0] + j * s->across + i, *deviation = m->value[1] + j * s->across + i;
  if (2 * good < (y1 - y0) * n)
    *value = *deviation = NAN;
  else
    box_mode (v, good, value, deviation);
}

/* ---- The mesh ---- */

/* False when no box is good. */
static bool
fill_bad_boxes (const mesh *m)
{
  const int64_t n = m->s.down * m->s.across;
  double *filled[2] = {m->bend[0], m->bend[1]}; /* not used yet */
  int64_t bad = 0;
  for (int64_t k = 0; k < n; k++)
    bad += isnan (m->value[0][k]);
  if (bad == 0 || bad == n)
    return bad == 0;
  for (int f = 0; f < 2; f++)
    memcpy (filled[f], m->value[f], (size_t) n * sizeof (double));
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t k = 0; k < n; k++)
    if (isnan (m->value[0][k])) {
      double near[2];
      mesh_nearest (&m->s, m->value[0], m->value[1], k, near);
      for (int f = 0; f < 2; f++)
        filled[f][k] = near[f];
    }
  for (int f = 0; f < 2; f++)
    memcpy (m->value[f], filled[f], (size_t) n * sizeof (double));
  return true;
}

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Sorts them. */
static double
median (double *v, int64_t n)
{
  qsort (v, (size_t) n, sizeof *v, compare);
  return (v[(n - 1) / 2] + v[n / 2]) / 2 + 0.0; /* no -0 */
}

static void
filter_mesh (const mesh *m, double *v)
{
  const mesh_shape *s = &m->s;
  if (s->filter_rows == 0 && s->filter_columns == 0)
    return;
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t j = 0; j < s->down; j++)
    for (int64_t i = 0; i < s->across; i++)
      m->other[j * s->across + i] = mesh_window_median (s, v, j, i);
  memcpy (v, m->other, (size_t) (s->down * s->across) * sizeof *v);
}

/* Fills, smooths and bends the mesh; gives the medians of both. */
static void
finish_mesh (const mesh *m, double medians[2])
{
  const int64_t n = m->s.down * m->s.across;
  medians[0] = medians[1] = NAN;
  if (!fill_bad_boxes (m))
    return;
  for (int f = 0; f < 2; f++) {
    filter_mesh (m, m->value[f]);
    memcpy (m->other, m->value[f], (size_t) n * sizeof (double));
    medians[f] = median (m->other, n);
    for (int64_t i = 0; i < m->s.across; i++)
      mesh_bend (m->bend[f] + i, m->value[f] + i, m->s.down, m->s.across, m->factor);
  }
}

/* ---- Rows ---- */

/* n pixels from x on between two nodes. */
VECTORISED static void
between (double *to, int64_t x, int64_t n, int64_t width, int64_t node, const double *v, const double *bend)
{
  const double half = 0.5 / (double) width;
  const int from = mesh_column_position (x, width, node);
  for (int i = 0; i < (int) n; i++)
    to[i] = mesh_between (v[0], v[1], bend[0], bend[1], (double) (from + 2 * i) * half);
}

/* A row of the background, or of its deviation. node: room for 2 * across. */
static void
make_row (const mesh *m, int f, int64_t y, double *node, double *to)
{
  const mesh_shape *s = &m->s;
  double *bend = node + s->across;
  for (int64_t i = 0; i < s->across; i++)
    node[i] = mesh_row_node (m->value[f] + i, m->bend[f] + i, s->down, s->across, y, s->height);
  if (s->across == 1) {
    for (int64_t x = 0; x < s->columns; x++)
      to[x] = node[0];
    return;
  }
  if (s->down > 1)
    mesh_bend (bend, node, s->across, 1, m->factor);
  else
    memset (bend, 0, (size_t) s->across * sizeof *bend);
  for (int64_t k = 0, x = 0; k < s->across - 1; k++) {
    /* The first pixel at or after the center of the next box. */
    int64_t end = k == s->across - 2 ? s->columns : (k + 1) * s->width + s->width / 2;
    between (to + x, x, end - x, s->width, k, node + k, bend + k);
    x = end;
  }
}

VECTORISED static void
subtract (double *v, const double *back, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    v[i] -= back[i];
}

static void
write_rows (const mesh *m, const fv_call *call, int64_t plane, int64_t y)
{
  const fv_array *in = call->inputs[BACKGROUND_IMAGE], *const *out = call->outputs;
  const fv_type type = out[0]->grid->type;
  const int64_t n = m->s.columns;
  double *node = m->pixels + thread_index () * (2 * m->s.across + 2 * n), *back = node + 2 * m->s.across, *v = back + n;
  make_row (m, 1, y, node, back);
  row_from_f64 (array_row (out[BACKGROUND_RMS], plane, y), type, back, n);
  make_row (m, 0, y, node, back);
  row_from_f64 (array_row (out[BACKGROUND_BACK], plane, y), type, back, n);
  row_to_f64 (v, array_row (in, plane, y), in->grid->type, n);
  subtract (v, back, n);
  row_from_f64 (array_row (out[BACKGROUND_SUBTRACTED], plane, y), type, v, n);
}

/* ---- The operation ---- */

/* In 64-bit floats. */
static int64_t
scratch_of (const mesh_shape *s, int64_t *each)
{
  const int64_t row = 2 * s->across + 2 * s->columns, longest = s->down > s->across ? s->down : s->across;
  *each = s->height * s->width > row ? s->height * s->width : row;
  return 5 * s->down * s->across + longest + threads_at_most () * *each;
}

static int64_t
background_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const mesh_shape s = mesh_shape_of (args, in[0]);
  int64_t each;
  (void) op;
  return scratch_of (&s, &each) * (int64_t) sizeof (double);
}

static fv_status
make_mesh (mesh *m, const fv_call *call, fv_error *error)
{
  m->s = mesh_shape_of (call->args, call->inputs[BACKGROUND_IMAGE]->grid);
  const int64_t n = m->s.down * m->s.across, longest = m->s.down > m->s.across ? m->s.down : m->s.across;
  void *memory;
  fv_status status = call->host->scratch (call, (size_t) scratch_of (&m->s, &m->box) * sizeof (double), &memory, error);
  if (status)
    return status;
  for (int f = 0; f < 2; f++) {
    m->value[f] = (double *) memory + f * n;
    m->bend[f] = m->value[0] + (2 + f) * n;
  }
  m->other = m->value[0] + 4 * n;
  m->factor = m->other + n;
  m->pixels = m->factor + longest;
  mesh_factors (m->factor, longest);
  return FV_OK;
}

static fv_status
background_cpu (const fv_call *call, fv_error *error)
{
  const int64_t planes = array_planes (call->inputs[BACKGROUND_IMAGE]);
  mesh m;
  fv_status status = make_mesh (&m, call, error);
  if (status)
    return status;
  const int64_t boxes = m.s.down * m.s.across;
  progress p = {call, .total = planes * (boxes + m.s.rows)};
  for (int64_t plane = 0; plane < planes; plane++) {
#pragma omp parallel for schedule(dynamic, 4)
    for (int64_t k = 0; k < boxes; k++)
      if (!progress_stopped (&p)) {
        measure_box (&m, call, plane, k / m.s.across, k % m.s.across);
        progress_step (&p, 1);
      }
    if (p.stop)
      return cancelled (error);
    finish_mesh (&m, call->scalars + plane * BACKGROUND_SCALARS);
#pragma omp parallel for schedule(static, 16)
    for (int64_t y = 0; y < m.s.rows; y++)
      if (!progress_stopped (&p)) {
        write_rows (&m, call, plane, y);
        progress_step (&p, 1);
      }
    if (p.stop)
      return cancelled (error);
  }
  return FV_OK;
}

static bool
is_whole (const fv_axes *axes)
{
  for (int i = 0; i < axes->n; i++)
    if (axes->v[i] != floor (axes->v[i]))
      return false;
  return axes->n == 1 || axes->n == 2;
}

static fv_status
background_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const background_args *a = args;
  const fv_grid *mask = in[BACKGROUND_MASK];
  (void) op;
  if (!is_whole (&a->box))
    return fail (error, FV_BAD_ARGUMENT, "box", "The rows and columns of a box must be integers, such as 64 or 64,32.");
  if (!is_whole (&a->filter))
    return fail (error, FV_BAD_ARGUMENT, "filter",
                 "The rows and columns of the filter, counted in boxes, must be integers, such as 3 or 3,5.");
  if (check_alike (mask, "mask", in[0], "the image", ALIKE_OR_ONE_PLANE, error))
    return error->code;
  for (int i = 0; i < BACKGROUND_OUTPUTS; i++) {
    out[i]->type = in[0]->type == FV_F64 ? FV_F64 : FV_F32;
    out[i]->role = FV_IMAGE;
  }
  return FV_OK;
}

const fv_op fv_op_background = {
  FV_OP (background_args),
  .key = "background",
  .menu = "Process/Sky",
  .label = "Subtract Sky Background...",
  .search = "sky level gradient vignetting flatten sextractor sep photometry astronomy",
  .help = "Models the background by the modes of boxes, smooth between them, and subtracts it.",
  .cite = "E. Bertin, S. Arnouts, A&AS 117 (1996) 393; K. Barbary, SEP, JOSS 1 (2016) 58",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image; NaN and infinities do not count.", FV_ANY_TYPE, false},
                               {"mask", "Mask", "Pixels that do not count.", FV_U8 | FV_WANTS_MASK, true},
                               {0}},
  .outputs =
    (const fv_output[]){
      {"image", "Subtracted"}, {"background", "Background"}, {"rms", "Deviation of the background"}, {0}},
  .scalars = (const fv_scalar[]){{"back", "Background", "Median of the background's boxes.", FV_COLUMN_FLOAT},
                                 {"rms", "Deviation", "Median of the deviations of the boxes.", FV_COLUMN_FLOAT},
                                 {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (background_args, box), .label = "Box", .unit = FV_PIXELS, .def_text = "64", .min = 4, .max = 65536,
       .soft_min = 8, .soft_max = 512, .scale = FV_LOG, .help = "Rows and columns of a box, larger than the objects."},
      {FV_FIELD (background_args, filter), .label = "Filter", .def_text = "3", .min = 1, .max = BACKGROUND_MOST_FILTER,
       .soft_min = 1, .soft_max = 9, .help = "Rows and columns of boxes of which the median is taken; 1 is none."},
      {0}},
  .infer = background_infer,
  .scratch = background_scratch,
  .values = FV_VALUES_UNIT,
  .run = {[FV_CPU] = background_cpu, [FV_CUDA] = FV_CUDA_FN (background_cuda)},
};
