/* SPDX-License-Identifier: MIT
 *
 * A job takes a tile, or a pair of them for spectra, plane after plane. By axes and by spectra what has been made of a plane stays in a
 * ring until all that a plane of the output needs is there. Sums of a spectrum mix all pixels of a tile: where some are not finite, or so
 * large that they would not stay so, the tile is done directly.
 */
#include "kernels/convolve/convolve_tiles.h"
#include "kernels/common/row.h"
#include "kernels/convolve/convolve_direct.h"
#include "kernels/convolve/convolve_spectra.h"

#include <float.h>

enum {
  TILE_ROWS = 64,
  TILE_COLUMNS = 256,
  TILE_PLANES = 4,         /* for each plane of the kernel */
  MOST_PRODUCTS = 1 << 26, /* between two questions whether to go on */
};

typedef struct tile {
  int64_t z, planes, y, x; /* of the output; no planes: the tile is empty */
} tile;

/* Memory of one thread. */
typedef struct workspace {
  void *tile[2]; /* [tile_rows][pitch] */
  void *ring;    /* [n[0]] planes of what was made of the input */
  void *block;
} workspace;

typedef struct convolution {
  const fv_call *call;
  const fv_array *in, *out;
  progress progress;
  const convolve_kernel *kernel;
  convolve_tiling tiling;
  const direct_sums *direct;
  spectra spectra;
  fv_type type;  /* the working type */
  int64_t bytes; /* of one such number */
  int64_t start[3];
  border border;
  double value;
  double most;              /* pixels in a spectrum are not larger */
  void *weights, *lines[3]; /* of the kernel, in the working type */
  int64_t down, across, tiles;
  int threads;
  workspace *workspaces; /* [threads] */
} convolution;

static int64_t
least (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t
up_to (int64_t n, int64_t multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

static int64_t
bytes_of (fv_type working)
{
  return (int64_t) type_bytes (working);
}

/* ---- Choosing ---- */

/* The costs were measured on a Zen 5. */

static convolve_tiling
tiles_of (convolve_way way, const int64_t n[3], fv_type working, const int64_t out[3])
{
  const int64_t wide = DIRECT_BYTES / bytes_of (working);
  convolve_tiling t = {.way = way, .planes = n[0] > 1 ? TILE_PLANES * n[0] : 1};
  t.rows = up_to (least (out[1], 2 * n[1] > TILE_ROWS ? 2 * n[1] : TILE_ROWS), DIRECT_ROWS);
  t.columns = up_to (least (out[2], 2 * n[2] > TILE_COLUMNS ? 2 * n[2] : TILE_COLUMNS), wide);
  t.in_rows = t.rows + n[1] - 1;
  t.in_columns = t.columns + n[2] - 1;
  t.tile_rows = up_to (t.in_rows, DIRECT_ROWS);
  t.pitch = up_to (t.in_columns, 16);
  if (way == CONVOLVE_DIRECT)
    t.cost = (double) (n[0] * n[1] * n[2]) * (1 + 3 / (double) n[1]) + 4 * (double) n[0];
  else
    t.cost = (double) (n[0] + n[1]) + 2 * (double) n[2] * (double) t.in_rows / (double) t.rows + 8;
  return t;
}

/* Tiles of rows x columns, for the transform. */
static convolve_tiling
spectra_of (int64_t rows, int64_t columns, const int64_t n[3], fv_type working, const int64_t out[3])
{
  convolve_tiling t = {.way = CONVOLVE_BY_FFT, .planes = n[0] > 1 ? TILE_PLANES * n[0] : 1};
  t.rows = rows - n[1] + 1;
  t.columns = columns - n[2] + 1;
  t.in_rows = rows;
  t.in_columns = columns;
  t.tile_rows = rows + DIRECT_ROWS;
  t.pitch = columns + DIRECT_BYTES / bytes_of (working);
  double tiles = ceil ((double) out[1] / (double) t.rows) * ceil ((double) out[2] / (double) t.columns);
  double pixels = (double) rows * (double) columns, all = (double) out[1] * (double) out[2];
  double large = fmax (0, log2 (pixels * (double) n[0]) - 14),
         wide = fmax (0, log2 ((double) columns) - 9); /* than the caches */
  t.cost = (tiles + 1) * pixels / all * (96 + 8 * large * large + 50 * wide + 4 * (double) n[0]);
  return t;
}

static convolve_tiling
best_spectra (const int64_t n[3], fv_type working, const int64_t out[3])
{
  const int64_t smallest = FFT_VECTOR / bytes_of (working);
  convolve_tiling best = {.cost = INFINITY};
  for (int64_t rows = smallest; rows < 2 * (out[1] + n[1]) || rows == smallest; rows *= 2)
    for (int64_t columns = smallest; columns < 2 * (out[2] + n[2]) || columns == smallest; columns *= 2) {
      if (rows < n[1] || columns < n[2] || rows * columns > CONVOLVE_MOST_IN_SPECTRUM)
        continue;
      convolve_tiling t = spectra_of (rows, columns, n, working, out);
      best = t.cost < best.cost ? t : best;
    }
  return best;
}

convolve_tiling
convolve_choose (const int64_t n[3], bool separable, fv_type working, const int64_t out[3])
{
  const convolve_way way = convolve_way_of (n, separable);
  return way == CONVOLVE_BY_FFT ? best_spectra (n, working, out) : tiles_of (way, n, working, out);
}

/* ---- Reading and writing ---- */

static void *
at (const convolution *c, void *base, int64_t i)
{
  return (char *) base + i * c->bytes;
}

static void
put (const convolution *c, void *to, int64_t i, double v)
{
  if (c->type == FV_F32)
    ((float *) to)[i] = (float) v;
  else
    ((double *) to)[i] = v;
}

static void
fill (const convolution *c, void *to, int64_t n, double v)
{
  for (int64_t i = 0; i < n; i++)
    put (c, to, i, v);
}

/* Pixels x0 ... x0 + n - 1 of a row, of which any may lie outside it. */
static void
read_row (const convolution *c, void *to, int64_t z, int64_t y, int64_t x0, int64_t n)
{
  const fv_type type = c->in->grid->type;
  const int64_t columns = array_columns (c->in);
  const char *row = array_row (c->in, z, y);
  int64_t from = x0 < 0 ? least (-x0, n) : 0, end = columns - x0;
  end = end < from ? from : least (end, n);
  (c->type == FV_F32 ? row_to_f32 : row_to_f64) (at (c, to, from), row + (x0 + from) * (int64_t) type_bytes (type),
                                                 type, end - from);
  for (int64_t i = from > 0 ? 0 : end; i < n; i = i + 1 == from ? end : i + 1) {
    int64_t x = border_index (x0 + i, columns, c->border);
    put (c, to, i, x < 0 ? c->value : pixel_get (row, type, x));
  }
}

/* Input plane i of a tile, and zeros where the tile sticks out of what is needed. */
static void
read_plane (const convolution *c, const tile *t, int64_t i, void *to)
{
  const convolve_tiling *g = &c->tiling;
  const int64_t *n = c->kernel->n;
  const int64_t rows = least (g->rows, array_rows (c->out) - t->y) + n[1] - 1;
  const int64_t columns = least (g->columns, array_columns (c->out) - t->x) + n[2] - 1;
  const int64_t z = border_index (t->z + c->start[0] + i, array_planes (c->in), c->border);
  for (int64_t r = 0; r < g->in_rows; r++, to = at (c, to, g->pitch)) {
    const int64_t y = border_index (t->y + c->start[1] + r, array_rows (c->in), c->border);
    const int64_t wanted = r < rows ? columns : 0;
    if (z >= 0 && y >= 0 && wanted)
      read_row (c, to, z, y, t->x + c->start[2], wanted);
    else
      fill (c, to, wanted, c->value);
    memset (at (c, to, wanted), 0, (size_t) ((g->in_columns - wanted) * c->bytes));
  }
}

static void
write_plane (convolution *c, const tile *t, int64_t i, void *from)
{
  const fv_type type = c->out->grid->type;
  const int64_t rows = least (c->tiling.rows, array_rows (c->out) - t->y);
  const int64_t columns = least (c->tiling.columns, array_columns (c->out) - t->x);
  for (int64_t r = 0; r < rows; r++) {
    char *to = (char *) array_row (c->out, t->z + i, t->y + r) + t->x * (int64_t) type_bytes (type);
    (c->type == FV_F32 ? row_from_f32 : row_from_f64) (to, type, at (c, from, r * c->tiling.pitch), columns);
  }
  progress_step (&c->progress, rows * columns);
}

/* ---- A tile, in each way ---- */

static bool
stopped (convolution *c)
{
  progress_step (&c->progress, 0);
  return progress_stopped (&c->progress);
}

/* Sums of one plane of the kernel, in bands. */
static void
correlate_plane (convolution *c, void *to, void *from, const void *w, bool add)
{
  const convolve_tiling *g = &c->tiling;
  const int64_t m = c->kernel->n[1], n = c->kernel->n[2];
  int64_t band = MOST_PRODUCTS / (m * n * g->columns) / DIRECT_ROWS * DIRECT_ROWS;
  band = band < DIRECT_ROWS ? DIRECT_ROWS : band;
  for (int64_t y = 0; y < g->rows && !stopped (c); y += band)
    c->direct->correlate (at (c, to, y * g->pitch), at (c, from, y * g->pitch), g->pitch, w, m, n,
                          least (band, g->rows - y), g->columns, add);
}

static void
do_direct (convolution *c, workspace *own, const tile *t)
{
  const int64_t *n = c->kernel->n;
  for (int64_t z = 0; z < t->planes; z++) {
    for (int64_t k = 0; k < n[0]; k++) {
      read_plane (c, t, z + k, own->tile[0]);
      correlate_plane (c, own->tile[1], own->tile[0], at (c, c->weights, k * n[1] * n[2]), k > 0);
    }
    write_plane (c, t, z, own->tile[1]);
  }
}

static void
do_by_axes (convolution *c, workspace *own, const tile *t)
{
  const convolve_tiling *g = &c->tiling;
  const int64_t *n = c->kernel->n, size = g->rows * g->pitch;
  for (int64_t i = 0; i < t->planes + n[0] - 1 && !stopped (c); i++) {
    void *made = at (c, own->ring, i % n[0] * size);
    read_plane (c, t, i, own->tile[0]);
    c->direct->correlate (own->tile[1], own->tile[0], g->pitch, c->lines[2], 1, n[2], g->in_rows, g->columns, false);
    c->direct->correlate (made, own->tile[1], g->pitch, c->lines[1], n[1], 1, g->rows, g->columns, false);
    if (i < n[0] - 1)
      continue;
    for (int64_t k = 0; k < n[0] && n[0] > 1; k++)
      c->direct->add (own->tile[0], at (c, own->ring, (i + 1 + k) % n[0] * size), c->kernel->lines[0][k], size, k > 0);
    write_plane (c, t, i - n[0] + 1, n[0] > 1 ? own->tile[0] : made);
  }
}

/* Reads plane i of a tile of the pair. Whether it can be transformed. */
static bool
read_bounded (const convolution *c, const tile *t, int64_t i, void *to)
{
  const convolve_tiling *g = &c->tiling;
  bool bounded = true;
  if (i < t->planes + c->kernel->n[0] - 1)
    read_plane (c, t, i, to);
  else
    memset (to, 0, (size_t) (g->in_rows * g->pitch * c->bytes));
  for (int64_t r = 0; r < g->in_rows && bounded; r++)
    bounded = c->direct->bounded (at (c, to, r * g->pitch), g->in_columns, c->most);
  return bounded;
}

/* Plane i of the pair, which lies in the tiles, along its rows; and the sums that it completes, back into the tiles. */
static void
do_blocks (const convolution *c, workspace *own, int64_t i)
{
  const spectra *s = &c->spectra;
  const int64_t depth = c->kernel->n[0], blocks = s->rows / s->lanes, size = spectra_block (s);
  for (int64_t block = 0; block < blocks; block++) {
    spectra_in (s, at (c, own->ring, (i % depth * blocks + block) * size), own->tile[0], own->tile[1], block);
    if (i < depth - 1)
      continue;
    for (int64_t k = 0; k < depth; k++)
      s->fft->multiply (own->block, at (c, own->ring, ((i + 1 + k) % depth * blocks + block) * size),
                        at (c, s->kernel, (k * blocks + block) * size), size / 2, k > 0);
    spectra_out (s, own->tile[0], own->tile[1], own->block, block);
  }
}

/* False: they cannot be transformed. */
static bool
do_by_fft (convolution *c, workspace *own, const tile pair[2])
{
  const int64_t depth = c->kernel->n[0];
  const int64_t planes = pair[0].planes > pair[1].planes ? pair[0].planes : pair[1].planes;
  for (int64_t i = 0; i < planes + depth - 1 && !stopped (c); i++) {
    for (int k = 0; k < 2; k++)
      if (!read_bounded (c, &pair[k], i, own->tile[k]))
        return false;
    spectra_down (&c->spectra, own->tile[0], own->tile[1]);
    do_blocks (c, own, i);
    if (i < depth - 1)
      continue;
    spectra_up (&c->spectra, own->tile[0], own->tile[1]);
    for (int k = 0; k < 2; k++)
      if (i - depth + 1 < pair[k].planes)
        write_plane (c, &pair[k], i - depth + 1, own->tile[k]);
  }
  return true;
}

/* ---- All tiles ---- */

static tile
tile_at (const convolution *c, int64_t i)
{
  const int64_t z = i / (c->down * c->across) * c->tiling.planes;
  if (i >= c->tiles)
    return (tile){0};
  return (tile){z, least (c->tiling.planes, array_planes (c->out) - z), i / c->across % c->down * c->tiling.rows,
                i % c->across * c->tiling.columns};
}

static void
do_job (convolution *c, workspace *own, int64_t i)
{
  if (c->tiling.way == CONVOLVE_BY_FFT) {
    const tile pair[2] = {tile_at (c, 2 * i), tile_at (c, 2 * i + 1)};
    if (do_by_fft (c, own, pair))
      return;
    for (int k = 0; k < 2; k++)
      do_direct (c, own, &pair[k]);
    return;
  }
  const tile t = tile_at (c, i);
  (c->tiling.way == CONVOLVE_DIRECT ? do_direct : do_by_axes) (c, own, &t);
}

static fv_status
scratch (const convolution *c, int64_t numbers, void *memory, fv_error *error)
{
  return c->call->host->scratch (c->call, (size_t) (numbers * c->bytes), memory, error);
}

static fv_status
make_weights (convolution *c, fv_error *error)
{
  const int64_t *n = c->kernel->n, all = convolve_kernel_values (n);
  if (scratch (c, all, &c->weights, error))
    return error->code;
  (c->type == FV_F32 ? row_to_f32 : row_to_f64) (c->weights, c->kernel->w, FV_F64, all);
  c->lines[0] = at (c, c->weights, n[0] * n[1] * n[2]);
  c->lines[1] = at (c, c->lines[0], n[0]);
  c->lines[2] = at (c, c->lines[1], n[1]);
  return FV_OK;
}

static fv_status
make_spectra (convolution *c, fv_error *error)
{
  spectra *s = &c->spectra;
  const int64_t *n = c->kernel->n;
  double sum = 1;
  *s = (spectra){fft_of (c->type),
                 c->type,
                 c->bytes,
                 FFT_VECTOR / c->bytes,
                 c->tiling.in_rows,
                 c->tiling.in_columns,
                 c->tiling.pitch,
                 NULL,
                 NULL,
                 NULL};
  if (scratch (c, 2 * s->rows, &s->row_waves, error) || scratch (c, 2 * s->columns, &s->column_waves, error)
      || scratch (c, n[0] * spectra_size (s), &s->kernel, error))
    return error->code;
  fft_waves (s->row_waves, s->type, s->rows);
  fft_waves (s->column_waves, s->type, s->columns);
  for (int64_t k = 0; k < n[0]; k++)
    spectra_of_kernel (s, at (c, s->kernel, k * spectra_size (s)), c->kernel->w + k * n[1] * n[2], n[1], n[2],
                       c->workspaces[0].tile[0], c->workspaces[0].tile[1]);
  for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
    sum += fabs (c->kernel->w[i]);
  c->most = (c->type == FV_F32 ? FLT_MAX : DBL_MAX) / (double) spectra_size (s) / 4 / sum;
  return FV_OK;
}

/* Numbers of a thread's ring, and of its block. */
static int64_t
ring_size (const convolve_tiling *t, int64_t depth)
{
  return t->way == CONVOLVE_BY_FFT    ? 2 * depth * t->in_rows * t->in_columns
         : t->way == CONVOLVE_BY_AXES ? depth * t->rows * t->pitch
                                      : 1;
}

static int64_t
block_size (const convolve_tiling *t, fv_type working)
{
  return t->way == CONVOLVE_BY_FFT ? 2 * FFT_VECTOR / bytes_of (working) * t->in_columns : 1;
}

static int64_t
tiles_in (const convolve_tiling *t, const int64_t out[3])
{
  return (out[0] + t->planes - 1) / t->planes * ((out[1] + t->rows - 1) / t->rows)
         * ((out[2] + t->columns - 1) / t->columns);
}

static int64_t
jobs_in (const convolve_tiling *t, const int64_t out[3])
{
  return t->way == CONVOLVE_BY_FFT ? (tiles_in (t, out) + 1) / 2 : tiles_in (t, out);
}

int64_t
convolve_tiles_scratch (const convolve_tiling *t, const int64_t n[3], fv_type working, const int64_t out[3])
{
  int64_t each = 2 * t->tile_rows * t->pitch + ring_size (t, n[0]) + block_size (t, working);
  int64_t common = t->way == CONVOLVE_BY_FFT ? 2 * n[0] * t->in_rows * t->in_columns : 0;
  return (least (threads_at_most (), jobs_in (t, out)) * each + common) * bytes_of (working);
}

static fv_status
make_workspaces (convolution *c, fv_error *error)
{
  const convolve_tiling *g = &c->tiling;
  const int64_t size = g->tile_rows * g->pitch;
  if (c->call->host->scratch (c->call, (size_t) c->threads * sizeof (workspace), (void **) &c->workspaces, error))
    return error->code;
  for (int t = 0; t < c->threads; t++) {
    workspace *own = &c->workspaces[t];
    if (scratch (c, size, &own->tile[0], error) || scratch (c, size, &own->tile[1], error)
        || scratch (c, ring_size (g, c->kernel->n[0]), &own->ring, error)
        || scratch (c, block_size (g, c->type), &own->block, error))
      return error->code;
    memset (own->tile[0], 0, (size_t) (size * c->bytes)); /* sums that are not needed go over all of it */
    memset (own->tile[1], 0, (size_t) (size * c->bytes));
  }
  return FV_OK;
}

fv_status
convolve_tiles (const fv_call *call, const convolve_kernel *kernel, fv_error *error)
{
  const convolve_args *a = call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  const int64_t *size = out->tensor.shape;
  convolution c = {.call = call,
                   .in = in,
                   .out = out,
                   .kernel = kernel,
                   .border = convolve_border (a),
                   .value = a->value,
                   .type = convolve_working_type (in->grid)};
  c.progress = (progress){call, size[0] * size[1] * size[2], 0, 0};
  c.bytes = bytes_of (c.type);
  c.direct = direct_of (c.type);
  c.tiling = convolve_choose (kernel->n, kernel->separable, c.type, size);
  const int64_t jobs = jobs_in (&c.tiling, size);
  c.threads = (int) least (threads_at_most (), jobs);
  c.tiles = tiles_in (&c.tiling, size);
  c.down = (size[1] + c.tiling.rows - 1) / c.tiling.rows;
  c.across = (size[2] + c.tiling.columns - 1) / c.tiling.columns;
  for (int axis = 0; axis < 3; axis++)
    c.start[axis] = axis || a->volume ? convolve_start (a, kernel->n[axis]) : 0;
  if (make_weights (&c, error) || make_workspaces (&c, error)
      || (c.tiling.way == CONVOLVE_BY_FFT && make_spectra (&c, error)))
    return error->code;

#pragma omp parallel for schedule(dynamic, 1) num_threads(c.threads)
  for (int64_t i = 0; i < jobs; i++)
    if (!progress_stopped (&c.progress))
      do_job (&c, &c.workspaces[thread_index ()], i);
  return c.progress.stop ? cancelled (error) : FV_OK;
}
