/* SPDX-License-Identifier: MIT
 *
 * rank: the shared part of the declarations, and the CPU version: tile by tile, with the network or the histogram, whichever takes less.
 */
#include "kernels/rank/rank.h"

#include "kernels/common/inner_call.h"
#include "kernels/morphology/morphology.h"
#include "kernels/rank/slide.h"

extern const fv_op fv_op_erosion, fv_op_dilation;

/* ---- Declaration ---- */

const fv_output rank_outputs[] = {{"image", "Image"}, {0}};
const fv_param rank_params[] = {
  NEIGHBORHOOD_FOOTPRINT (FOOTPRINT_DISK, 2), NEIGHBORHOOD_BORDER, NEIGHBORHOOD_VOLUME, {0}};

fv_status
rank_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const neighborhood_args *a = args;
  footprint_spec spec = neighborhood_spec (a);
  (void) op, (void) in;
  out[0]->dense = false;
  return footprint_check (&spec, a->volume, error);
}

/* ---- As an erosion or a dilation ---- */

/* The one that it is, with its arguments, or NULL. */
static const fv_op *
as_morphology (const fv_op *op, const neighborhood_args *a, morphology_args *m)
{
  int64_t n = neighborhood_count (a), rank = rank_of (op, a, n);
  bool folds = a->border == BORDER_NEAREST || a->border == BORDER_REFLECT || a->border == BORDER_MIRROR;
  if ((rank > 0 && rank < n - 1) || a->footprint == FOOTPRINT_MATRIX || !folds)
    return NULL;
  *m = (morphology_args){.footprint = a->footprint, .radius = a->radius, .iterations = 1, .volume = a->volume};
  return rank == 0 ? &fv_op_erosion : &fv_op_dilation;
}

fv_status
rank_as_morphology (const fv_call *call, fv_device_kind kind, bool *done, fv_error *error)
{
  morphology_args args;
  const fv_op *op = as_morphology (call->op, call->args, &args);
  *done = op != NULL;
  return op ? run_inner (call, kind, op, &args, call->inputs, call->outputs, NULL, error) : FV_OK;
}

int64_t
rank_scratch (const fv_op *op, const void *args, const fv_grid *const *inputs)
{
  morphology_args m;
  const fv_op *simple = as_morphology (op, args, &m);
  return simple ? morphology_scratch (simple, &m, inputs) : 0; /* else tiles, for any image */
}

/* ---- Which way ---- */

/* Cycles for a pixel, as measured with vectors of 512 bits. */
static double
network_cost (int64_t n, int64_t bytes)
{
  return n > NETWORK_MOST ? INFINITY : 0.06 * (double) (network_most (n) * bytes);
}

static double
slide_cost (int64_t runs)
{
  return 60 + 5 * (double) runs;
}

double
rank_arithmetic (const fv_op *op, const void *args, const fv_grid *const *inputs)
{
  morphology_args m;
  double network = network_cost (neighborhood_count (args), (int64_t) type_bytes (inputs[0]->type));
  double slide = slide_cost (neighborhood_runs (args, NULL));
  if (as_morphology (op, args, &m))
    return 16;
  return 4 * (network < slide ? network : slide);
}

/* ---- The work ---- */

typedef struct rank_job {
  const fv_call *call;
  progress progress;
  neighborhood b;
  const network_type *type;
  int64_t n, rank;
  /* The network: a line of each element and one more. */
  int64_t n_exchanges, *offsets;
  network_near near; /* of which it is the median, or NETWORK_NEAR: of none */
  network_exchange *exchanges;
  /* The histogram; NULL: the network is used. */
  slide_footprint *footprint;
  /* Of each thread: a tile, its result or lines, what slides. */
  size_t tile_bytes, result_bytes, bytes;
  char *memory;
} rank_job;

static bool
load_tile (const rank_job *j, const neighborhood_tile *t, char *keys)
{
  const neighborhood *b = &j->b;
  bool has_nan = false;
  for (int32_t dz = b->low[0]; dz <= b->high[0]; dz++)
    for (int64_t y = 0; y < t->height + b->high[1] - b->low[1]; y++) {
      char *row = keys + ((dz - b->low[0]) * b->slice + y * b->pitch) * j->type->bytes;
      neighborhood_load_row (b, t, dz, y, row);
      has_nan |= j->type->to_keys (row, t->width + b->high[2] - b->low[2]);
    }
  return has_nan;
}

static void
store (const rank_job *j, const neighborhood_tile *t, int64_t y, int64_t x, void *keys, int64_t n)
{
  j->type->to_pixels (keys, n);
  memcpy ((char *) array_row (j->call->outputs[0], t->z, t->y + y) + (t->x + x) * j->type->bytes, keys,
          (size_t) (n * j->type->bytes));
}

/* The pixels of row y of the tile from x on, a block of them. */
static void
select_block (const rank_job *j, const neighborhood_tile *t, const char *keys, bool has_nan, char *lines, int64_t y,
              int64_t x)
{
  int64_t block = NETWORK_BLOCK / j->type->bytes, n = t->width - x < block ? t->width - x : block;
  char *line = lines + j->rank * NETWORK_BLOCK, *nan = lines + j->n * NETWORK_BLOCK;
  const void *from[NETWORK_MOST];
  for (int64_t k = 0; k < j->n; k++)
    from[k] = keys + (y * j->b.pitch + x + j->offsets[k]) * j->type->bytes;
  if (has_nan) {
    for (int64_t k = 0; k < j->n; k++)
      memcpy (lines + k * NETWORK_BLOCK, from[k], NETWORK_BLOCK);
    memset (nan, 0, NETWORK_BLOCK);
    j->type->spread (nan, lines, j->n);
  }
  j->type->exchange (lines, from, j->exchanges, j->n_exchanges);
  if (from[j->rank] != line)
    memcpy (line, from[j->rank], NETWORK_BLOCK);
  if (has_nan)
    j->type->spread (line, nan, 1);
  store (j, t, y, x, line, n);
}

/* Row y of the tile. */
static void
select_row (const rank_job *j, const neighborhood_tile *t, const char *keys, bool has_nan, char *lines, int64_t y)
{
  const char *above = keys + (y * j->b.pitch + j->offsets[0] - (j->near == NETWORK_FIVE)) * j->type->bytes;
  int64_t pitch = j->b.pitch * j->type->bytes;
  if (j->near != NETWORK_NEAR && !has_nan) {
    j->type->median[j->near](lines, above, above + pitch, above + 2 * pitch, t->width);
    store (j, t, y, 0, lines, t->width);
    return;
  }
  for (int64_t x = 0; x < t->width; x += NETWORK_BLOCK / j->type->bytes)
    select_block (j, t, keys, has_nan, lines, y, x);
}

static void
run_tile (rank_job *j, const neighborhood_tile *t, char *memory)
{
  char *keys = memory, *result = memory + j->tile_bytes;
  bool has_nan = load_tile (j, t, keys);
  if (j->footprint) {
    slide s = {&j->b, j->footprint, j->type, j->rank, has_nan};
    slide_tile (&s, t, keys, result, result + j->result_bytes, &j->progress);
  }
  for (int64_t y = 0; y < t->height && !progress_stopped (&j->progress); y++)
    if (j->footprint)
      store (j, t, y, 0, result + y * j->b.width * j->type->bytes, t->width);
    else
      select_row (j, t, keys, has_nan, result, y);
  progress_step (&j->progress, 1);
}

static size_t
whole_lines (int64_t bytes)
{
  return (size_t) (bytes + 63) / 64 * 64;
}

/* Cuts the image and takes the memory of the threads. */
static fv_status
make_room (rank_job *j, bool slides, fv_error *error)
{
  int64_t threads = threads_at_most (), reach, row, lines;
  neighborhood *b = &j->b;
  neighborhood_cut (b, j->call, 256, NETWORK_BLOCK / j->type->bytes);
  reach = b->high[1] - b->low[1];
  if (slides)
    neighborhood_cut (b, j->call, reach > 64 ? 128 : 64, 1);
  row = b->width * j->type->bytes;
  j->tile_bytes = whole_lines (b->all * j->type->bytes);
  lines = (j->n + 1) * NETWORK_BLOCK;
  lines = lines > row ? lines : row;
  j->result_bytes = whole_lines (slides ? b->height * row : lines);
  j->bytes = j->tile_bytes + j->result_bytes + whole_lines (slides ? slide_bytes (b) : 0);
  j->progress = (progress){j->call, .total = array_planes (b->in) * b->down * b->across};
  return j->call->host->scratch (j->call, (size_t) threads * j->bytes, (void **) &j->memory, error);
}

static network_near
near_of (const rank_job *j)
{
  int64_t p = j->b.pitch;
  const int64_t patterns[NETWORK_NEAR][9] = {{0, p - 1, p, p + 1, 2 * p},
                                             {0, 1, 2, p, p + 1, p + 2, 2 * p, 2 * p + 1, 2 * p + 2}};
  for (network_near near = 0; near < NETWORK_NEAR; near++) {
    bool same = j->n == (near == NETWORK_FIVE ? 5 : 9) && j->rank == j->n / 2;
    for (int64_t k = 0; k < j->n && same; k++)
      same = j->offsets[k] - j->offsets[0] == patterns[near][k];
    if (same)
      return near;
  }
  return NETWORK_NEAR;
}

/* The footprint, as the histogram or the network wants it. */
static fv_status
make_footprint (rank_job *j, bool slides, slide_footprint *footprint, fv_error *error)
{
  const neighborhood_args *a = j->call->args;
  int64_t n_runs = neighborhood_runs (a, NULL), at = 0;
  neighborhood_run *runs;
  if (j->call->host->scratch (j->call, (size_t) n_runs * sizeof *runs, (void **) &runs, error)
      || j->call->host->scratch (j->call, (size_t) (5 * j->n) * sizeof (int64_t), (void **) &j->offsets, error))
    return error->code;
  neighborhood_runs (a, runs);
  if (slides) {
    slide_footprint_make (footprint, &j->b, runs, n_runs, j->offsets, j->memory + j->tile_bytes + j->result_bytes);
    j->footprint = footprint;
    return FV_OK;
  }
  for (const neighborhood_run *r = runs; r < runs + n_runs; r++)
    for (int32_t dx = r->first; dx <= r->last; dx++)
      j->offsets[at++] = neighborhood_offset (&j->b, r->dz, r->dy, dx);
  if (j->call->host->scratch (j->call, (size_t) (network_most (j->n) + 1) * sizeof *j->exchanges,
                              (void **) &j->exchanges, error))
    return error->code;
  j->n_exchanges = network_make (j->exchanges, j->n, j->rank);
  j->near = near_of (j);
  return FV_OK;
}

fv_status
rank_cpu (const fv_call *call, fv_error *error)
{
  const neighborhood_args *a = call->args;
  slide_footprint footprint;
  bool done;
  fv_status status = rank_as_morphology (call, FV_CPU, &done, error);
  if (status || done)
    return status;
  rank_job j = {call, .type = network_type_of (call->inputs[0]->grid->type), .n = neighborhood_count (a)};
  j.rank = rank_of (call->op, a, j.n);
  bool slides = slide_cost (neighborhood_runs (a, NULL)) < network_cost (j.n, j.type->bytes);
  if (make_room (&j, slides, error) || make_footprint (&j, slides, &footprint, error))
    return error->code;
  progress_step (&j.progress, 0); /* other threads may take all tiles */
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < j.progress.total; i++) {
    neighborhood_tile t = neighborhood_tile_at (&j.b, i);
    if (!progress_stopped (&j.progress))
      run_tile (&j, &t, j.memory + (size_t) thread_index () * j.bytes);
  }
  return j.progress.stop ? cancelled (error) : FV_OK;
}
