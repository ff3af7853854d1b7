/* SPDX-License-Identifier: MIT
 *
 * patch_match on the CPU: displacement by displacement over tiles of A, so that neighbouring patches share their squares. Squares are
 * added across and then down: 3 channels + 4 radius products and sums for a pair of pixels. Displacements come row by row, so that
 * the first of equals stays. Threads take tiles. Working type: float between 8-bit images where sums stay below 2^24, so that it is
 * exact, else double.
 */
#include "kernels/patch/patch_match.h"

#include "kernels/common/row.h"

enum {
  TILE_COLUMNS = 128,
  TILE_ROWS = 32, /* fewer where there are not enough tiles for all threads */
  MAX_RADIUS = 7,
  MAX_SPAN = 2 * MAX_RADIUS + 1,
  WIDE = TILE_COLUMNS + 2 * MAX_RADIUS,
};

/* ---- Rows of a displacement ---- */

/* Calls F with a constant last argument, so that its inner loop is unrolled. */
#define WITH_CHANNELS(N, F, ...)                                                                                       \
  switch (N) {                                                                                                         \
  case 1: F (__VA_ARGS__, 1); break;                                                                                   \
  case 2: F (__VA_ARGS__, 2); break;                                                                                   \
  case 3: F (__VA_ARGS__, 3); break;                                                                                   \
  default: F (__VA_ARGS__, 4); break;                                                                                  \
  }
#define WITH_RADIUS(R, F, ...)                                                                                         \
  switch (R) {                                                                                                         \
  case 1: F (__VA_ARGS__, 1); break;                                                                                   \
  case 2: F (__VA_ARGS__, 2); break;                                                                                   \
  case 3: F (__VA_ARGS__, 3); break;                                                                                   \
  case 4: F (__VA_ARGS__, 4); break;                                                                                   \
  case 5: F (__VA_ARGS__, 5); break;                                                                                   \
  case 6: F (__VA_ARGS__, 6); break;                                                                                   \
  default: F (__VA_ARGS__, 7); break;                                                                                  \
  }

/* squares: of differences, summed over channels. across: sums of 2 radius + 1 of them. down: sums of as many rows, and
 * where one is smaller than the least so far it and the number of its displacement take that one's place. */
#define DEFINE_ROWS(NAME, T, ID)                                                                                       \
  INLINE void squares_of_##NAME (T *restrict to, const T *const *a, const T *const *b, int64_t n, int channels)        \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++) {                                                                                  \
      T sum = (a[0][x] - b[0][x]) * (a[0][x] - b[0][x]);                                                               \
      for (int c = 1; c < channels; c++)                                                                               \
        sum += (a[c][x] - b[c][x]) * (a[c][x] - b[c][x]);                                                              \
      to[x] = sum;                                                                                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  INLINE void across_of_##NAME (T *restrict to, const T *restrict from, int64_t n, int radius)                         \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++) {                                                                                  \
      T sum = from[x];                                                                                                 \
      for (int i = 1; i <= 2 * radius; i++)                                                                            \
        sum += from[x + i];                                                                                            \
      to[x] = sum;                                                                                                     \
    }                                                                                                                  \
  }                                                                                                                    \
  INLINE void down_of_##NAME (T *restrict least, ID *restrict which, ID id, const T *const *rows, int64_t n,           \
                              int radius)                                                                              \
  {                                                                                                                    \
    for (int64_t x = 0; x < n; x++) {                                                                                  \
      T sum = rows[0][x];                                                                                              \
      for (int i = 1; i <= 2 * radius; i++)                                                                            \
        sum += rows[i][x];                                                                                             \
      which[x] = sum < least[x] ? id : which[x];                                                                       \
      least[x] = sum < least[x] ? sum : least[x];                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  VECTORISED static void squares_##NAME (T *to, const T *const *a, const T *const *b, int64_t n, int64_t channels){    \
    WITH_CHANNELS (channels, squares_of_##NAME, to, a, b,                                                              \
                   n)} VECTORISED static void across_##NAME (T *to, const T *from, int64_t n, int64_t radius){         \
    WITH_RADIUS (radius, across_of_##NAME, to, from,                                                                   \
                 n)} VECTORISED static void down_##NAME (T *least, ID *which, ID id, const T *const *rows, int64_t n,  \
                                                         int64_t radius)                                               \
  {                                                                                                                    \
    WITH_RADIUS (radius, down_of_##NAME, least, which, id, rows, n)                                                    \
  }
DEFINE_ROWS (f32, float, int32_t)
DEFINE_ROWS (f64, double, int64_t)

/* ---- Tiles ---- */

/* A plane with all its channels and a margin of `radius` pixels, in the working type. */
typedef struct padded {
  void *data;
  int64_t rows, columns; /* of the plane without its margin */
  int64_t stride;        /* of rows, in pixels */
} padded;

typedef struct match {
  const fv_call *call;
  progress progress;
  int64_t radius, channels, tile_rows;
  fv_type type; /* the working type */
  padded a, b;
  const fv_array *x, *y, *distance;
} match;

/* Of A; displacements are counted row by row from the one that takes its last pixel to the first of B. */
typedef struct tile {
  int64_t x, y, columns, rows;
} tile;

static int64_t
least_of (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* The row of a channel that begins `radius` rows above and columns left of a pixel. */
#define PADDED_ROW(T, M, P, CHANNEL, Y, X)                                                                             \
  ((const T *) (P)->data + ((CHANNEL) * ((P)->rows + 2 * (M)->radius) + (Y)) * (P)->stride + (X))

static int64_t
displacements (const match *m, const tile *t)
{
  return m->b.rows + t->rows - 1;
}

/* move(): all pixels of a tile, displaced by dy rows and dx columns to pixels of B. find(): all displacements, then the results. */
#define DEFINE_TILE(NAME, T, ID)                                                                                       \
  typedef struct best_##NAME {                                                                                         \
    T least[TILE_ROWS][TILE_COLUMNS];                                                                                  \
    ID which[TILE_ROWS][TILE_COLUMNS];                                                                                 \
  } best_##NAME;                                                                                                       \
                                                                                                                       \
  static void move_##NAME (const match *m, const tile *t, best_##NAME *best, int64_t dy, int64_t dx, ID id)            \
  {                                                                                                                    \
    T line[WIDE], sums[MAX_SPAN][TILE_COLUMNS];                                                                        \
    int64_t span = 2 * m->radius + 1, first = t->y + dy < 0 ? -t->y - dy : 0, left = t->x + dx < 0 ? -t->x - dx : 0;   \
    int64_t end = least_of (t->rows, m->b.rows - t->y - dy),                                                           \
            n = least_of (t->columns, m->b.columns - t->x - dx) - left;                                                \
    for (int64_t y = first; y < end + span - 1; y++) {                                                                 \
      const T *a[PATCH_CHANNELS], *b[PATCH_CHANNELS], *rows[MAX_SPAN];                                                 \
      for (int64_t c = 0; c < m->channels; c++) {                                                                      \
        a[c] = PADDED_ROW (T, m, &m->a, c, t->y + y, t->x + left);                                                     \
        b[c] = PADDED_ROW (T, m, &m->b, c, t->y + y + dy, t->x + left + dx);                                           \
      }                                                                                                                \
      squares_##NAME (line, a, b, n + span - 1, m->channels);                                                          \
      across_##NAME (sums[y % span], line, n, m->radius);                                                              \
      if (y < first + span - 1)                                                                                        \
        continue;                                                                                                      \
      for (int64_t i = 0; i < span; i++)                                                                               \
        rows[i] = sums[(y + 1 + i) % span];                                                                            \
      down_##NAME (&best->least[y - span + 1][left], &best->which[y - span + 1][left], id, rows, n, m->radius);        \
    }                                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static void find_##NAME (match *m, const tile *t, int64_t z)                                                         \
  {                                                                                                                    \
    best_##NAME best;                                                                                                  \
    int64_t wide = m->b.columns + t->columns - 1;                                                                      \
    int64_t dy = 1 - t->y - t->rows, dx = 1 - t->x - t->columns;                                                       \
    for (int64_t y = 0; y < TILE_ROWS; y++)                                                                            \
      for (int64_t x = 0; x < TILE_COLUMNS; x++) {                                                                     \
        best.least[y][x] = (T) INFINITY;                                                                               \
        best.which[y][x] = -1;                                                                                         \
      }                                                                                                                \
    for (int64_t i = 0; i < displacements (m, t) && !progress_stopped (&m->progress); i++) {                           \
      for (int64_t j = 0; j < wide; j++)                                                                               \
        move_##NAME (m, t, &best, dy + i, dx + j, (ID) (i * wide + j));                                                \
      progress_step (&m->progress, 1);                                                                                 \
    }                                                                                                                  \
    for (int64_t y = t->y; y < t->y + t->rows; y++) {                                                                  \
      int32_t *to_x = array_row (m->x, z, y), *to_y = array_row (m->y, z, y);                                          \
      void *distance = array_row (m->distance, z, y);                                                                  \
      for (int64_t x = t->x; x < t->x + t->columns; x++) {                                                             \
        int64_t id = best.which[y - t->y][x - t->x];                                                                   \
        double d = (double) best.least[y - t->y][x - t->x];                                                            \
        to_x[x] = id < 0 ? -1 : (int32_t) (x + dx + id % wide);                                                        \
        to_y[x] = id < 0 ? -1 : (int32_t) (y + dy + id / wide);                                                        \
        if (m->distance->grid->type == FV_I32)                                                                         \
          ((int32_t *) distance)[x] = (int32_t) d;                                                                     \
        else                                                                                                           \
          ((double *) distance)[x] = id < 0 ? (double) NAN : d;                                                        \
      }                                                                                                                \
    }                                                                                                                  \
  }
DEFINE_TILE (f32, float, int32_t)
DEFINE_TILE (f64, double, int64_t)

/* ---- The whole ---- */

static fv_type
working_type (const fv_grid *a, const fv_grid *b, int64_t radius)
{
  int64_t span = 2 * radius + 1, sum = 255 * 255 * span * span * a->channels;
  bool counted = (b->shape[1] + TILE_ROWS) * (b->shape[2] + TILE_COLUMNS) < INT32_MAX;
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
  return g->channels * (g->shape[1] + 2 * radius) * padded_stride (g, radius) * (int64_t) type_bytes (type);
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
  return ((m->a.rows - 1) / m->tile_rows + 1) * ((m->a.columns - 1) / TILE_COLUMNS + 1);
}

static void
find_all (match *m, int64_t z)
{
  int64_t rows = m->tile_rows, across = (m->a.columns - 1) / TILE_COLUMNS + 1;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < tiles_of (m); i++) {
    tile t = {i % across * TILE_COLUMNS, i / across * rows, 0, 0};
    t.columns = least_of (TILE_COLUMNS, m->a.columns - t.x);
    t.rows = least_of (rows, m->a.rows - t.y);
    if (m->type == FV_F32)
      find_f32 (m, &t, z);
    else
      find_f64 (m, &t, z);
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

static fv_grain
patch_match_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME;
}

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
                        .max = MAX_RADIUS, .help = "Patches reach so many pixels to each side: 1 is 3 by 3 pixels."},
                       {0}},
  .grain = patch_match_grain,
  .infer = patch_match_infer,
  .scratch = patch_match_scratch,
  .arithmetic = patch_match_arithmetic,
  .run = {[FV_CPU] = patch_match_cpu, [FV_CUDA] = FV_CUDA_FN (patch_match_cuda)},
};
