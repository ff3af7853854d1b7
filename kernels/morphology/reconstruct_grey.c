/* SPDX-License-Identifier: MIT
 *
 * reconstruct_grey: the CPU version. Bits tell which pixels are open: they can rise, and a neighbor has changed since they were looked at.
 * A run of them takes what the rows of neighbors have, and what comes runs along the row to the right and to the left. Sweeps go down and
 * up through a strip of rows until nothing is open; strips take turns with those beside them. The result does not depend on the order.
 */
#include "kernels/morphology/reconstruct_grey.h"

#include "kernels/common/alike.h"
#include "kernels/common/bits.h"
#include "kernels/morphology/pieces.h"

enum {
  STRIP = 1 << 18, /* pixels of a strip, about */
  PART = 512,      /* pixels of a run at most */
  WORD = 64,       /* pixels of a row in one word (bits.h) */
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
  int64_t words;                        /* of a row */
  uint64_t *can,
    *open; /* [planes * rows * words]: pixels that begin below the mask, and those of them to be looked at */
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

static uint64_t *
row_words (const field *f, uint64_t *bits, int64_t row)
{
  return bits + row * f->words;
}

/* ---- One row ---- */

/* best(x) = the highest of x and its neighbors. ABOVE (a, b): a is higher than b, and neither is NaN. */
#define DEFINE_ROW(NAME, T, ABOVE)                                                                                     \
  VECTORISED static void begin_##NAME (T *to, const T *seed, const T *restrict mask, uint8_t *restrict can, int64_t n) \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++) {                                                                                  \
      T own = ((mask[x] != mask[x]) | (ABOVE (seed[x], mask[x]))) ? mask[x] : seed[x];                                 \
      to[x] = own;                                                                                                     \
      can[x] = ABOVE (mask[x], own);                                                                                   \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  /* Of the neighbors in another row, up to `reach` columns away. */                                                   \
  INLINE void best_##NAME (T *restrict best, const T *restrict near, int reach, stretch run, int64_t columns)          \
  {                                                                                                                    \
    int64_t n = run.to - run.from;                                                                                     \
    const T *at = near + run.from;                                                                                     \
    if (reach && run.from > 0 && run.to < columns)                                                                     \
      for (int64_t x = 0; x < n; x++) {                                                                                \
        T high = ABOVE (at[x], best[x]) ? at[x] : best[x];                                                             \
        high = ABOVE (at[x - 1], high) ? at[x - 1] : high;                                                             \
        best[x] = ABOVE (at[x + 1], high) ? at[x + 1] : high;                                                          \
      }                                                                                                                \
    else                                                                                                               \
      for (int d = -reach; d <= reach; d++) {                                                                          \
        int64_t low = run.from + d < 0 ? 1 : 0, high = run.to + d > columns ? n - 1 : n;                               \
        for (int64_t x = low; x < high; x++)                                                                           \
          best[x] = ABOVE (at[x + d], best[x]) ? at[x + d] : best[x];                                                  \
      }                                                                                                                \
  }                                                                                                                    \
                                                                                                                       \
  /* Raises the pixel to min(mask, incoming), which becomes *come, too. A NaN mask leaves it unchanged. */             \
  static inline bool rise_##NAME (T *own, T mask, T *come)                                                             \
  {                                                                                                                    \
    T was = *own, best = ABOVE (*come, was) ? *come : was;                                                             \
    *own = *come = ABOVE (best, mask) ? mask : best;                                                                   \
    return ABOVE (*own, was);                                                                                          \
  }                                                                                                                    \
                                                                                                                       \
  /* The pixels of a run of open ones, and on along the row as long as they change: from where to where they have. */  \
  VECTORISED static stretch raise_##NAME (void *pixels, const void *limits, const void *const *near, const int *reach, \
                                          int n_near, stretch run, int64_t columns)                                    \
  {                                                                                                                    \
    T *row = pixels, best[PART], come;                                                                                 \
    const T *mask = limits;                                                                                            \
    stretch changed = {columns, 0};                                                                                    \
    int64_t x = run.from;                                                                                              \
    memcpy (best, row + run.from, (size_t) (run.to - run.from) * sizeof (T));                                          \
    for (int i = 0; i < n_near; i++)                                                                                   \
      best_##NAME (best, near[i], reach[i], run, columns);                                                             \
    come = row[x > 0 ? x - 1 : 0];                                                                                     \
    for (; x < run.to; x++) {                                                                                          \
      T here = best[x - run.from];                                                                                     \
      come = ABOVE (come, here) ? come : here;                                                                         \
      bool now = rise_##NAME (row + x, mask[x], &come);                                                                \
      changed.from = now && x < changed.from ? x : changed.from;                                                       \
      changed.to = now ? x + 1 : changed.to;                                                                           \
    }                                                                                                                  \
    while (x < columns && rise_##NAME (row + x, mask[x], &come)) {                                                     \
      changed.from = x < changed.from ? x : changed.from;                                                              \
      changed.to = ++x;                                                                                                \
    }                                                                                                                  \
    come = row[x < columns ? x : columns - 1];                                                                         \
    while (--x >= 0) {                                                                                                 \
      bool now = rise_##NAME (row + x, mask[x], &come);                                                                \
      if (!now && x < run.from)                                                                                        \
        break;                                                                                                         \
      changed.from = now && x < changed.from ? x : changed.from;                                                       \
      changed.to = now && x >= changed.to ? x + 1 : changed.to;                                                        \
    }                                                                                                                  \
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

/* Flags of 0 and 1; n of them, and as many more as fill a word. */
static void
pack (uint64_t *words, const uint8_t *flags, int64_t n)
{
  for (int64_t w = 0; w * WORD < n; w++) {
    words[w] = 0;
    for (int i = 0; i < WORD; i += 8)
      words[w] |= bits_of_eight (flags + w * WORD + i) << i;
  }
}

static void
begin_row (const field *f, const fv_array *seed, int64_t row)
{
  char *to = field_row (f, f->out, row);
  const char *from = field_row (f, seed, row), *mask = field_row (f, f->mask, row);
  size_t bytes = type_bytes (f->out->grid->type);
  uint64_t *can = row_words (f, f->can, row);
  uint8_t flags[PART];
  for (int64_t x = 0; x < f->columns; x += PART) {
    size_t at = (size_t) x * bytes;
    int64_t n = f->columns - x < PART ? f->columns - x : PART;
    if (f->down)
      WITH_TYPE (f->out->grid->type, begin_down, (void *) (to + at), (const void *) (from + at),
                 (const void *) (mask + at), flags, n)
    else
      WITH_TYPE (f->out->grid->type, begin_up, (void *) (to + at), (const void *) (from + at),
                 (const void *) (mask + at), flags, n)
    memset (flags + n, 0, (size_t) (PART - n));
    pack (can + x / WORD, flags, n);
  }
  memcpy (row_words (f, f->open, row), can, (size_t) f->words * sizeof *can);
}

/* The row that is neighbor i of a row, or -1. */
static int64_t
near_row (const field *f, int64_t row, int i)
{
  int64_t z = row / f->rows + f->near[i].dz, y = row % f->rows + f->near[i].dy;
  return z < 0 || z >= f->planes || y < 0 || y >= f->rows ? -1 : z * f->rows + y;
}

/* The bits of pixels low ... high-1 of a word. */
static uint64_t
bits_between (int64_t low, int64_t high)
{
  return (high < WORD ? (UINT64_C (1) << high) - 1 : UINT64_MAX) & UINT64_MAX << low;
}

/* Pixels from ... to-1 of a row are open from now on, those that can rise. */
static void
open_again (const field *f, int64_t row, stretch s)
{
  uint64_t *open = row_words (f, f->open, row);
  const uint64_t *can = row_words (f, f->can, row);
  for (int64_t w = s.from / WORD; w * WORD < s.to; w++) {
    int64_t low = s.from - w * WORD, high = s.to - w * WORD;
    open[w] |= can[w] & bits_between (low > 0 ? low : 0, high);
  }
}

/* The first run of open pixels from word *w on, which are open no more: empty when there is none. */
static stretch
take_run (uint64_t *open, int64_t words, int64_t *w)
{
  while (*w < words && !open[*w])
    ++*w;
  if (*w == words)
    return (stretch){0, 0};
  int64_t low = __builtin_ctzll (open[*w]);
  stretch run = {*w * WORD + low, 0};
  for (;;) {
    uint64_t gaps = ~open[*w] & UINT64_MAX << low;
    int64_t high = gaps ? __builtin_ctzll (gaps) : WORD;
    open[*w] &= ~bits_between (low, high);
    run.to = *w * WORD + high;
    if (high < WORD || *w + 1 == words || run.to - run.from + WORD > PART)
      return run;
    low = 0;
    ++*w;
  }
}

/* Does what is open in a row; what is beside what has changed is open in the rows of neighbors. False: nothing is open. */
static bool
do_row (const field *f, int64_t row)
{
  const void *near[8], *mask = field_row (f, f->mask, row);
  void *pixels = field_row (f, f->out, row);
  uint64_t *open = row_words (f, f->open, row);
  int64_t others[8], w = 0;
  int reach[8], n = 0;
  stretch run = take_run (open, f->words, &w);
  if (!run.to)
    return false;
  for (int i = 0; i < f->n_near; i++) {
    others[n] = near_row (f, row, i);
    if (others[n] < 0)
      continue;
    near[n] = field_row (f, f->out, others[n]);
    reach[n++] = f->reach[i];
  }
  for (; run.to; run = take_run (open, f->words, &w)) {
    stretch changed;
    if (f->down)
      WITH_TYPE (f->out->grid->type, changed = raise_down, pixels, mask, near, reach, n, run, f->columns)
    else
      WITH_TYPE (f->out->grid->type, changed = raise_up, pixels, mask, near, reach, n, run, f->columns)
    if (changed.from >= changed.to)
      continue;
    changed.from -= changed.from > 0;
    changed.to += changed.to < f->columns;
    for (int i = 0; i < n; i++)
      open_again (f, others[i], changed);
  }
  return true;
}

/* ---- Strips ---- */

/* Sweeps through a strip until nothing is open in it. True when there was something. */
static bool
do_strip (const field *f, int64_t strip)
{
  int64_t from = strip * f->strip, to = strip == f->strips - 1 ? f->planes * f->rows : from + f->strip;
  bool any = true, ever = false;
  for (int64_t sweep = 0; any && !progress_stopped (f->p); sweep++) {
    any = false;
    for (int64_t i = from; i < to; i++)
      if (do_row (f, sweep % 2 ? to - 1 - (i - from) : i)) {
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
  return 2 * (a->volume ? in[0]->shape[0] : 1) * in[0]->shape[1] * bits_words (in[0]->shape[2])
         * (int64_t) sizeof (uint64_t);
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
             .words = bits_words (array_columns (out)),
             .down = args->method == RECONSTRUCT_BY_EROSION,
             .p = &p};
  int64_t words = f.planes * rows * f.words;
  fv_status status = call->host->scratch (call, 2 * (size_t) words * sizeof *f.can, (void **) &f.can, error);
  f.open = f.can + words;
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
  if (check_alike (mask, "mask", seed, "the seed", ALIKE, error))
    return error->code;
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
  .label = "Gray Reconstruction...",
  .search = "morphological reconstruction geodesic dilation marker",
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
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = reconstruct_grey_cpu, [FV_CUDA] = FV_CUDA_FN (reconstruct_grey_cuda)},
  .part = FV_PART_ALIKE,
};
