/* SPDX-License-Identifier: MIT
 *
 * reconstruct_grey: the CPU version. Of each row a stretch is known in which neighbors have changed; there it takes what they
 * have, and what comes runs along the row to the right and to the left. Sweeps go down and up through a strip of rows until
 * nothing changes; strips take turns with those beside them. The result does not depend on the order.
 */
#include "kernels/morphology/reconstruct_grey.h"

#include "kernels/morphology/pieces.h"

enum {
  STRIP = 1 << 18, /* pixels of a strip, about */
  PART = 512,      /* pixels of a row that are worked on together */
};

/* Pixels from ... to-1 of a row. */
typedef struct stretch {
  int64_t from, to;
} stretch;

/* Planes that are worked on together: one, or all of a volume. Rows are counted through all of them. */
typedef struct field {
  const fv_array *mask, *out;
  int64_t first, planes, rows, columns; /* first: of the planes in the arrays */
  int64_t strip, strips;                /* rows of a strip; the last has the rest, too */
  stretch *open;                        /* [planes * rows]: to be done */
  struct {
    int dz, dy;
  } near[8]; /* rows of neighbors */
  int n_near, reach[8];
  bool down; /* by erosion */
  progress *p;
} field;

static void *
field_row (const field *f, const fv_array *a, int64_t row)
{
  return array_row (a, f->first + row / f->rows, row % f->rows);
}

/* ---- One row ---- */

/* best(x) = the highest of x and its neighbors in another row. ABOVE (a, b): a is higher than b, and neither is NaN. */
#define DEFINE_ROW(NAME, T, ABOVE)                                                                                     \
  VECTORISED static void begin_##NAME (T *to, const T *seed, const T *restrict mask, int64_t n)                        \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++)                                                                                    \
      to[x] = ((mask[x] != mask[x]) | (ABOVE (seed[x], mask[x]))) ? mask[x] : seed[x];                                 \
  }                                                                                                                    \
                                                                                                                       \
  VECTORISED static void best_##NAME (T *restrict best, const T *restrict near, int64_t n)                             \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++)                                                                                    \
      best[x] = ABOVE (near[x], best[x]) ? near[x] : best[x];                                                          \
  }                                                                                                                    \
                                                                                                                       \
  /* What pixel x becomes when `other` comes to it. */                                                                 \
  static inline T raised_##NAME (T other, T own, T mask)                                                               \
  {                                                                                                                    \
    T best = ABOVE (other, own) ? other : own;                                                                         \
    return ABOVE (best, mask) ? mask : best;                                                                           \
  }                                                                                                                    \
                                                                                                                       \
  /* Pixels from ... from + n - 1, and on to the right as long as they change. */                                      \
  static void right_##NAME (T *row, const T *mask, const T *best, stretch s, int64_t columns, stretch *changed)        \
  {                                                                                                                    \
    for (int64_t x = s.from; x < columns; x++) {                                                                       \
      T come = x < s.to ? best[x - s.from] : row[x];                                                                   \
      if (x > 0 && ABOVE (row[x - 1], come))                                                                           \
        come = row[x - 1];                                                                                             \
      T now = raised_##NAME (come, row[x], mask[x]);                                                                   \
      if (ABOVE (now, row[x])) {                                                                                       \
        row[x] = now;                                                                                                  \
        changed->from = x < changed->from ? x : changed->from;                                                         \
        changed->to = x + 1 > changed->to ? x + 1 : changed->to;                                                       \
      } else if (x >= s.to)                                                                                            \
        return;                                                                                                        \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void left_##NAME (T *row, const T *mask, stretch s, int64_t columns, stretch *changed)                        \
  {                                                                                                                    \
    for (int64_t x = s.to < columns ? s.to - 1 : columns - 2; x >= 0; x--) {                                           \
      T now = raised_##NAME (row[x + 1], row[x], mask[x]);                                                             \
      if (ABOVE (now, row[x])) {                                                                                       \
        row[x] = now;                                                                                                  \
        changed->from = x < changed->from ? x : changed->from;                                                         \
        changed->to = x + 1 > changed->to ? x + 1 : changed->to;                                                       \
      } else if (x < s.from)                                                                                           \
        return;                                                                                                        \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static stretch raise_##NAME (void *pixels, const void *mask, const void *const *near, const int *reach, int n_near,  \
                               stretch open, int64_t columns)                                                          \
  {                                                                                                                    \
    T *row = pixels, best[PART];                                                                                       \
    stretch changed = {columns, 0};                                                                                    \
    for (int64_t from = open.from; from < open.to; from += PART) {                                                     \
      stretch s = {from, from + PART < open.to ? from + PART : open.to};                                               \
      memcpy (best, row + from, (size_t) (s.to - from) * sizeof (T));                                                  \
      for (int i = 0; i < n_near; i++)                                                                                 \
        for (int d = -reach[i]; d <= reach[i]; d++) {                                                                  \
          int64_t low = from + d < 0 ? -d : from, high = s.to + d > columns ? columns - d : s.to;                      \
          best_##NAME (best + low - from, (const T *) near[i] + low + d, high - low);                                  \
        }                                                                                                              \
      right_##NAME (row, mask, best, s, columns, &changed);                                                            \
    }                                                                                                                  \
    open.to = changed.to > open.to ? changed.to : open.to;                                                             \
    left_##NAME (row, mask, open, columns, &changed);                                                                  \
    return changed;                                                                                                    \
  }
#define HIGHER(A, B) ((A) > (B))
#define LOWER(A, B) ((A) < (B))
DEFINE_ROW (up_u8, uint8_t, HIGHER)
DEFINE_ROW (up_u16, uint16_t, HIGHER)
DEFINE_ROW (up_i32, int32_t, HIGHER)
DEFINE_ROW (up_f32, float, HIGHER)
DEFINE_ROW (up_f64, double, HIGHER)
DEFINE_ROW (down_u8, uint8_t, LOWER)
DEFINE_ROW (down_u16, uint16_t, LOWER)
DEFINE_ROW (down_i32, int32_t, LOWER)
DEFINE_ROW (down_f32, float, LOWER)
DEFINE_ROW (down_f64, double, LOWER)

static void
begin_row (const field *f, const fv_array *seed, int64_t row)
{
  void *to = field_row (f, f->out, row);
  const void *from = field_row (f, seed, row), *mask = field_row (f, f->mask, row);
  if (f->down)
    WITH_TYPE (f->out->grid->type, begin_down, to, from, mask, f->columns)
  else
    WITH_TYPE (f->out->grid->type, begin_up, to, from, mask, f->columns)
}

/* The row that is neighbor i of a row, or -1. */
static int64_t
near_row (const field *f, int64_t row, int i)
{
  int64_t z = row / f->rows + f->near[i].dz, y = row % f->rows + f->near[i].dy;
  return z < 0 || z >= f->planes || y < 0 || y >= f->rows ? -1 : z * f->rows + y;
}

/* Does what is open in a row; what has changed is open in the rows beside it. */
static void
do_row (const field *f, int64_t row)
{
  const void *near[8], *mask = field_row (f, f->mask, row);
  void *pixels = field_row (f, f->out, row);
  stretch open = f->open[row], changed = {0, 0};
  int reach[8], n = 0;
  f->open[row] = (stretch){f->columns, 0};
  for (int i = 0; i < f->n_near; i++) {
    int64_t other = near_row (f, row, i);
    if (other < 0)
      continue;
    near[n] = field_row (f, f->out, other);
    reach[n++] = f->reach[i];
  }
  if (f->down)
    WITH_TYPE (f->out->grid->type, changed = raise_down, pixels, mask, near, reach, n, open, f->columns)
  else
    WITH_TYPE (f->out->grid->type, changed = raise_up, pixels, mask, near, reach, n, open, f->columns)
  if (changed.from >= changed.to)
    return;
  changed.from -= changed.from > 0;
  changed.to += changed.to < f->columns;
  for (int i = 0; i < f->n_near; i++) {
    int64_t other = near_row (f, row, i);
    if (other < 0)
      continue;
    stretch *to = f->open + other;
    to->from = changed.from < to->from ? changed.from : to->from;
    to->to = changed.to > to->to ? changed.to : to->to;
  }
}

/* ---- Strips ---- */

static bool
is_open (const field *f, int64_t row)
{
  return f->open[row].from < f->open[row].to;
}

/* Sweeps through a strip until nothing is open in it. True when there was something. */
static bool
do_strip (const field *f, int64_t strip)
{
  int64_t from = strip * f->strip, to = strip == f->strips - 1 ? f->planes * f->rows : from + f->strip;
  bool any = true, ever = false;
  for (int64_t sweep = 0; any && !progress_stopped (f->p); sweep++) {
    any = false;
    for (int64_t i = from; i < to; i++) {
      int64_t row = sweep % 2 ? to - 1 - (i - from) : i;
      if (!is_open (f, row))
        continue;
      do_row (f, row);
      any = ever = true;
      progress_step (f->p, 0);
    }
  }
  return ever;
}

/* Strips of one parity have no rows beside each other, and at least two rows or planes. */
static fv_status
do_strips (const field *f, fv_error *error)
{
  bool any = true;
  while (any && !progress_stopped (f->p)) {
    any = false;
    for (int64_t parity = 0; parity < 2; parity++)
#pragma omp parallel for schedule(dynamic, 1) reduction(|| : any)
      for (int64_t strip = parity; strip < f->strips; strip += 2)
        any = do_strip (f, strip) || any;
  }
  return f->p->stop ? cancelled (error) : FV_OK;
}

static void
cut_into_strips (field *f)
{
  int64_t unit = f->planes > 1 ? f->rows : 1, units = f->planes > 1 ? f->planes : f->rows;
  int64_t each = STRIP / (unit * f->columns);
  each = each < 2 ? 2 : each;
  f->strips = units / each > 1 ? units / each : 1;
  f->strip = each * unit;
}

static void
begin (const field *f, const fv_array *seed)
{
  int64_t rows = f->planes * f->rows;
#pragma omp parallel for schedule(static, 64)
  for (int64_t row = 0; row < rows; row++) {
    f->open[row] = (stretch){0, f->columns};
    begin_row (f, seed, row);
    progress_step (f->p, 1);
  }
}

/* ---- The operation ---- */

static int64_t
reconstruct_grey_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const reconstruct_grey_args *a = args;
  (void) op;
  return (a->volume ? in[0]->shape[0] : 1) * in[0]->shape[1] * (int64_t) sizeof (stretch);
}

static void
find_near (field *f, const reconstruct_grey_args *args)
{
  label_args neighbors = reconstruct_grey_neighbors (args);
  for (int i = 0; i < 9; i++) {
    int dz = i / 3 - 1, dy = i % 3 - 1, reach = label_reach (&neighbors, dz, dy);
    if ((!dz && !dy) || reach < 0)
      continue;
    f->near[f->n_near].dz = dz;
    f->near[f->n_near].dy = dy;
    f->reach[f->n_near++] = reach;
  }
}

static fv_status
reconstruct_grey_cpu (const fv_call *call, fv_error *error)
{
  const reconstruct_grey_args *args = call->args;
  const fv_array *seed = call->inputs[RECONSTRUCT_SEED], *out = call->outputs[0];
  int64_t planes = array_planes (out), rows = array_rows (out);
  progress p = {call, .total = planes * rows};
  field f = {.mask = call->inputs[RECONSTRUCT_MASK],
             .out = out,
             .planes = args->volume ? planes : 1,
             .rows = rows,
             .columns = array_columns (out),
             .down = args->method == RECONSTRUCT_BY_EROSION,
             .p = &p};
  fv_status status = call->host->scratch (call, (size_t) (f.planes * rows) * sizeof *f.open, (void **) &f.open, error);
  find_near (&f, args);
  cut_into_strips (&f);
  for (; !status && f.first < planes; f.first += f.planes) {
    begin (&f, seed);
    status = do_strips (&f, error);
  }
  return status;
}

static fv_grain
reconstruct_grey_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const reconstruct_grey_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
reconstruct_grey_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out,
                        fv_error *error)
{
  const fv_grid *seed = in[RECONSTRUCT_SEED], *mask = in[RECONSTRUCT_MASK];
  label_args neighbors = reconstruct_grey_neighbors (args);
  (void) op;
  out[0]->dense = false;
  if (memcmp (seed->shape, mask->shape, sizeof seed->shape))
    return fail (error, FV_BAD_INPUT, "mask",
                 "It has %lld planes of %lld x %lld pixels, the seed %lld of %lld x %lld; they must be equal.",
                 (long long) mask->shape[0], (long long) mask->shape[2], (long long) mask->shape[1],
                 (long long) seed->shape[0], (long long) seed->shape[2], (long long) seed->shape[1]);
  if (seed->type != mask->type)
    return fail (error, FV_BAD_INPUT, "mask", "It has pixels of %s, the seed of %s; they must be of one type.",
                 type_words (mask->type), type_words (seed->type));
  return pieces_check (&neighbors, in, out[0], error);
}

static const fv_choice methods[] = {
  {"dilation", "Dilation", "The seed grows up to the mask; where it is above, it is cut to it first."},
  {"erosion", "Erosion", "The seed sinks down to the mask; where it is below, it is raised to it first."},
  {0}};

const fv_op fv_op_reconstruct_grey = {
  FV_OP (reconstruct_grey_args),
  .key = "reconstruct_grey",
  .menu = "Process/Binary",
  .label = "Grey Reconstruction...",
  .help =
    "Lets a seed image grow under a mask image until nothing changes: what the seed touches of the mask comes back.",
  .cite = "L. Vincent, IEEE Trans. Image Process. 2 (1993) 176",
  .kind = FV_GLOBAL,
  .reads_back = true, /* whether something has changed */
  .inputs =
    (const fv_input[]){{"image", "Seed", "The image that grows; NaN stays.", FV_ANY_TYPE, false},
                       {"mask", "Mask", "The image that limits it, of the same size and type.", FV_ANY_TYPE, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (reconstruct_grey_args, method), .label = "Method", .choices = methods,
                        .help = "Whether the seed grows or sinks."},
                       {FV_FIELD (reconstruct_grey_args, connectivity), .label = "Connectivity", .advanced = true,
                        .choices = label_connectivities, .help = "How many neighbors of a pixel are connected to it."},
                       {FV_FIELD (reconstruct_grey_args, volume), .label = "3-D (whole stack)",
                        .help = "Takes the planes as one volume."},
                       {0}},
  .grain = reconstruct_grey_grain,
  .infer = reconstruct_grey_infer,
  .scratch = reconstruct_grey_scratch,
  .run = {[FV_CPU] = reconstruct_grey_cpu, [FV_CUDA] = FV_CUDA_FN (reconstruct_grey_cuda)},
  .part = FV_PART_ALIKE,
};
