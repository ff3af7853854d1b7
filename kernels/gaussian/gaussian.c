/* SPDX-License-Identifier: MIT
 *
 * gaussian on the CPU. Rows that are blurred along x wait in a ring, in float or double, until all that a band of
 * output rows needs is there. Each thread has a ring and takes parts of planes; where these would be too few, all
 * threads fill and empty one ring together. A volume is blurred plane by plane, into the output itself where that is of
 * the working type, and then along z in place.
 */
#include "kernels/gaussian/gaussian.h"
#include "kernels/common/scratch_image.h"
#include "kernels/gaussian/gaussian_imagej.h"
#include "kernels/gaussian/gaussian_weights.h"

#include "kernels/common/imagej.h"
#include "kernels/common/row.h"

enum {
  LINE_BLOCK = 16384,    /* pixels that one job blurs along x */
  SEGMENT = 512,         /* pixels at a time: sums and inputs stay in the first cache */
  TILE_COLUMNS = 1024,   /* of a job along y, */
  BAND_ROWS = 32,        /* output rows for which a thread's ring is filled, in */
  STRIPE_BYTES = 24576,  /* stripes so narrow that a window's rows stay in the first cache */
  PART_ROWS = 128,       /* of a plane that a thread takes, or 8 radii: it blurs 2 radii of its neighbors' rows too */
  RING_BYTES = 1 << 26,  /* of the common ring */
  STACK_BYTES = 1 << 18, /* a column of z-lines */
};

/* sum[i] = START and the next N taps. */
#define ADD_TAPS(T, FMA, N, START)                                                                                     \
  {                                                                                                                    \
    const T *line[N];                                                                                                  \
    T w[N];                                                                                                            \
    for (int t = 0; t < N; t++) {                                                                                      \
      line[t] = (const T *) lines[k + t] + at;                                                                         \
      w[t] = weights[k + t];                                                                                           \
    }                                                                                                                  \
    _Pragma ("omp simd") for (int64_t i = 0; i < n; i++)                                                               \
    {                                                                                                                  \
      T v = START;                                                                                                     \
      for (int t = 0; t < N; t++)                                                                                      \
        v = FMA (w[t], line[t][i], v);                                                                                 \
      sum[i] = v;                                                                                                      \
    }                                                                                                                  \
    k += N;                                                                                                            \
  }

/* result[i] = the sum over k < taps of weights[k] lines[k][at + i], in the order of gaussian.h, in blocks of so many taps. It takes eight at a
 * time, except for the first of a block. `taps` is odd. */
#define DEFINE_WEIGH(NAME, T, FMA, BLOCK)                                                                              \
  VECTORISED static void NAME (void *result, int64_t n, void *const *lines, int64_t at, const void *table,             \
                               int64_t taps)                                                                           \
  {                                                                                                                    \
    const T *weights = table;                                                                                          \
    T block[SEGMENT], *total = result, *sum = total;                                                                   \
    for (int64_t k = 0; k < taps; sum = block) {                                                                       \
      const int64_t end = taps - k < (BLOCK) ? taps : k + (BLOCK);                                                     \
      switch (end - k == 1 ? 1 : (end - k + 6) % 8 + 2) {                                                              \
      case 1: ADD_TAPS (T, FMA, 1, 0) break;                                                                           \
      case 3: ADD_TAPS (T, FMA, 3, 0) break;                                                                           \
      case 5: ADD_TAPS (T, FMA, 5, 0) break;                                                                           \
      case 7: ADD_TAPS (T, FMA, 7, 0) break;                                                                           \
      case 9: ADD_TAPS (T, FMA, 9, 0) break;                                                                           \
      default: ADD_TAPS (T, FMA, 8, 0)                                                                                 \
      }                                                                                                                \
      while (k < end)                                                                                                  \
        ADD_TAPS (T, FMA, 8, sum[i])                                                                                   \
      for (int64_t i = 0; i < n && sum == block; i++)                                                                  \
        total[i] += block[i];                                                                                          \
    }                                                                                                                  \
  }
DEFINE_WEIGH (weigh_f32, float, fmaf, GAUSSIAN_BLOCK)
DEFINE_WEIGH (weigh_f64, double, fma, INT64_MAX)

typedef struct axis {
  int64_t radius;
  void *weights; /* [2 radius + 1] of the working type, from the first tap on */
} axis;

/* Memory of one thread. */
typedef struct workspace {
  void *line;   /* a padded row, or the z-lines of a block of columns */
  void **lines; /* what a window reads: 2 radius + 1 lines and more for windows that overlap */
  void *ring;
  double sum[SEGMENT];
} workspace;

typedef struct blur {
  const fv_call *call;
  progress progress;
  axis axes[3];
  fv_type type;  /* the working type */
  int64_t bytes; /* of one such number */
  border border;
  double value[3]; /* outside, before the pass along each axis */
  void *outside;   /* a row of what is outside along y, then along z */
  int64_t threads;
  workspace *workspaces;
  bool common;                      /* one ring for all */
  int64_t part, band, pitch, slots; /* row y is at ring row (y mod slots) */
} blur;

/* A ring, and the band of output rows that it is for. */
typedef struct band {
  const fv_array *in, *out;
  int64_t plane, from, to; /* rows from ... to - 1 of the input are to be added, */
  int64_t y0, y1;          /* then rows y0 ... y1 - 1 of the output can be made */
  void *ring;
} band;

static int64_t
least (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static void
row_to (const blur *b, void *to, const void *from, fv_type type, int64_t n)
{
  (b->type == FV_F32 ? row_to_f32 : row_to_f64) (to, from, type, n);
}

static void
row_from (const blur *b, void *to, fv_type type, const void *from, int64_t n)
{
  (b->type == FV_F32 ? row_from_f32 : row_from_f64) (to, type, from, n);
}

static void
weigh (const blur *b, void *sum, int64_t n, void *const *lines, int64_t at, const axis *axis)
{
  (b->type == FV_F32 ? weigh_f32 : weigh_f64) (sum, n, lines, at, axis->weights, 2 * axis->radius + 1);
}

static void
put (const blur *b, void *to, int64_t i, double v)
{
  if (b->type == FV_F32)
    ((float *) to)[i] = (float) v;
  else
    ((double *) to)[i] = v;
}

static void *
at (const blur *b, void *base, int64_t i)
{
  return (char *) base + i * b->bytes;
}

static void *
at_row (const fv_array *a, int64_t plane, int64_t row, int64_t column)
{
  return (char *) array_row (a, plane, row) + column * (int64_t) type_bytes (a->grid->type);
}

/* ---- Along z ---- */

/* Columns x0 ... x0 + n - 1 of row y, through all planes. */
static void
blur_z (const blur *b, workspace *own, const fv_array *in, const fv_array *out, int64_t y, int64_t x0, int64_t n)
{
  const axis *z = &b->axes[0];
  int64_t depth = array_planes (in);
  for (int64_t p = 0; p < depth; p++)
    row_to (b, at (b, own->line, p * n), at_row (in, p, y, x0), in->grid->type, n);
  for (int64_t i = 0; i < depth + 2 * z->radius; i++) {
    int64_t p = border_index (i - z->radius, depth, b->border);
    own->lines[i] = p < 0 ? b->outside : at (b, own->line, p * n);
  }
  for (int64_t p = 0; p < depth; p++) {
    weigh (b, own->sum, n, own->lines + p, 0, z);
    row_from (b, at_row (out, p, y, x0), out->grid->type, own->sum, n);
  }
}

static int64_t
stack_width (const blur *b, int64_t depth)
{
  int64_t width = STACK_BYTES / (depth * b->bytes);
  return width < 16 ? 16 : least (width, SEGMENT);
}

static void
blur_stack (blur *b, const fv_array *in, const fv_array *out)
{
  int64_t rows = array_rows (in), columns = array_columns (in), width = stack_width (b, array_planes (in));
  int64_t blocks = (columns + width - 1) / width;

#pragma omp parallel for collapse(2) schedule(dynamic, 8)
  for (int64_t y = 0; y < rows; y++)
    for (int64_t block = 0; block < blocks; block++) {
      int64_t x0 = block * width;
      if (progress_stopped (&b->progress))
        continue;
      blur_z (b, &b->workspaces[thread_index ()], in, out, y, x0, least (columns - x0, width));
      progress_step (&b->progress, array_planes (in) * least (columns - x0, width));
    }
}

/* ---- Along x ---- */

/* Pixel x of a row, where x may lie outside it. */
static double
pixel_padded (const blur *b, const void *row, fv_type type, int64_t columns, int64_t x)
{
  int64_t i = border_index (x, columns, b->border);
  return i < 0 ? b->value[2] : pixel_get (row, type, i);
}

/* Pixels x0 ... x1 - 1 of a row into `line`; some of them lie inside the row. */
static void
read_padded (const blur *b, void *line, const void *row, fv_type type, int64_t columns, int64_t x0, int64_t x1)
{
  int64_t from = x0 < 0 ? 0 : x0, to = least (x1, columns);
  row_to (b, at (b, line, from - x0), (const char *) row + from * (int64_t) type_bytes (type), type, to - from);
  for (int64_t x = x0; x < from; x++)
    put (b, line, x - x0, pixel_padded (b, row, type, columns, x));
  for (int64_t x = to; x < x1; x++)
    put (b, line, x - x0, pixel_padded (b, row, type, columns, x));
}

static void *
ring_row (const blur *b, const band *d, int64_t y)
{
  return at (b, d->ring, y % b->slots * b->pitch);
}

/* Rows y0 ... y1 - 1, columns x0 ... x1 - 1 into the ring. */
static void
blur_x (const blur *b, const band *d, workspace *own, int64_t y0, int64_t y1, int64_t x0, int64_t x1)
{
  const axis *x = &b->axes[2];
  int64_t r = x->radius;
  for (int64_t i = 0; i <= 2 * r; i++)
    own->lines[i] = at (b, own->line, i);
  for (int64_t y = y0; y < y1; y++) {
    void *to = ring_row (b, d, y);
    read_padded (b, own->line, array_row (d->in, d->plane, y), d->in->grid->type, array_columns (d->in), x0 - r,
                 x1 + r);
    for (int64_t s = x0; s < x1; s += SEGMENT)
      weigh (b, at (b, to, s), least (x1 - s, SEGMENT), own->lines, s - x0, x);
  }
}

/* ---- Along y ---- */

/* Rows y0 ... y1 - 1, columns x0 ... x1 - 1 of the output, from the ring. */
static void
blur_y (const blur *b, const band *d, workspace *own, int64_t y0, int64_t y1, int64_t x0, int64_t x1)
{
  const axis *y = &b->axes[1];
  int64_t r = y->radius, stripe = STRIPE_BYTES / b->bytes / (2 * r + 2) / 16 * 16;
  stripe = stripe < 32 ? 32 : least (stripe, SEGMENT);
  for (int64_t i = 0; i < y1 - y0 + 2 * r; i++) {
    int64_t row = border_index (y0 - r + i, array_rows (d->out), b->border);
    own->lines[i] = row < 0 ? b->outside : ring_row (b, d, row);
  }
  for (int64_t s = x0; s < x1; s += stripe)
    for (int64_t i = 0; i < y1 - y0; i++) {
      int64_t n = least (x1 - s, stripe);
      weigh (b, own->sum, n, own->lines + i, s, y);
      row_from (b, at_row (d->out, d->plane, y0 + i, s), d->out->grid->type, own->sum, n);
    }
}

/* ---- Both, in jobs of a few milliseconds ---- */

/* A range of rows and columns cut into jobs. */
typedef struct jobs {
  int64_t first, last, tall, columns, wide, across, count;
} jobs;

static jobs
jobs_of (int64_t first, int64_t last, int64_t tall, int64_t columns, int64_t wide)
{
  jobs j = {first, last, tall, columns, wide, (columns + wide - 1) / wide, 0};
  j.count = (last - first + tall - 1) / tall * j.across;
  return j;
}

static jobs
jobs_x (const blur *b, const band *d)
{
  int64_t columns = array_columns (d->in);
  return jobs_of (d->from, d->to, LINE_BLOCK / (columns + 2 * b->axes[2].radius) + 1, columns, LINE_BLOCK);
}

static jobs
jobs_y (const blur *b, const band *d)
{
  int64_t tall = (1 << 26) / TILE_COLUMNS / (2 * b->axes[1].radius + 1);
  return jobs_of (d->y0, d->y1, tall < 1 ? 1 : least (tall, BAND_ROWS), array_columns (d->out), TILE_COLUMNS);
}

static void
do_job (blur *b, const band *d, workspace *own, const jobs *j, int64_t i, bool along_y)
{
  int64_t y0 = j->first + i / j->across * j->tall, y1 = least (y0 + j->tall, j->last);
  int64_t x0 = i % j->across * j->wide, x1 = least (x0 + j->wide, j->columns);
  if (progress_stopped (&b->progress))
    return;
  (along_y ? blur_y : blur_x) (b, d, own, y0, y1, x0, x1);
  progress_step (&b->progress, along_y ? (y1 - y0) * (x1 - x0) : 0);
}

/* The next band of rows up to `last`; false: there is none. */
static bool
next_band (const blur *b, band *d, int64_t last)
{
  d->y0 = d->y1;
  d->y1 = least (d->y0 + b->band, last);
  d->from = d->to;
  d->to = b->border == BORDER_WRAP ? array_rows (d->in) : least (d->y1 + b->axes[1].radius, array_rows (d->in));
  return d->y0 < last;
}

/* A part of a plane by one thread. Parts of one plane never work in place. */
static void
blur_part (blur *b, workspace *own, const fv_array *in, const fv_array *out, int64_t plane, int64_t y0, int64_t y1)
{
  int64_t above = y0 - b->axes[1].radius;
  band d = {in, out, plane, .to = b->border == BORDER_WRAP || above < 0 ? 0 : above, .y1 = y0, .ring = own->ring};
  while (next_band (b, &d, y1)) {
    jobs x = jobs_x (b, &d), y = jobs_y (b, &d);
    for (int64_t i = 0; i < x.count; i++)
      do_job (b, &d, own, &x, i, false);
    for (int64_t i = 0; i < y.count; i++)
      do_job (b, &d, own, &y, i, true);
  }
}

/* A plane by all threads. The second loop starts when the first has ended in all of them. */
static void
blur_plane (blur *b, const fv_array *in, const fv_array *out, int64_t plane)
{
  band d = {in, out, plane, .ring = b->workspaces[0].ring};
  while (next_band (b, &d, array_rows (out))) {
    jobs x = jobs_x (b, &d), y = jobs_y (b, &d);
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 1)
      for (int64_t i = 0; i < x.count; i++)
        do_job (b, &d, &b->workspaces[thread_index ()], &x, i, false);
#pragma omp for schedule(dynamic, 1)
      for (int64_t i = 0; i < y.count; i++)
        do_job (b, &d, &b->workspaces[thread_index ()], &y, i, true);
    }
  }
}

static void
blur_planes (blur *b, const fv_array *in, const fv_array *out)
{
  int64_t planes = array_planes (in), rows = array_rows (in);
  for (int64_t p = 0; b->common && p < planes && !b->progress.stop; p++)
    blur_plane (b, in, out, p);
  if (b->common)
    return;
#pragma omp parallel for collapse(2) schedule(dynamic, 1)
  for (int64_t p = 0; p < planes; p++)
    for (int64_t y = 0; y < rows; y += b->part)
      blur_part (b, &b->workspaces[thread_index ()], in, out, p, y, least (y + b->part, rows));
}

/* ---- The whole ---- */

static fv_status
scratch (const fv_call *call, int64_t bytes, void *memory, fv_error *error)
{
  return call->host->scratch (call, (size_t) bytes, memory, error);
}

/* value: what is outside before the pass along that axis, and then after it. */
static fv_status
make_axis (blur *b, int i, double *value, fv_error *error)
{
  const gaussian_args *a = b->call->args;
  const fv_grid *in = b->call->inputs[0]->grid;
  axis *axis = &b->axes[i];
  double *w;
  const int64_t r = axis->radius = gaussian_radius (a, in, i);
  if (scratch (b->call, (r + 1) * (int64_t) sizeof (double), &w, error)
      || scratch (b->call, (2 * r + 1) * b->bytes, &axis->weights, error))
    return error->code;
  gaussian_axis_weights (w, a, in, i);
  for (int64_t k = 0; k <= r; k++) {
    put (b, axis->weights, r - k, a->order[i] == 1 ? -w[k] : w[k]);
    put (b, axis->weights, r + k, w[k]);
  }
  b->value[i] = *value;
  *value = gaussian_of_constant (w, r, a->order[i] == 1, b->type, *value);
  return FV_OK;
}

static fv_status
make_benches (blur *b, int64_t depth, int64_t columns, fv_error *error)
{
  int64_t line = least (columns, LINE_BLOCK) + 2 * b->axes[2].radius, stack = depth * stack_width (b, depth);
  int64_t lines[3] = {depth + 2 * b->axes[0].radius, BAND_ROWS + 2 * b->axes[1].radius, 1 + 2 * b->axes[2].radius};
  int64_t most = lines[0] > lines[1] ? lines[0] : lines[1];
  most = most > lines[2] ? most : lines[2];
  if (scratch (b->call, b->threads * (int64_t) sizeof (workspace), &b->workspaces, error))
    return error->code;
  for (int64_t t = 0; t < b->threads; t++) {
    workspace *own = &b->workspaces[t];
    if (scratch (b->call, (line > stack ? line : stack) * b->bytes, &own->line, error)
        || scratch (b->call, most * (int64_t) sizeof (void *), &own->lines, error))
      return error->code;
  }
  return FV_OK;
}

/* Chooses between rings for all threads and one in common. */
static void
choose_rings (blur *b, int64_t planes, int64_t rows, int64_t columns)
{
  int64_t r = b->axes[1].radius;
  bool wrap = b->border == BORDER_WRAP; /* the last output rows need the first input rows again */
  /* Not a power of two, so that the rows of a window do not compete for the same sets of the caches. */
  b->pitch = (columns + 31) / 16 * 16;
  b->part = wrap ? rows : 8 * r < PART_ROWS ? PART_ROWS : 8 * r;
  b->common = b->threads > 1 && planes * ((rows + b->part - 1) / b->part) < 2 * b->threads;
  b->band = BAND_ROWS;
  if (b->common && RING_BYTES / (b->pitch * b->bytes) - 2 * r > b->band)
    b->band = RING_BYTES / (b->pitch * b->bytes) - 2 * r;
  b->slots = wrap ? rows : least (b->band + 2 * r, rows);
}

static void
fill_outside (const blur *b, double value)
{
  for (int64_t x = 0; x < b->pitch; x++)
    put (b, b->outside, x, value);
}

static fv_status
make_rings (blur *b, fv_error *error)
{
  if (scratch (b->call, b->pitch * b->bytes, &b->outside, error))
    return error->code;
  fill_outside (b, b->value[1]);
  for (int64_t t = 0; t < (b->common ? 1 : b->threads); t++)
    if (scratch (b->call, b->slots * b->pitch * b->bytes, &b->workspaces[t].ring, error))
      return error->code;
  return FV_OK;
}

/* The array between the planes and the pass along z: the output, or memory like it in the working type. */
static fv_status
make_middle (const blur *b, scratch_image *made, const fv_array **middle, fv_error *error)
{
  if ((*middle)->grid->type == b->type)
    return FV_OK;
  fv_status status = scratch_image_take (b->call, *middle, b->type, FV_IMAGE, made, error);
  *middle = &made->array;
  return status;
}

static fv_status
gaussian_cpu (const fv_call *call, fv_error *error)
{
  const gaussian_args *a = call->args;
  if (a->method == GAUSSIAN_IMAGEJ)
    return gaussian_imagej_cpu (call, error);
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t planes = array_planes (in), rows = array_rows (in), columns = array_columns (in);
  const bool along_z = gaussian_along_z (a, in->grid);
  double value = a->value;
  const fv_array *middle = out;
  scratch_image made;
  blur b = {call, .progress = {call, .total = planes * rows * columns}, .border = (border) a->border,
            .threads = threads_at_most ()};
  b.type = gaussian_working_type (a, in->grid);
  b.bytes = (int64_t) type_bytes (b.type);

  for (int i = 2; i >= 0; i--)
    if (make_axis (&b, i, &value, error))
      return error->code;
  choose_rings (&b, planes, rows, columns);
  if (make_benches (&b, planes, columns, error) || make_rings (&b, error)
      || (along_z && make_middle (&b, &made, &middle, error)))
    return error->code;
  b.progress.total *= along_z ? 2 : 1;
  blur_planes (&b, in, middle);
  if (along_z && !b.progress.stop) {
    fill_outside (&b, b.value[0]);
    blur_stack (&b, middle, out);
  }
  return b.progress.stop ? cancelled (error) : FV_OK;
}

/* ---- Declaration ---- */

static fv_grain
gaussian_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const gaussian_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static void
gaussian_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  (void) op;
  const gaussian_args *a = args;
  /* wrapped, the other end is next to this one; how ImageJ shrinks a line depends on where it begins and ends */
  for (int axis = 0; axis < 3; axis++)
    halo[axis] = a->method == GAUSSIAN_IMAGEJ ? (axis ? input->shape[axis] : 0)
                 : a->border == BORDER_WRAP   ? input->shape[axis]
                                              : gaussian_radius (a, input, axis);
}

static fv_type
gaussian_output_type (const gaussian_args *a, const fv_grid *in)
{
  return filter_type (in, a->output == GAUSSIAN_FLOAT);
}

/* A product for each pixel under the kernel of each axis. */
static double
gaussian_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  if (((const gaussian_args *) args)->method == GAUSSIAN_IMAGEJ)
    return gaussian_imagej_arithmetic (args, in[0]);
  double products = 0;
  for (int axis = 0; axis < 3; axis++)
    products += 2.0 * (double) gaussian_radius (args, in[0], axis) + 1;
  return products;
}

/* The rings, and what is between the planes and the pass along z. */
static int64_t
gaussian_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  const gaussian_args *a = args;
  const int64_t *n = in[0]->shape;
  if (a->method == GAUSSIAN_IMAGEJ)
    return gaussian_imagej_scratch (a, in[0]);
  bool stack = gaussian_along_z (a, in[0]);
  blur b = {.border = (border) a->border, .threads = threads_at_most (), .type = gaussian_working_type (a, in[0])};
  b.bytes = (int64_t) type_bytes (b.type);
  b.axes[1].radius = gaussian_radius (a, in[0], 1);
  choose_rings (&b, n[0], n[1], n[2]);
  int64_t rings = (b.common ? 1 : b.threads) * b.slots * b.pitch * b.bytes;
  return rings + (stack && b.type != gaussian_output_type (a, in[0]) ? n[0] * n[1] * n[2] * b.bytes : 0);
}

static fv_status
gaussian_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  const gaussian_args *a = args;
  if (a->sigma.n < 1)
    return fail (error, FV_BAD_ARGUMENT, "sigma", "Give one number for all axes, or y,x, or z,y,x.");
  if (a->sigma.n == 3 && !a->volume && a->sigma.v[0] != 0)
    return fail (error, FV_BAD_ARGUMENT, "sigma",
                 "Three numbers are z,y,x, but planes are blurred one by one: give y,x, or turn 3-D on.");
  if (a->method == GAUSSIAN_IMAGEJ && a->volume)
    return fail (error, FV_BAD_ARGUMENT, "method", "ImageJ's Gaussian blurs planes one by one: turn 3-D off.");
  for (int axis = 0; axis < 3; axis++)
    if (gaussian_radius (a, in[0], axis) > GAUSSIAN_MAX_RADIUS)
      return fail (error, FV_BAD_ARGUMENT, "sigma",
                   "Sigma is %.6g pixels along %c; with this truncation at most %.6g are possible.",
                   gaussian_sigma (a, in[0], axis), "zyx"[axis], GAUSSIAN_MAX_RADIUS / a->truncate);
  filter_grid (in[0], gaussian_output_type (a, in[0]), out[0]);
  return FV_OK;
}

const fv_op fv_op_gaussian = {
  FV_OP (gaussian_args),
  .key = "gaussian",
  .menu = "Process/Filters",
  .label = "Gaussian Blur...",
  .search = "smooth denoise noise low pass filter",
  .imagej = (const fv_imagej[]){{.command = "Gaussian Blur...",
                                 .args = "method=imagej output=same",
                                 IMAGEJ_WORDS ({"sigma=", "sigma="}, {"scaled", "units=physical"}, IMAGEJ_STACK),
                                 IMAGEJ_FILTER},
                                {0}},
  .help = "Blurs with a Gaussian, each plane by itself or the whole stack.",
  .kind = FV_LOCAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Blurred"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (gaussian_args, sigma), .label = "Sigma", .unit = FV_PIXELS, .def_text = "2", .max = 1000,
       .soft_min = 0.3, .soft_max = 50, .scale = FV_LOG,
       .help = "Standard deviation of the Gaussian: one number for all axes, or y,x, or z,y,x."},
      {FV_FIELD (gaussian_args, units), .label = "Units of sigma", .advanced = true,
       .choices = (const fv_choice[]){{"pixel", "Pixels", "Sigma is in pixels."},
                                      {"physical", "Scaled units", "Sigma is in the unit of the image's pixel size."},
                                      {0}},
       .help = "Whether sigma counts pixels or is a length in the image's unit."},
      {FV_FIELD (gaussian_args, truncate), .label = "Truncate", .advanced = true, .def = 4, .max = 20, .soft_min = 2,
       .soft_max = 6, .enabled = "method=sampled", .help = "How many standard deviations the kernel reaches."},
      {FV_FIELD (gaussian_args, border), .label = "Border", .advanced = true, .enabled = "method=sampled",
       .choices = (const fv_choice[]){BORDER_CHOICES, {0}}, .help = "Values outside the image."},
      {FV_FIELD (gaussian_args, value), .label = "Value outside", .advanced = true, .enabled = "border=constant",
       .help = "The constant outside the image."},
      {FV_FIELD (gaussian_args, output), .label = "Output", .advanced = true,
       .choices = (const fv_choice[]){{"float", "32-bit float", "32-bit float, or 64-bit for a 64-bit image."},
                                      {"same", "Like the input", "The input's type, rounded to nearest."},
                                      {0}},
       .help = "Type of the result."},
      GAUSSIAN_METHOD,
      {FV_FIELD (gaussian_args, volume), .label = "3-D (whole stack)",
       .help = "Blurs along z too, taking the planes as one volume."},
      {0}},
  .grain = gaussian_grain,
  .halo = gaussian_halo,
  .infer = gaussian_infer,
  .scratch = gaussian_scratch,
  .arithmetic = gaussian_arithmetic,
  .by_rows = 1 << FV_CUDA,
  .values = FV_VALUES_SAME,
  .run = {[FV_CPU] = gaussian_cpu, [FV_CUDA] = FV_CUDA_FN (gaussian_cuda)},
};
