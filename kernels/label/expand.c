/* SPDX-License-Identifier: MIT
 *
 * expand: the CPU version. Along each axis LANES neighboring lines are taken out of the image together; on each the lower
 * envelope of parabolas, one above each pixel that has a label near by, gives the nearest label of all pixels in linear time.
 */
#include "kernels/label/expand.h"

enum { LANES = 16 };

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

/* From l->label and l->squared to l->new_label and l->new_squared. */
static void
expand_line (const line *l, int64_t n, int32_t far)
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

/* ---- One axis ---- */

/* Lines along an axis, and how they lie beside each other: pixels from one to the next of a line, of lines and of sheets of
 * lines, in the labels and in the squared distances. */
typedef struct axis {
  int64_t n, lines, sheets;
  int64_t step[2], line[2], sheet[2];
} axis;

typedef struct expansion {
  const fv_array *in, *out;
  int32_t *squared, *memory; /* memory: of each thread, thread_room () numbers */
  int32_t far;
} expansion;

static int64_t
thread_room (const int64_t shape[3])
{
  int64_t longest = shape[0] > shape[1] ? shape[0] : shape[1];
  longest = longest > shape[2] ? longest : shape[2];
  return longest * (LINE_ARRAYS + 2 * LANES);
}

/* Up to LANES lines from `first` on, out of the image and back. */
static void
expand_lines (const expansion *e, const axis *a, int64_t sheet, int64_t first, int32_t *memory)
{
  int64_t n = a->n, lanes = a->lines - first < LANES ? a->lines - first : LANES;
  int32_t *labels = (int32_t *) e->out->tensor.data + sheet * a->sheet[0] + first * a->line[0];
  int32_t *squared = e->squared + sheet * a->sheet[1] + first * a->line[1], *taken = memory + LINE_ARRAYS * n;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < lanes; j++) {
      taken[2 * j * n + i] = labels[i * a->step[0] + j * a->line[0]];
      taken[(2 * j + 1) * n + i] = squared[i * a->step[1] + j * a->line[1]];
    }
  for (int64_t j = 0; j < lanes; j++) {
    line l = {taken + 2 * j * n, taken + (2 * j + 1) * n, memory, memory + n, memory + 2 * n, memory + 3 * n};
    expand_line (&l, n, e->far);
    memcpy (l.label, l.new_label, (size_t) n * sizeof *l.label);
    memcpy (l.squared, l.new_squared, (size_t) n * sizeof *l.squared);
  }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < lanes; j++) {
      labels[i * a->step[0] + j * a->line[0]] = taken[2 * j * n + i];
      squared[i * a->step[1] + j * a->line[1]] = taken[(2 * j + 1) * n + i];
    }
}

static void
expand_axis (const expansion *e, const axis *a, progress *p)
{
  int64_t bundles = (a->lines + LANES - 1) / LANES, room = thread_room (e->in->tensor.shape);
#pragma omp parallel for schedule(static, 4)
  for (int64_t i = 0; i < a->sheets * bundles; i++) {
    if (progress_stopped (p))
      continue;
    expand_lines (e, a, i / bundles, i % bundles * LANES, e->memory + thread_index () * room);
    progress_step (p, 1);
  }
}

/* ---- The operation ---- */

static void
copy_labels (const expansion *e, progress *p)
{
  int64_t rows = array_rows (e->in), n = array_columns (e->in);
#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < array_planes (e->in) * rows; i++) {
    const int32_t *from = array_row (e->in, i / rows, i % rows);
    int32_t *squared = e->squared + i * n;
    if (progress_stopped (p))
      continue;
    memcpy (array_row (e->out, i / rows, i % rows), from, (size_t) n * sizeof *from);
    for (int64_t x = 0; x < n; x++)
      squared[x] = from[x] ? 0 : e->far;
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
  int64_t planes = array_planes (in), rows = array_rows (in), columns = array_columns (in);
  const int64_t plane = out->tensor.strides[0], row = out->tensor.strides[1], page = rows * columns;
  const axis along_z = {planes, columns, rows, {plane, page}, {1, 1}, {row, columns}};
  const axis along_y = {rows, columns, planes, {row, columns}, {1, 1}, {plane, page}};
  const axis along_x = {columns, rows, planes, {1, 1}, {row, columns}, {plane, page}};
  expansion e = {in, out, .far = expand_reach (args) + 1};
  fv_status status = call->host->scratch (call, (size_t) expand_scratch (call->op, args, (const fv_grid *[]){in->grid}),
                                          (void **) &e.squared, error);
  if (status)
    return status;
  e.memory = e.squared + planes * page;
  int64_t bundles_x = (columns + LANES - 1) / LANES, bundles_y = (rows + LANES - 1) / LANES;
  progress p = {call, .total = (args->volume ? rows * bundles_x : 0) + planes * (bundles_x + bundles_y)};
  copy_labels (&e, &p);
  if (args->volume)
    expand_axis (&e, &along_z, &p);
  expand_axis (&e, &along_y, &p);
  expand_axis (&e, &along_x, &p);
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
  .help = "Makes the objects of a label image grow into the background without touching each other's pixels.",
  .kind = FV_LOCAL,
  .inputs =
    (const fv_input[]){{"image", "Labels", "The label image: 0 is background, and each other value is an object.",
                        FV_I32 | FV_WANTS_LABELS, false},
                       {0}},
  .outputs = (const fv_output[]){{"image", "Objects"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (expand_args, distance), .label = "Distance", .unit = FV_PIXELS, .max = EXPAND_MOST,
                        .soft_max = 50, .def = 1, .help = "How far objects grow at most, between centres of pixels."},
                       {FV_FIELD (expand_args, volume), .label = "3-D (whole stack)",
                        .help = "Takes the planes as one volume, in which objects grow along z, too."},
                       {0}},
  .grain = expand_grain,
  .halo = expand_halo,
  .scratch = expand_scratch,
  .run = {[FV_CPU] = expand_cpu, [FV_CUDA] = FV_CUDA_FN (expand_cuda)},
};
