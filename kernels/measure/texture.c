/* SPDX-License-Identifier: MIT
 *
 * texture: an image of levels, then one object after the other, of whose runs the pairs are counted.
 */
#include "kernels/measure/texture.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/measure/placed_rows.h"

enum { CHUNK = 1024, ROWS_BETWEEN_TICKS = 256 };

/* ---- Arguments ---- */

texture_steps
texture_steps_of (const texture_args *a)
{
  texture_steps s = {0};
  for (int i = 0; i < TEXTURE_ANGLES; i++)
    if (!a->angle || a->angle == i + 1) {
      s.rows[s.n] = (int32_t) round (sin (PI / 4 * i) * a->distance);
      s.columns[s.n++] = (int32_t) round (cos (PI / 4 * i) * a->distance);
    }
  return s;
}

histogram_args
texture_bins_of (const texture_args *a)
{
  return (histogram_args){a->levels, a->low, a->high};
}

static fv_status
texture_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const texture_args *a = args;
  const fv_grid *image = in[TEXTURE_IMAGE], *labels = in[TEXTURE_LABELS];
  (void) op, (void) out;
  if (!(a->low < a->high))
    return fail (error, FV_BAD_ARGUMENT, "high",
                 "The levels would end at %g, where they begin at %g; they must end above.", a->high, a->low);
  for (int i = 0; i < 3; i++)
    if (image->shape[i] >= REGIONS_MAX_SIDE)
      return fail (error, FV_BAD_INPUT, "image", "The image has a side of %lld pixels; it must be below %lld.",
                   (long long) image->shape[i], (long long) REGIONS_MAX_SIDE);
  if (labels && labels->channels != 1)
    return fail (error, FV_BAD_INPUT, "labels", "Labels have one channel, these have %lld.",
                 (long long) labels->channels);
  return check_alike (labels, "labels", image, "the image", ALIKE_IN_CHANNEL, error);
}

static int64_t
texture_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const fv_grid *image = in[TEXTURE_IMAGE];
  (void) op, (void) args;
  return image->shape[0] * image->shape[1] * image->shape[2];
}

/* ---- Levels ---- */

VECTORISED static void
find_levels (const histogram_range *range, const double *v, int64_t n, uint8_t *to)
{
  const histogram_range r = *range;
  for (int64_t i = 0; i < n; i++)
    to[i] = texture_level (&r, v[i]);
}

typedef struct texture_work {
  const fv_call *call;
  texture_steps steps;
  int64_t rows, columns, depth;
  int32_t n;       /* levels */
  uint8_t *levels; /* of all pixels */
  uint64_t *pairs; /* [threads][n][n] */
  progress progress;
} texture_work;

/* False when the work is to stop. */
static bool
make_levels (texture_work *w, int64_t channel)
{
  const fv_array *image = w->call->inputs[TEXTURE_IMAGE];
  const histogram_args bins = texture_bins_of (w->call->args);
  const histogram_range range = histogram_find_range (image, NULL, &bins, channel, &w->progress);
  const stack_view pixels = stack_view_of (image, channel, w->depth);
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t line = 0; line < w->depth * w->rows; line++) {
    double v[CHUNK];
    for (int64_t x = 0; x < w->columns && !progress_stopped (&w->progress); x += CHUNK) {
      const int64_t n = w->columns - x < CHUNK ? w->columns - x : CHUNK;
      stack_read (&pixels, line / w->rows, line % w->rows, x, n, v);
      find_levels (&range, v, n, w->levels + (channel * w->depth * w->rows + line) * w->columns + x);
    }
    progress_step (&w->progress, 1);
  }
  return !w->progress.stop;
}

/* ---- An object ---- */

/* Pairs of which the first pixel is in the run, and the second so far down and to the right. */
static void
count_run (const texture_work *w, const run *r, const uint8_t *plane, int32_t down, int32_t right, uint64_t *pairs)
{
  const fv_array *labels = w->call->inputs[TEXTURE_LABELS];
  const int64_t y = r->y + down, first = -right > r->x0 ? -right : r->x0,
                end = w->columns - right < r->x1 ? w->columns - right : r->x1;
  if (y < 0 || y >= w->rows)
    return;
  const uint8_t *from = plane + r->y * w->columns, *to = plane + y * w->columns;
  const int32_t *label = labels ? array_row (labels, r->z, y) : NULL;
  for (int64_t x = first; x < end; x++)
    if (from[x] != TEXTURE_NONE && to[x + right] != TEXTURE_NONE && (!label || label[x + right] == r->label))
      pairs[from[x] * w->n + to[x + right]]++;
}

/* False where there are no pairs. */
static bool
add_angle (const uint64_t *pairs, int32_t n, texture_features *to)
{
  texture_sums s = {{0}};
  double total = 0, mean = 0;
  for (int32_t i = 0; i < n * n; i++)
    total += 2 * (double) pairs[i];
  for (int32_t i = 0; i < n * n; i++) /* of rows and columns of the transpose as well */
    mean += (double) pairs[i] * (i / n + i % n) / total;
  for (int32_t i = 0; i < n && total > 0; i++)
    for (int32_t j = 0; j < n; j++)
      if (pairs[i * n + j] + pairs[j * n + i])
        texture_add (&s, i, j, ((double) pairs[i * n + j] + (double) pairs[j * n + i]) / total, mean);
  if (total > 0)
    texture_add_features (to, &s);
  return total > 0;
}

/* o->runs NULL: a whole plane, of one run in each row. */
static void
measure_object (texture_work *w, const region *o, int64_t channel, texture_features *to)
{
  uint64_t *pairs = w->pairs + thread_index () * w->n * w->n;
  const uint8_t *plane = w->levels + (channel * w->depth + o->low[0]) * w->rows * w->columns;
  int32_t found = 0;
  *to = (texture_features){{0}};
  for (int32_t a = 0; a < w->steps.n; a++) {
    memset (pairs, 0, (size_t) (w->n * w->n) * sizeof *pairs);
    for (int64_t i = 0; i < o->n_runs && !progress_stopped (&w->progress); i++) {
      const run row = {0, o->low[0], (int32_t) i, 0, (int32_t) w->columns}, *r = o->runs ? &o->runs[i] : &row;
      count_run (w, r, plane, w->steps.rows[a], w->steps.columns[a], pairs);
      if (i % ROWS_BETWEEN_TICKS == ROWS_BETWEEN_TICKS - 1)
        progress_step (&w->progress, 0);
    }
    found += add_angle (pairs, w->n, to);
  }
  texture_average (to, found);
}

/* ---- The call ---- */

/* Objects of the labels, or the planes. */
static fv_status
find_objects (const fv_call *call, regions *found, fv_error *error)
{
  const fv_array *image = call->inputs[TEXTURE_IMAGE], *labels = call->inputs[TEXTURE_LABELS];
  if (labels)
    return regions_find (call, labels, false, found, error);
  found->n = grid_depth (image->grid);
  fv_status status = scratch_items (call, found->n, sizeof *found->items, &found->items, error);
  for (int64_t z = 0; z < found->n && !status; z++)
    found->items[z] = (region){.n_runs = array_rows (image), .low = {(int32_t) z}};
  return status;
}

static fv_status
measure_all (texture_work *w, const regions *found, texture_features *features, int32_t *where, fv_error *error)
{
  const int64_t channels = w->call->inputs[TEXTURE_IMAGE]->grid->channels;
  for (int64_t channel = 0; channel < channels; channel++)
    if (!make_levels (w, channel))
      return cancelled (error);
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < channels * found->n; i++) {
    if (progress_stopped (&w->progress))
      continue;
    measure_object (w, &found->items[i % found->n], i / found->n, &features[i]);
    progress_step (&w->progress, 1);
  }
  for (int64_t i = 0; i < found->n; i++) {
    where[i] = found->items[i].low[0];
    where[found->n + i] = found->items[i].label;
  }
  return w->progress.stop ? cancelled (error)
                          : texture_table (w->call, found->n, where, where + found->n, features, error);
}

static fv_status
texture_cpu (const fv_call *call, fv_error *error)
{
  const texture_args *a = call->args;
  const fv_array *image = call->inputs[TEXTURE_IMAGE];
  const int64_t channels = image->grid->channels, planes = array_planes (image);
  regions found = {0};
  texture_features *features = NULL;
  int32_t *where = NULL;
  texture_work w = {.call = call,
                    .steps = texture_steps_of (a),
                    .rows = array_rows (image),
                    .columns = array_columns (image),
                    .depth = grid_depth (image->grid),
                    .n = a->levels};
  fv_status status = find_objects (call, &found, error);
  if (!status)
    status = scratch_items (call, planes * w.rows * w.columns, 1, &w.levels, error);
  if (!status)
    status = scratch_items (call, threads_at_most () * w.n * w.n, sizeof *w.pairs, &w.pairs, error);
  if (!status)
    status = scratch_items (call, channels * found.n, sizeof *features, &features, error);
  if (!status)
    status = scratch_items (call, 2 * found.n, sizeof *where, &where, error);
  w.progress = (progress){call, .total = 2 * planes * w.rows + channels * found.n};
  return status ? status : measure_all (&w, &found, features, where, error);
}

/* ---- The table ---- */

fv_status
texture_table (const fv_call *call, int64_t objects, const int32_t *planes, const int32_t *labels,
               const texture_features *features, fv_error *error)
{
  static const fv_column columns[1 + TEXTURE_FEATURES] = {
    {"label", "", "The object's label.", FV_COLUMN_INTEGER},
    {"contrast", "", "Mean squared difference of the levels of two pixels.", FV_COLUMN_FLOAT},
    {"dissimilarity", "", "Mean difference of the levels of two pixels, without its sign.", FV_COLUMN_FLOAT},
    {"homogeneity", "", "Mean of 1 / (1 + squared difference).", FV_COLUMN_FLOAT},
    {"asm", "", "Angular second moment: sum of the squared shares of all pairs of levels.", FV_COLUMN_FLOAT},
    {"energy", "", "Root of the angular second moment.", FV_COLUMN_FLOAT},
    {"correlation", "", "Correlation of the levels of two pixels; 1 where there is one level.", FV_COLUMN_FLOAT},
    {"entropy", "", "Entropy of the pairs of levels, in natural units.", FV_COLUMN_FLOAT},
    {"variance", "", "Variance of the levels of pixels in pairs.", FV_COLUMN_FLOAT},
  };
  const fv_grid *grid = call->inputs[TEXTURE_IMAGE]->grid;
  const int64_t rows = grid->channels * objects;
  const uint32_t without = call->inputs[TEXTURE_LABELS] ? 0 : 1;
  placed_rows to;
  fv_status status = placed_rows_new (call, grid, columns + without, 1 + TEXTURE_FEATURES - without, rows, &to, error);
  for (int64_t i = 0; i < rows && !status; i++) {
    double row[1 + TEXTURE_FEATURES] = {labels[i % objects]};
    memcpy (row + 1, features[i].v, sizeof features[i].v);
    placed_rows_put (&to, i, i / objects, planes[i % objects], row + without);
  }
  return status;
}

/* ---- The operation ---- */

static double
texture_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) in;
  return 20 + 10.0 * texture_steps_of (args).n;
}

static const fv_choice angles[] = {
  {"all", "All", "The mean over the four directions."}, {"0", "0°", "Neighbors to the right."},
  {"45", "45°", "Neighbors below, to the right."},      {"90", "90°", "Neighbors below."},
  {"135", "135°", "Neighbors below, to the left."},     {0}};

const fv_op fv_op_texture = {
  FV_OP (texture_args),
  .key = "texture",
  .menu = "Analyze",
  .label = "Texture...",
  .search = "haralick glcm co-occurrence features contrast entropy homogeneity",
  .columns = (const fv_column_name[]){{"channel", "Ch"}, {0}},
  .help = "Measures Haralick's features of texture, of each object or of each whole slice.",
  .cite = "R. M. Haralick et al., Textural features for image classification, IEEE Trans. SMC 3 (1973)",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){{"image", "Image", "The image; NaN and infinities are left out.", FV_ANY_TYPE, false},
                       {"labels", "Labels", "The objects; all of a mask is one object, and none is the whole slice.",
                        FV_I32 | FV_WANTS_LABELS, true},
                       {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (texture_args, levels), .label = "Levels", .def = 32, .min = 2, .max = TEXTURE_MOST_LEVELS,
       .soft_min = 2, .soft_max = 64, .help = "Number of gray levels."},
      {FV_FIELD (texture_args, distance), .label = "Distance", .unit = FV_PIXELS, .def = 1, .min = 1, .max = 10000,
       .soft_min = 1, .soft_max = 20, .help = "How far the two pixels of a pair are from each other."},
      {FV_FIELD (texture_args, angle), .label = "Angle", .choices = angles,
       .help = "In which direction the second pixel of a pair is looked for."},
      {FV_FIELD (texture_args, low), .label = "From", .def = -INFINITY, .min = -INFINITY, .max = INFINITY, .open = true,
       .advanced = true, .help = "Values up to it have the lowest level; empty: the smallest value of the channel."},
      {FV_FIELD (texture_args, high), .label = "To", .def = INFINITY, .min = -INFINITY, .max = INFINITY, .open = true,
       .advanced = true, .help = "Values from it on have the highest level; empty: the largest value of the channel."},
      {0}},
  .grain = grain_frame,
  .infer = texture_infer,
  .scratch = texture_scratch,
  .arithmetic = texture_arithmetic,
  .run = {[FV_CPU] = texture_cpu, [FV_CUDA] = FV_CUDA_FN (texture_cuda)},
};
