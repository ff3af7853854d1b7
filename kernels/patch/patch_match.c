/* SPDX-License-Identifier: MIT
 *
 * patch_match on the CPU: displacement by displacement over tiles of A, so that neighboring patches share their squares. Squares are
 * added across and then down: 3 channels + 4 radius products and sums for a pair of pixels. Displacements come row by row, so that
 * the first of equals stays. Threads take tiles. Working type: float between 8-bit images where sums stay below 2^24, so that it is
 * exact, else double.
 */
#include "kernels/patch/patch_match.h"

#include "kernels/common/grain.h"
#include "kernels/common/row.h"
#include "kernels/patch/match_rows.h"

enum {
  TILE_ROWS = 32, /* fewer where there are not enough tiles for all threads */
  MAX_SPAN = 2 * MATCH_RADIUS + 1,
};

/* ---- Tiles ---- */

/* A plane with all its channels and a margin of `radius` pixels. */
typedef struct padded {
  void *data;
  int64_t rows, columns; /* of the plane without its margin */
  int64_t stride;        /* of rows, in pixels */
} padded;

typedef struct match {
  const fv_call *call;
  progress progress;
  int64_t radius, channels, tile_rows;
  fv_type type; /* in which it is computed */
  const match_rows *rows;
  padded a, b;
  const fv_array *x, *y, *distance;
} match;

/* Of A, and what was found for its pixels. Displacements are counted row by row, from the one that takes its last pixel to the
 * first of B; -1 is none. */
typedef struct tile {
  int64_t x, y, columns, rows;
  _Alignas(64) double least[TILE_ROWS * MATCH_COLUMNS + MATCH_LANES]; /* or floats */
  int64_t which[TILE_ROWS * MATCH_COLUMNS + MATCH_LANES];             /* or int32_t */
} tile;

static int64_t
least_of (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static void *
item (const void *base, int64_t size, int64_t i)
{
  return (char *) base + size * i;
}

/* From `radius` rows above and columns left of (y, x) on. */
static match_pixels
pixels_from (const match *m, const padded *p, int64_t y, int64_t x)
{
  return (match_pixels){item (p->data, m->rows->value_size, y * p->stride + x), p->stride,
                        (p->rows + 2 * m->radius) * p->stride};
}

/* Tries one displacement on a tile. */
static void
move (const match *m, tile *t, int64_t dy, int64_t dx, int64_t id)
{
  _Alignas(64) double sums[(TILE_ROWS + MAX_SPAN - 1) * MATCH_COLUMNS]; /* or floats */
  int64_t first = t->y + dy < 0 ? -t->y - dy : 0, left = t->x + dx < 0 ? -t->x - dx : 0;
  int64_t rows = least_of (t->rows, m->b.rows - t->y - dy) - first,
          n = least_of (t->columns, m->b.columns - t->x - dx) - left, at = first * MATCH_COLUMNS + left;
  m->rows->sum (sums, pixels_from (m, &m->a, t->y + first, t->x + left),
                pixels_from (m, &m->b, t->y + first + dy, t->x + left + dx), rows + 2 * m->radius, n, m->channels,
                m->radius);
  m->rows->keep (item (t->least, m->rows->value_size, at), item (t->which, m->rows->id_size, at), id, sums, rows, n,
                 m->radius);
}

static void
clear_tile (const match *m, tile *t)
{
  for (int64_t i = 0; i < TILE_ROWS * MATCH_COLUMNS + MATCH_LANES; i++)
    if (m->type == FV_F32)
      ((float *) t->least)[i] = INFINITY;
    else
      t->least[i] = (double) INFINITY;
  memset (t->which, -1, sizeof t->which);
}

/* dy, dx: the first displacement; `wide` of them in a row. */
static void
put_results (const match *m, const tile *t, int64_t z, int64_t dy, int64_t dx, int64_t wide)
{
  for (int64_t y = 0; y < t->rows; y++) {
    int32_t *to_x = array_row (m->x, z, t->y + y), *to_y = array_row (m->y, z, t->y + y);
    void *distance = array_row (m->distance, z, t->y + y);
    for (int64_t i = 0; i < t->columns; i++) {
      int64_t at = y * MATCH_COLUMNS + i, x = t->x + i;
      int64_t id = m->type == FV_F32 ? ((const int32_t *) t->which)[at] : t->which[at];
      double d = pixel_get (t->least, m->type, at);
      to_x[x] = id < 0 ? -1 : (int32_t) (x + dx + id % wide);
      to_y[x] = id < 0 ? -1 : (int32_t) (t->y + y + dy + id / wide);
      if (m->distance->grid->type == FV_I32)
        ((int32_t *) distance)[x] = d <= INT32_MAX ? (int32_t) d : INT32_MIN; /* infinite: nothing was found */
      else
        ((double *) distance)[x] = id < 0 ? (double) NAN : d;
    }
  }
}

static void
find (match *m, tile *t, int64_t z)
{
  int64_t wide = m->b.columns + t->columns - 1, dy = 1 - t->y - t->rows, dx = 1 - t->x - t->columns;
  clear_tile (m, t);
  for (int64_t i = 0; i < m->b.rows + t->rows - 1 && !progress_stopped (&m->progress); i++) {
    for (int64_t j = 0; j < wide; j++)
      move (m, t, dy + i, dx + j, i * wide + j);
    progress_step (&m->progress, 1);
  }
  put_results (m, t, z, dy, dx, wide);
}

/* ---- The whole ---- */

static fv_type
working_type (const fv_grid *a, const fv_grid *b, int64_t radius)
{
  int64_t span = 2 * radius + 1, sum = 255 * 255 * span * span * a->channels;
  bool counted = (b->shape[1] + TILE_ROWS) * (b->shape[2] + MATCH_COLUMNS) < INT32_MAX;
  return patch_match_bytes (a, b) && sum <= 1 << 24 && counted ? FV_F32 : FV_F64;
}

static int64_t
padded_stride (const fv_grid *g, int64_t radius)
{
  return g->shape[2] + 2 * radius;
}

static int64_t
padded_bytes (const fv_grid *g, int64_t radius, fv_type type)
{
  return (g->channels * (g->shape[1] + 2 * radius) * padded_stride (g, radius) + 2 * MATCH_LANES)
         * (int64_t) type_bytes (type);
}

static void
fill_padded (const match *m, const padded *p, const fv_array *from, int64_t z)
{
  int64_t r = m->radius, rows = p->rows + 2 * r, size = (int64_t) type_bytes (m->type);
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t c = 0; c < m->channels; c++)
    for (int64_t y = 0; y < rows; y++) {
      const void *row =
        array_row (from, c * grid_depth (from->grid) + z, border_index (y - r, p->rows, BORDER_NEAREST));
      char *to = (char *) p->data + (c * rows + y) * p->stride * size, *inside = to + r * size,
           *last = inside + (p->columns - 1) * size;
      (m->type == FV_F32 ? row_to_f32 : row_to_f64) (inside, row, from->grid->type, p->columns);
      for (int64_t i = 1; i <= r; i++) {
        memcpy (inside - i * size, inside, (size_t) size);
        memcpy (last + i * size, last, (size_t) size);
      }
    }
}

static int64_t
tiles_of (const match *m)
{
  return ((m->a.rows - 1) / m->tile_rows + 1) * ((m->a.columns - 1) / MATCH_COLUMNS + 1);
}

static void
find_all (match *m, int64_t z)
{
  int64_t rows = m->tile_rows, across = (m->a.columns - 1) / MATCH_COLUMNS + 1;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < tiles_of (m); i++) {
    tile t;
    t.x = i % across * MATCH_COLUMNS;
    t.y = i / across * rows;
    t.columns = least_of (MATCH_COLUMNS, m->a.columns - t.x);
    t.rows = least_of (rows, m->a.rows - t.y);
    find (m, &t, z);
  }
}

static padded
padded_of (const fv_grid *g, int64_t radius)
{
  return (padded){NULL, g->shape[1], g->shape[2], padded_stride (g, radius)};
}

static fv_status
patch_match_cpu (const fv_call *call, fv_error *error)
{
  const patch_match_args *args = call->args;
  const fv_array *a = call->inputs[0], *b = call->inputs[1];
  fv_type type = working_type (a->grid, b->grid, args->radius);
  match m = {.call = call,
             .progress = {call, .total = 0},
             .radius = args->radius,
             .channels = a->grid->channels,
             .tile_rows = TILE_ROWS,
             .type = type,
             .rows = type == FV_F32 ? &match_rows_f32 : &match_rows_f64,
             .a = padded_of (a->grid, args->radius),
             .b = padded_of (b->grid, args->radius),
             .x = call->outputs[0],
             .y = call->outputs[1],
             .distance = call->outputs[2]};
  while (m.tile_rows > 8 && tiles_of (&m) < 4 * threads_at_most ())
    m.tile_rows /= 2;
  m.progress.total = grid_depth (a->grid) * tiles_of (&m) * (m.b.rows + least_of (m.tile_rows, m.a.rows) - 1);
  if (call->host->scratch (call, (size_t) padded_bytes (a->grid, m.radius, type), &m.a.data, error)
      || call->host->scratch (call, (size_t) padded_bytes (b->grid, m.radius, type), &m.b.data, error))
    return error->code;
  for (int64_t z = 0; z < grid_depth (a->grid) && !m.progress.stop; z++) {
    fill_padded (&m, &m.a, a, z);
    if (z == 0 || grid_depth (b->grid) > 1)
      fill_padded (&m, &m.b, b, patch_match_plane (b->grid, z));
    find_all (&m, z);
  }
  return m.progress.stop ? cancelled (error) : FV_OK;
}

/* ---- The declaration ---- */

static fv_status
patch_match_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const fv_grid *a = in[0], *b = in[1];
  (void) op, (void) args;
  if (a->channels > PATCH_CHANNELS)
    return fail (error, FV_BAD_INPUT, "image", "It has %d channels: patches of 1 to %d channels can be matched.",
                 (int) a->channels, PATCH_CHANNELS);
  if (b->channels != a->channels)
    return fail (error, FV_BAD_INPUT, "patches", "It has %d channels and the image %d: they must have as many.",
                 (int) b->channels, (int) a->channels);
  if (grid_depth (b) != 1 && grid_depth (b) != grid_depth (a))
    return fail (error, FV_BAD_INPUT, "patches", "It has %d slices and the image %d: give it one, or as many.",
                 (int) grid_depth (b), (int) grid_depth (a));
  for (int axis = 1; axis < 3; axis++)
    if (b->shape[axis] > INT32_MAX)
      return fail (error, FV_BAD_INPUT, "patches", "It has more than 2147483647 %s.", axis == 1 ? "rows" : "columns");
  for (int i = 0; i < 3; i++) {
    out[i]->type = i < 2 || patch_match_bytes (a, b) ? FV_I32 : FV_F64;
    out[i]->role = FV_IMAGE;
    out[i]->dense = false;
    out[i]->channels = 1;
    out[i]->channel_names = NULL;
    out[i]->shape[0] = grid_depth (a);
  }
  return FV_OK;
}

static int64_t
patch_match_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const patch_match_args *a = args;
  fv_type type = working_type (in[0], in[1], a->radius);
  (void) op;
  return padded_bytes (in[0], a->radius, type) + padded_bytes (in[1], a->radius, type);
}

/* For each pixel of A so much with each of B. */
static double
patch_match_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const patch_match_args *a = args;
  (void) op;
  return (3.0 + 4.0 * a->radius / (double) in[0]->channels) * (double) in[1]->shape[1] * (double) in[1]->shape[2];
}

const fv_op fv_op_patch_match = {
  FV_OP (patch_match_args),
  .key = "patch_match",
  .menu = "Process/Patches",
  .label = "Patch Match...",
  .search = "nearest neighbour neighbor field correspondence texture similar search",
  .help = "Finds, for each pixel, where in a second image the patch is that is most like its own.",
  .cite = "C. Barnes et al., PatchMatch: a randomized correspondence algorithm for structural image editing, ACM "
          "Transactions on Graphics 28 (2009), here without its approximation",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image whose patches are looked for.", FV_ANY_TYPE, false},
                               {"patches", "Patches from", "The image in which they are looked for, of any size.",
                                FV_ANY_TYPE, false},
                               {0}},
  .outputs = (const fv_output[]){{"x", "Columns"}, {"y", "Rows"}, {"distance", "Distance"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (patch_match_args, radius), .label = "Radius", .unit = FV_PIXELS, .def = 1, .min = 1,
                        .max = MATCH_RADIUS, .help = "Pixels that patches reach to each side: 1 is 3 by 3 pixels."},
                       {0}},
  .grain = grain_frame,
  .infer = patch_match_infer,
  .scratch = patch_match_scratch,
  .arithmetic = patch_match_arithmetic,
  .run = {[FV_CPU] = patch_match_cpu, [FV_CUDA] = FV_CUDA_FN (patch_match_cuda)},
};
