/* SPDX-License-Identifier: MIT
 *
 * expand: the CPU version. Along the first axis two walks find the nearest label. On lines along the other axes (columns are copied from the image,
 * LANES at a time) pixels look at their neighbors. When they would have to look far, the lower envelope of parabolas, one above each pixel with a
 * label nearby, gives the nearest labels in linear time.
 */
#include "kernels/label/expand.h"

enum {
  LANES = 16,
  TOGETHER = 128, /* pixels of a line */
  FEW = 64,       /* pixels: up to here looking at all is faster than the envelope */
  BAND = 512,     /* columns */
};

/* ---- One line ---- */

/* A line of pixels; far: no label near enough. */
typedef struct line {
  int32_t *label, *squared; /* [n] */
  int32_t *site, *from;     /* [n]: parabolas of the envelope, and the first pixel of each */
  int32_t *new_label, *new_squared;
} line;

enum { LINE_ARRAYS = 6 };

/* The first pixel at which the parabola of b, which is behind a, is below that of a. */
static inline int64_t
first_below (int64_t a, int64_t of_a, int64_t b, int64_t of_b)
{
  int64_t above = of_b + b * b - of_a - a * a, twice = 2 * (b - a);
  int64_t floor = above / twice - (above % twice < 0);
  return floor + 1;
}

/* Returns the number of parabolas. */
static int64_t
find_envelope (const line *l, int64_t n, int32_t far)
{
  int64_t k = 0;
  for (int64_t i = 0; i < n; i++) {
    if (l->squared[i] == far)
      continue;
    int64_t from = 0;
    while (k > 0) {
      int64_t last = l->site[k - 1];
      from = first_below (last, l->squared[last], i, l->squared[i]);
      if (from > l->from[k - 1])
        break;
      k--;
      from = 0;
    }
    if (from >= n)
      continue;
    l->site[k] = (int32_t) i;
    l->from[k++] = (int32_t) from;
  }
  return k;
}

static void
take_envelope (const line *l, int64_t n, int32_t far)
{
  int64_t parabolas = find_envelope (l, n, far);
  for (int64_t i = 0, k = 0; i < n; i++) {
    while (k + 1 < parabolas && l->from[k + 1] <= i)
      k++;
    int64_t site = parabolas ? l->site[k] : 0, d = parabolas ? (i - site) * (i - site) + l->squared[site] : far;
    l->new_squared[i] = d < far ? (int32_t) d : far;
    l->new_label[i] = d < far ? l->label[site] : 0;
  }
}

/* Pixels from ... to-1 of a line look k pixels to both sides, of equally near ones at the first. */
VECTORISED static void
look_aside (const line *l, int64_t n, int64_t from, int64_t to, int64_t k, int32_t far)
{
  const int32_t square = (int32_t) (k * k);
  int32_t *label = l->new_label, *best = l->new_squared;
  for (int64_t x = from < k ? k : from; x < to; x++) {
    int32_t d = l->squared[x - k] + square;
    bool nearer = (d <= best[x]) & (d < far);
    best[x] = nearer ? d : best[x];
    label[x] = nearer ? l->label[x - k] : label[x];
  }
  for (int64_t x = from; x < (to < n - k ? to : n - k); x++) {
    int32_t d = l->squared[x + k] + square;
    bool nearer = d < best[x];
    best[x] = nearer ? d : best[x];
    label[x] = nearer ? l->label[x + k] : label[x];
  }
}

VECTORISED static int32_t
farthest (const int32_t *squared, int64_t n)
{
  int32_t most = 0;
  for (int64_t x = 0; x < n; x++)
    most = squared[x] > most ? squared[x] : most;
  return most;
}

static void
take_nearest (const line *l, int64_t n, int32_t far)
{
  memcpy (l->new_label, l->label, (size_t) n * sizeof *l->label);
  memcpy (l->new_squared, l->squared, (size_t) n * sizeof *l->squared);
  for (int64_t from = 0; from < n; from += TOGETHER) {
    int64_t to = from + TOGETHER < n ? from + TOGETHER : n;
    for (int64_t k = 1; k * k < far && k * k <= farthest (l->new_squared + from, to - from); k++)
      look_aside (l, n, from, to, k, far);
  }
}

/* From l->label and l->squared to l->new_label and l->new_squared. */
static void
expand_line (const line *l, int64_t n, int32_t far)
{
  if (far <= FEW * FEW)
    take_nearest (l, n, far);
  else
    take_envelope (l, n, far);
}

/* ---- All lines along an axis ---- */

typedef struct expansion {
  const fv_array *in, *out;
  int32_t *squared, *memory; /* memory: of each thread, thread_room () numbers */
  int32_t far;
} expansion;

static int64_t
thread_room (const int64_t shape[3])
{
  int64_t longest = shape[1] > shape[2] ? shape[1] : shape[2];
  return longest * (LINE_ARRAYS + 2 * LANES);
}

static int32_t *
squared_row (const expansion *e, int64_t z, int64_t y)
{
  return e->squared + (z * array_rows (e->in) + y) * array_columns (e->in);
}

/* Up to LANES columns of a plane from `first` on, out of the image and back. */
static void
expand_columns (const expansion *e, int64_t z, int64_t first, int32_t *memory)
{
  int64_t n = array_rows (e->in), lanes = array_columns (e->in) - first;
  int32_t *taken = memory + LINE_ARRAYS * n;
  lanes = lanes < LANES ? lanes : LANES;
  for (int64_t y = 0; y < n; y++)
    for (int64_t j = 0; j < lanes; j++) {
      taken[2 * j * n + y] = ((const int32_t *) array_row (e->out, z, y))[first + j];
      taken[(2 * j + 1) * n + y] = squared_row (e, z, y)[first + j];
    }
  for (int64_t j = 0; j < lanes; j++) {
    line l = {taken + 2 * j * n, taken + (2 * j + 1) * n, memory, memory + n, memory + 2 * n, memory + 3 * n};
    expand_line (&l, n, e->far);
    memcpy (l.label, l.new_label, (size_t) n * sizeof *l.label);
    memcpy (l.squared, l.new_squared, (size_t) n * sizeof *l.squared);
  }
  for (int64_t y = 0; y < n; y++)
    for (int64_t j = 0; j < lanes; j++) {
      ((int32_t *) array_row (e->out, z, y))[first + j] = taken[2 * j * n + y];
      squared_row (e, z, y)[first + j] = taken[(2 * j + 1) * n + y];
    }
}

static void
expand_all_columns (const expansion *e, progress *p)
{
  int64_t bundles = (array_columns (e->in) + LANES - 1) / LANES, room = thread_room (e->in->tensor.shape);
#pragma omp parallel for schedule(static, 4)
  for (int64_t i = 0; i < array_planes (e->in) * bundles; i++) {
    if (progress_stopped (p))
      continue;
    expand_columns (e, i / bundles, i % bundles * LANES, e->memory + thread_index () * room);
    progress_step (p, 0);
  }
}

/* The last axis: squared distances are not needed any more. */
static void
expand_all_rows (const expansion *e, progress *p)
{
  int64_t rows = array_rows (e->in), n = array_columns (e->in), room = thread_room (e->in->tensor.shape);
#pragma omp parallel for schedule(static, 16)
  for (int64_t i = 0; i < array_planes (e->in) * rows; i++) {
    int32_t *memory = e->memory + thread_index () * room, *labels = array_row (e->out, i / rows, i % rows);
    line l = {memory, e->squared + i * n, memory + n, memory + 2 * n, labels, memory + 3 * n};
    if (progress_stopped (p))
      continue;
    memcpy (memory, labels, (size_t) n * sizeof *labels);
    expand_line (&l, n, e->far);
    progress_step (p, 1);
  }
}

/* What a walk along the first axis has met last in each column, and how many pixels ago. */
typedef struct last_met {
  int32_t label[BAND], ago[BAND];
} last_met;

/* A row of a walk. first: the one that comes before the other, which takes what is nearer. */
VECTORISED static void
walk_row (last_met *restrict met, const int32_t *restrict in, int32_t *restrict label, int32_t *restrict squared,
          int64_t n, int32_t far, bool first)
{
  for (int64_t x = 0; x < n; x++) {
    int32_t ago = met->ago[x] < EXPAND_FARTHEST ? met->ago[x] + 1 : EXPAND_FARTHEST + 1;
    met->ago[x] = in[x] ? 0 : ago;
    met->label[x] = in[x] ? in[x] : met->label[x];
    int32_t d = met->ago[x] * met->ago[x], before = first ? far : squared[x];
    squared[x] = d < before ? d : before;
    label[x] = d < before ? met->label[x] : first ? 0 : label[x];
  }
}

/* The first axis, from the input: forth and back through columns from ... from+n-1. */
static void
walk_columns (const expansion *e, bool volume, int64_t sheet, int64_t from, int64_t n)
{
  int64_t count = volume ? array_planes (e->in) : array_rows (e->in);
  for (int turn = 0; turn < 2; turn++) {
    last_met met;
    for (int64_t x = 0; x < n; x++)
      met.label[x] = 0, met.ago[x] = EXPAND_FARTHEST;
    for (int64_t i = 0; i < count; i++) {
      int64_t at = turn ? count - 1 - i : i, z = volume ? at : sheet, y = volume ? sheet : at;
      walk_row (&met, (const int32_t *) array_row (e->in, z, y) + from, (int32_t *) array_row (e->out, z, y) + from,
                squared_row (e, z, y) + from, n, e->far, turn == 0);
    }
  }
}

static void
walk_first_axis (const expansion *e, bool volume, progress *p)
{
  int64_t columns = array_columns (e->in), bands = (columns + BAND - 1) / BAND;
  int64_t sheets = volume ? array_rows (e->in) : array_planes (e->in);
#pragma omp parallel for schedule(static, 1)
  for (int64_t i = 0; i < sheets * bands; i++) {
    int64_t from = i % bands * BAND;
    if (!progress_stopped (p))
      walk_columns (e, volume, i / bands, from, columns - from < BAND ? columns - from : BAND);
    progress_step (p, 0);
  }
}

static int64_t
expand_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const int64_t *shape = in[0]->shape;
  (void) op, (void) args;
  return (shape[0] * shape[1] * shape[2] + threads_at_most () * thread_room (shape)) * (int64_t) sizeof (int32_t);
}

static fv_status
expand_cpu (const fv_call *call, fv_error *error)
{
  const expand_args *args = call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t rows = array_planes (in) * array_rows (in);
  expansion e = {in, out, .far = expand_reach (args) + 1};
  fv_status status = call->host->scratch (call, (size_t) expand_scratch (call->op, args, (const fv_grid *[]){in->grid}),
                                          (void **) &e.squared, error);
  if (status)
    return status;
  e.memory = e.squared + rows * array_columns (in);
  progress p = {call, .total = rows};
  walk_first_axis (&e, args->volume, &p);
  if (args->volume)
    expand_all_columns (&e, &p);
  expand_all_rows (&e, &p);
  return p.stop ? cancelled (error) : FV_OK;
}

static fv_grain
expand_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const expand_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static void
expand_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  const expand_args *a = args;
  (void) op, (void) input;
  halo[1] = halo[2] = (int64_t) ceil (a->distance);
  halo[0] = a->volume ? halo[1] : 0;
}

const fv_op fv_op_expand = {
  FV_OP (expand_args),
  .key = "expand",
  .menu = "Analyze",
  .label = "Expand Objects...",
  .search = "grow dilate labels objects cells ring cytoplasm",
  .help = "Makes the objects of a label image grow into the background without touching each other's pixels.",
  .kind = FV_LOCAL,
  .inputs =
    (const fv_input[]){{"image", "Labels", "The label image: 0 is background, and each other value is an object.",
                        FV_I32 | FV_WANTS_LABELS, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Objects"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (expand_args, distance), .label = "Distance", .unit = FV_PIXELS, .max = EXPAND_MOST,
                        .soft_max = 50, .def = 1, .help = "How far objects grow at most, between centers of pixels."},
                       {FV_FIELD (expand_args, volume), .label = "3-D (whole stack)",
                        .help = "Takes the planes as one volume, in which objects grow along z, too."},
                       {0}},
  .grain = expand_grain,
  .halo = expand_halo,
  .scratch = expand_scratch,
  .run = {[FV_CPU] = expand_cpu, [FV_CUDA] = FV_CUDA_FN (expand_cuda)},
};
