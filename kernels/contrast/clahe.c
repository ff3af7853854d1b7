/* SPDX-License-Identifier: MIT
 *
 * clahe on the CPU: bins of all pixels, maps of all tiles, then blocks of pixels between the same tiles, whose maps are brought together, so
 * that one vector has the weights of a pixel. Bins, then levels, are kept in 16 bits a pixel.
 */
#include "kernels/contrast/clahe.h"
#include "kernels/common/histogram.h"
#include "kernels/common/row.h"

typedef double corners __attribute__ ((vector_size (32))); /* of the four tiles around a pixel: y, then x */
typedef float four __attribute__ ((vector_size (16)));

typedef struct clahe_work {
  const fv_call *call;
  clahe_plan plan;
  const fv_array *in, *out;
  int64_t plane; /* the first */
  double low, width;
  uint16_t *levels; /* bins at first, without gaps between rows */
  uint16_t *maps;   /* [tiles][bins + 1] */
  uint16_t *bin_of; /* of every value of 8 or 16 bits */
  uint32_t *counts; /* of a thread: [4][bins + 1] */
  corners *across;  /* [columns of a block, and 3]: weights along x */
  corners *tables;  /* of a thread: [bins + 1][layers] */
  int32_t least, most;
  progress progress;
} clahe_work;

static int64_t
lesser (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

clahe_plan
clahe_plan_of (const clahe_args *a, const fv_grid *in)
{
  clahe_plan p = {.bins = a->bins, .width = 1 + CLAHE_LEVELS / a->bins, .layers = a->volume ? 2 : 1, .tile_pixels = 1};
  for (int axis = 0; axis < 3; axis++) {
    int given = a->size.n == 1 ? 0 : axis - 3 + a->size.n;
    bool flat = axis == 0 && !a->volume;
    p.shape[axis] = flat ? 1 : in->shape[axis];
    p.size[axis] = flat ? 1 : given >= 0 && a->size.n ? (int64_t) a->size.v[given] : in->shape[axis] / 8;
    p.size[axis] = lesser (p.size[axis] > 1 ? p.size[axis] : 1, p.shape[axis]);
    p.tiles[axis] = (p.shape[axis] + p.size[axis] - 1) / p.size[axis];
    p.tile_pixels *= p.size[axis];
  }
  double clip = a->limit > 0 ? a->limit * (double) p.tile_pixels : (double) p.tile_pixels;
  p.clip = clip < 1 ? 1 : clip < INT32_MAX ? (int32_t) clip : INT32_MAX;
  return p;
}

/* ---- Bins ---- */

#define DEFINE_BINS(NAME, T)                                                                                           \
  VECTORISED static void bins_##NAME (const T *restrict v, int64_t n, const clahe_work *w, uint16_t *restrict out)     \
  {                                                                                                                    \
    const double low = w->low, width = w->width;                                                                       \
    const float bin = (float) w->plan.width;                                                                           \
    const int32_t none = w->plan.bins;                                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      int32_t b = clahe_bin (clahe_level ((double) v[i], low, width), bin);                                            \
      out[i] = (uint16_t) (v[i] == v[i] ? b : none);                                                                   \
    }                                                                                                                  \
  }
DEFINE_BINS (i32, int32_t)
DEFINE_BINS (f32, float)
DEFINE_BINS (f64, double)

#define DEFINE_LOOKUP(NAME, T)                                                                                         \
  static void bins_##NAME (const T *restrict v, int64_t n, const clahe_work *w, uint16_t *restrict out)                \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      out[i] = w->bin_of[v[i]];                                                                                        \
  }
DEFINE_LOOKUP (u8, uint8_t)
DEFINE_LOOKUP (u16, uint16_t)

static uint16_t *
level_row (const clahe_work *w, int64_t z, int64_t y)
{
  return w->levels + (z * w->plan.shape[1] + y) * w->plan.shape[2];
}

static void
find_bins (clahe_work *w)
{
  const int64_t *shape = w->plan.shape;
  const fv_type type = w->in->grid->type;
  for (int32_t v = 0; w->bin_of && v <= (int32_t) full_of (type); v++)
    w->bin_of[v] = (uint16_t) clahe_bin (clahe_level (v, w->low, w->width), (float) w->plan.width);
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < shape[0]; z++)
    for (int64_t y = 0; y < shape[1]; y++) {
      if (progress_stopped (&w->progress))
        continue;
      WITH_TYPE (type, bins, array_row (w->in, w->plane + z, y), shape[2], w, level_row (w, z, y))
      progress_step (&w->progress, 1);
    }
}

/* ---- Maps ---- */

/* Cuts bins at `clip` and spreads what was cut off over all of them, as far as they have room. */
static void
clip_counts (uint32_t *counts, int32_t bins, int32_t limit)
{
  const int64_t clip = limit;
  int64_t excess = 0, before = -1;
  for (int32_t i = 0; i < bins; i++)
    if (counts[i] > clip) {
      excess += counts[i] - clip;
      counts[i] = (uint32_t) clip;
    }
  const int64_t more = excess / bins;
  for (int32_t i = 0; i < bins; i++) {
    const int64_t given = clahe_given (counts[i], clip, more);
    counts[i] += (uint32_t) given;
    excess -= given;
  }
  while (excess > 0 && excess != before) {
    before = excess;
    for (int32_t first = 0; first < bins && excess > 0; first++) {
      int64_t under = 0;
      for (int32_t i = 0; i < bins; i++)
        under += counts[i] < clip;
      const int64_t step = under / excess > 1 ? under / excess : 1;
      for (int64_t i = first; i < bins; i += step)
        if (counts[i] < clip) {
          counts[i]++;
          excess--;
        }
    }
  }
}

/* Four counters of each bin in turn, so that equal neighbors do not wait for each other. */
static void
count_row (const uint16_t *bins, int64_t n, uint32_t *counts, int64_t stride)
{
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    counts[bins[i]]++;
    counts[stride + bins[i + 1]]++;
    counts[2 * stride + bins[i + 2]]++;
    counts[3 * stride + bins[i + 3]]++;
  }
  for (; i < n; i++)
    counts[bins[i]]++;
}

static void
count_tile (const clahe_work *w, const int64_t at[3], uint32_t *counts)
{
  const clahe_plan *p = &w->plan;
  const int64_t stride = p->bins + 1, columns = p->shape[2];
  const int64_t x0 = at[2] * p->size[2], end = x0 + p->size[2], x1 = lesser (end, columns);
  for (int64_t k = at[0] * p->size[0]; k < (at[0] + 1) * p->size[0]; k++)
    for (int64_t j = at[1] * p->size[1]; j < (at[1] + 1) * p->size[1]; j++) {
      const uint16_t *row =
        level_row (w, border_index (k, p->shape[0], BORDER_MIRROR), border_index (j, p->shape[1], BORDER_MIRROR));
      count_row (row + x0, x1 - x0, counts, stride);
      for (int64_t x = x1; x < end; x++)
        counts[row[border_index (x, columns, BORDER_MIRROR)]]++;
    }
}

static void
make_map (const clahe_work *w, int64_t tile)
{
  const clahe_plan *p = &w->plan;
  const int64_t stride = p->bins + 1, *tiles = p->tiles;
  const double scale = isinf (w->width) ? 0 : (CLAHE_LEVELS - 1) / (double) p->tile_pixels;
  uint32_t *counts = w->counts + thread_index () * 4 * stride;
  int64_t sum = 0;
  memset (counts, 0, (size_t) (4 * stride) * sizeof *counts);
  count_tile (w, (int64_t[]){tile / (tiles[1] * tiles[2]), tile / tiles[2] % tiles[1], tile % tiles[2]}, counts);
  for (int64_t i = 0; i < p->bins; i++)
    counts[i] += counts[stride + i] + counts[2 * stride + i] + counts[3 * stride + i];
  clip_counts (counts, p->bins, p->clip);
  for (int64_t i = 0; i < p->bins; i++) {
    sum += counts[i];
    w->maps[tile * stride + i] = (uint16_t) fmin ((double) sum * scale, CLAHE_LEVELS - 1);
  }
  w->maps[tile * stride + p->bins] = 0;
}

/* ---- Between the tiles ---- */

/* A row of a block, n pixels: bins become levels. down: weights along y; deep: along z. */
VECTORISED static void
blend_row (uint16_t *levels, int64_t n, const corners *table, const corners *across, const double down[2],
           const double *deep, int32_t layers, int32_t none, int32_t ends[2])
{
  const corners rows = {down[0], down[0], down[1], down[1]};
  int32_t least = ends[0], most = ends[1];
  for (int64_t x = 0; x < n; x += 4) {
    const int64_t left = n - x < 4 ? n - x : 4;
    uint16_t bin[4] = {0};
    four sum = {0};
    memcpy (bin, levels + x, (size_t) left * sizeof *bin);
    for (int32_t k = 0; k < layers; k++) {
      four v[4];
      for (int i = 0; i < 4; i++)
        v[i] = __builtin_convertvector(table[bin[i] * layers + k] * (across[x + i] * rows * deep[k]), four);
      const four v01 = __builtin_shufflevector (v[0], v[1], 0, 4, 1, 5),
                 w01 = __builtin_shufflevector (v[0], v[1], 2, 6, 3, 7);
      const four v23 = __builtin_shufflevector (v[2], v[3], 0, 4, 1, 5),
                 w23 = __builtin_shufflevector (v[2], v[3], 2, 6, 3, 7);
      sum += __builtin_shufflevector (v01, v23, 0, 1, 4, 5);
      sum += __builtin_shufflevector (v01, v23, 2, 3, 6, 7);
      sum += __builtin_shufflevector (w01, w23, 0, 1, 4, 5);
      sum += __builtin_shufflevector (w01, w23, 2, 3, 6, 7);
    }
    for (int i = 0; i < left; i++) {
      const int32_t level = (int32_t) sum[i];
      const bool some = bin[i] != none;
      least = some && level < least ? level : least;
      most = some && level > most ? level : most;
      levels[x + i] = (uint16_t) (some ? level : CLAHE_NONE);
    }
  }
  ends[0] = least;
  ends[1] = most;
}

/* The pixels of a block are coordinates `begin` to `end`, which lie in the image; before them the block began at `from`. */
typedef struct span {
  int64_t from, begin, end;
} span;

static span
span_of (const clahe_plan *p, int axis, int64_t block)
{
  const int64_t from = block * p->size[axis] - p->size[axis] / 2;
  return (span){from, from > 0 ? from : 0, lesser (from + p->size[axis], p->shape[axis])};
}

/* The maps of the tiles around a block, bin by bin. */
static void
gather_maps (const clahe_work *w, int64_t z, int64_t y, int64_t x, corners *table)
{
  const clahe_plan *p = &w->plan;
  const clahe_position at[3] = {clahe_position_at (z, p->size[0], p->tiles[0]),
                                clahe_position_at (y, p->size[1], p->tiles[1]),
                                clahe_position_at (x, p->size[2], p->tiles[2])};
  const int64_t stride = p->bins + 1;
  for (int32_t k = 0; k < p->layers; k++) {
    const int64_t layer = p->layers == 1 ? z : at[0].tile[k];
    const uint16_t *map[4];
    for (int i = 0; i < 4; i++)
      map[i] = w->maps + ((layer * p->tiles[1] + at[1].tile[i / 2]) * p->tiles[2] + at[2].tile[i % 2]) * stride;
    for (int64_t b = 0; b < stride; b++)
      table[b * p->layers + k] = (corners){map[0][b], map[1][b], map[2][b], map[3][b]};
  }
}

static void
blend_block (clahe_work *w, const int64_t block[3])
{
  const clahe_plan *p = &w->plan;
  const span z = span_of (p, 0, block[0]), y = span_of (p, 1, block[1]), x = span_of (p, 2, block[2]);
  corners *table = w->tables + thread_index () * (p->bins + 1) * p->layers;
  int32_t ends[2] = {CLAHE_LEVELS, -1};
  if (z.begin >= z.end || y.begin >= y.end || x.begin >= x.end)
    return;
  gather_maps (w, z.begin, y.begin, x.begin, table);
  for (int64_t k = z.begin; k < z.end; k++)
    for (int64_t j = y.begin; j < y.end; j++) {
      const clahe_position down = clahe_position_at (j, p->size[1], p->tiles[1]),
                           deep = clahe_position_at (k, p->size[0], p->tiles[0]);
      const double one = 1;
      blend_row (level_row (w, k, j) + x.begin, x.end - x.begin, table, w->across + (x.begin - x.from), down.weight,
                 p->layers == 1 ? &one : deep.weight, p->layers, p->bins, ends);
    }
  progress_step (&w->progress, 0);
#pragma omp critical(clahe_ends)
  {
    w->least = ends[0] < w->least ? ends[0] : w->least;
    w->most = ends[1] > w->most ? ends[1] : w->most;
  }
}

static void
blend (clahe_work *w)
{
  const clahe_plan *p = &w->plan;
  const int64_t down = p->tiles[1] + 1, across = p->tiles[2] + 1,
                blocks = (p->tiles[0] + (p->layers == 2)) * down * across;
  for (int64_t i = 0; i < p->size[2] + 3; i++) {
    const double weight = (double) i / (double) p->size[2];
    w->across[i] = (corners){1 - weight, weight, 1 - weight, weight};
  }
  w->least = CLAHE_LEVELS;
  w->most = -1;
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < blocks; i++)
    if (!progress_stopped (&w->progress))
      blend_block (w, (int64_t[]){i / (down * across), i / across % down, i % across});
}

/* ---- The result ---- */

#define DEFINE_WRITE(NAME, T)                                                                                          \
  static void write_##NAME (T *restrict to, const uint16_t *restrict levels, int64_t n, const void *table)             \
  {                                                                                                                    \
    const T *value = table;                                                                                            \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = value[levels[i]];                                                                                        \
  }
DEFINE_WRITE (u8, uint8_t)
DEFINE_WRITE (u16, uint16_t)
DEFINE_WRITE (i32, int32_t)
DEFINE_WRITE (f32, float)
DEFINE_WRITE (f64, double)

static void
write_levels (clahe_work *w, void *table)
{
  const int64_t *shape = w->plan.shape;
  const fv_type type = w->out->grid->type;
  const double full = full_of (type), low = w->least, range = w->most > w->least ? w->most - low : 1;
  double values[CLAHE_LEVELS + 1];
  for (int32_t i = 0; i < CLAHE_LEVELS; i++)
    values[i] = (i - low) / range * full;
  values[CLAHE_NONE] = NAN;
  row_from_f64 (table, type, values, CLAHE_LEVELS + 1);
#pragma omp parallel for collapse(2) schedule(static, 16)
  for (int64_t z = 0; z < shape[0]; z++)
    for (int64_t y = 0; y < shape[1]; y++) {
      if (progress_stopped (&w->progress))
        continue;
      WITH_TYPE (type, write, array_row (w->out, w->plane + z, y), level_row (w, z, y), shape[2], table)
      progress_step (&w->progress, 1);
    }
}

static fv_status
take (const fv_call *call, int64_t n, size_t each, void *memory, fv_error *error)
{
  return call->host->scratch (call, (size_t) n * each, memory, error);
}

static fv_status
make_room (clahe_work *w, void **table, fv_error *error)
{
  const clahe_plan *p = &w->plan;
  const int64_t stride = p->bins + 1, threads = threads_at_most ();
  const fv_type type = w->in->grid->type;
  const fv_call *call = w->call;
  if (take (call, clahe_pixels (p), sizeof *w->levels, &w->levels, error)
      || take (call, clahe_tiles (p) * stride, sizeof *w->maps, &w->maps, error)
      || take (call, threads * 4 * stride, sizeof *w->counts, &w->counts, error)
      || take (call, p->size[2] + 3, sizeof *w->across, &w->across, error)
      || take (call, threads * stride * p->layers, sizeof *w->tables, &w->tables, error)
      || take (call, CLAHE_LEVELS + 1, type_bytes (w->out->grid->type), table, error))
    return error->code;
  w->bin_of = NULL;
  return type & (FV_U8 | FV_U16) ? take (call, 65536, sizeof *w->bin_of, &w->bin_of, error) : FV_OK;
}

static fv_status
equalize_tiles (clahe_work *w, void *table, fv_error *error)
{
  const int64_t tiles = clahe_tiles (&w->plan);
  find_bins (w);
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < tiles; i++) {
    if (progress_stopped (&w->progress))
      continue;
    make_map (w, i);
    progress_step (&w->progress, 0);
  }
  if (!w->progress.stop)
    blend (w);
  if (!w->progress.stop)
    write_levels (w, table);
  return w->progress.stop ? cancelled (error) : FV_OK;
}

/* Where there is one value, or none, `width` is infinite, and all maps are 0. */
static fv_status
clahe_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  clahe_work w = {.call = call, .plan = clahe_plan_of (call->args, in->grid), .in = in, .out = call->outputs[0]};
  const int64_t planes = array_planes (in), together = w.plan.shape[0];
  buffer partial = {0};
  void *table;
  if (make_room (&w, &table, error))
    return error->code;
  w.progress = (progress){call, .total = 3 * planes * array_rows (in)};
  for (w.plane = 0; w.plane < planes; w.plane += together) {
    const pixels p = pixels_of (in, w.plane, together);
    double low, high;
    if (pixels_range (&p, &partial, &w.progress, &low, &high, error))
      return error->code;
    w.low = low * 0.5;
    w.width = high * 0.5 - w.low;
    if (!(w.width > 0))
      w.low = w.width = HUGE_VAL;
    if (equalize_tiles (&w, table, error))
      return error->code;
  }
  return FV_OK;
}

/* ---- The operation ---- */

static fv_grain
clahe_grain (const fv_op *op, const void *args)
{
  (void) op;
  return ((const clahe_args *) args)->volume ? FV_STACK : FV_PLANES;
}

static fv_status
clahe_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const clahe_args *a = args;
  const clahe_plan p = clahe_plan_of (a, in[0]);
  (void) op;
  if (p.tile_pixels > INT32_MAX)
    return fail (error, FV_BAD_ARGUMENT, "size",
                 "A tile would have %lld pixels, and can have at most %d: make it smaller.", (long long) p.tile_pixels,
                 INT32_MAX);
  full_grid (out[0], in[0], a->output == FULL_FLOAT ? full_float (in[0]->type) : in[0]->type);
  return FV_OK;
}

static int64_t
clahe_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const clahe_plan p = clahe_plan_of (args, in[0]);
  const int64_t stride = p.bins + 1, tables = 4 * (int64_t) sizeof (uint32_t) + p.layers * (int64_t) sizeof (corners);
  (void) op;
  return 2 * clahe_pixels (&p) + 2 * clahe_tiles (&p) * stride + threads_at_most () * stride * tables
         + (p.size[2] + 3) * (int64_t) sizeof (corners);
}

static double
clahe_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return ((const clahe_args *) args)->volume ? 50 : 30;
}

const fv_op fv_op_clahe = {
  FV_OP (clahe_args),
  .key = "clahe",
  .menu = "Process/Contrast",
  .label = "Enhance Local Contrast (CLAHE)...",
  .search = "adaptive histogram equalization local contrast enhance uneven",
  .help = "Equalizes the histogram around each pixel, up to a contrast limit; NaN stays.",
  .cite = "K. Zuiderveld, Contrast Limited Adaptive Histogram Equalization, Graphics Gems IV (1994), 474",
  .kind = FV_GLOBAL,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Equalized"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (clahe_args, size), .label = "Tile size", .unit = FV_PIXELS, .min = 1, .max = 1e9, .soft_min = 8,
       .soft_max = 512, .scale = FV_LOG,
       .help = "Pixels of a tile along all axes, or y,x, or z,y,x; an eighth of the image where it is not given."},
      {FV_FIELD (clahe_args, limit), .label = "Contrast limit", .def = 0.01, .max = 1, .soft_min = 0.001,
       .soft_max = 0.1, .scale = FV_LOG,
       .help = "The largest share of a tile's pixels in one bin. More gives more contrast; 0: no limit."},
      {FV_FIELD (clahe_args, bins), .label = "Bins", .advanced = true, .def = 256, .min = 2, .max = CLAHE_BINS,
       .soft_min = 16, .soft_max = 1024, .scale = FV_LOG, .help = "Number of bins of each histogram."},
      {FV_FIELD (clahe_args, output), .label = "Output", .advanced = true, .choices = FULL_OUTPUTS,
       .help = "Type and range of the result."},
      {FV_FIELD (clahe_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume, with tiles that are deep, too."},
      {0}},
  .grain = clahe_grain,
  .infer = clahe_infer,
  .scratch = clahe_scratch,
  .arithmetic = clahe_arithmetic,
  .run = {[FV_CPU] = clahe_cpu, [FV_CUDA] = FV_CUDA_FN (clahe_cuda)},
  .part = FV_PART_ALIKE,
};
