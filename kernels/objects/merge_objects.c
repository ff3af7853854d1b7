/* SPDX-License-Identifier: MIT
 *
 * merge_objects: pairs of pixels are counted and then listed, run by run, each run with what comes after it, a thread an object; sorted by
 * objects, those of a border follow each other.
 */
#include "kernels/objects/merge_objects.h"

#include "kernels/common/alike.h"
#include "kernels/common/grain.h"
#include "kernels/common/union_find.h"
#include "kernels/objects/object_paint.h"
#include "kernels/objects/object_rows.h"

/* ---- Pairs of pixels ---- */

typedef struct pair_list {
  stack_view image;
  object_rows rows;
  border_pair *items; /* NULL: they are counted */
  int64_t n;
} pair_list;

static void
add_pair (pair_list *l, int32_t a, int64_t at_a, int32_t b, int64_t at_b)
{
  if (l->items)
    l->items[l->n] = a < b ? (border_pair){{a, b}, {at_a, at_b}} : (border_pair){{b, a}, {at_b, at_a}};
  l->n++;
}

/* Of a run and the pixels of the row (z, y), which comes after it. */
static void
add_row_after (pair_list *l, const run *r, int32_t object, int64_t z, int64_t y)
{
  const int64_t row = object_row (&l->rows, z, y), end = l->rows.first[row + 1];
  for (int64_t i = object_rows_from (&l->rows, row, r->x0 - 1); i < end && l->rows.pieces[i].x0 <= r->x1; i++) {
    const row_piece *p = &l->rows.pieces[i];
    for (int32_t x = p->x0 < r->x0 - 1 ? r->x0 - 1 : p->x0; p->object != object && x < p->x1 && x <= r->x1; x++)
      for (int32_t own = x - 1 < r->x0 ? r->x0 : x - 1; own <= x + 1 && own < r->x1; own++)
        add_pair (l, object, stack_offset (&l->image, r->z, r->y, own), p->object, stack_offset (&l->image, z, y, x));
  }
}

static void
add_right (pair_list *l, const run *r, int32_t object)
{
  const int64_t row = object_row (&l->rows, r->z, r->y), i = object_rows_from (&l->rows, row, r->x1);
  if (i < l->rows.first[row + 1] && l->rows.pieces[i].x0 == r->x1)
    add_pair (l, object, stack_offset (&l->image, r->z, r->y, r->x1 - 1), l->rows.pieces[i].object,
              stack_offset (&l->image, r->z, r->y, r->x1));
}

static void
add_object (pair_list *l, const region *o, int32_t object, bool volume)
{
  for (const run *r = o->runs; r < o->runs + o->n_runs; r++) {
    add_right (l, r, object);
    if (r->y + 1 < l->rows.rows)
      add_row_after (l, r, object, r->z, r->y + 1);
    for (int64_t y = r->y - 1; volume && r->z + 1 < l->rows.planes && y <= r->y + 1; y++)
      if (y >= 0 && y < l->rows.rows)
        add_row_after (l, r, object, r->z + 1, y);
  }
}

/* first: [objects + 1], the first pair of each; where pairs are counted it is made. False when the work is to stop. */
static bool
add_all (pair_list *l, const regions *found, bool volume, int64_t *first, progress *p)
{
#pragma omp parallel for schedule(dynamic, 32)
  for (int64_t i = 0; i < found->n; i++) {
    pair_list own = *l;
    if (progress_stopped (p))
      continue;
    own.items = l->items ? l->items + first[i] : NULL;
    own.n = 0;
    add_object (&own, &found->items[i], (int32_t) i, volume);
    if (!l->items)
      first[i + 1] = own.n;
    progress_step (p, 1);
  }
  first[0] = 0;
  for (int64_t i = 0; i < found->n && !l->items && !p->stop; i++)
    first[i + 1] += first[i];
  return !p->stop;
}

/* In the order of the objects of one side, and of equal ones as they were. at: [objects + 1]. */
static void
sort_pairs (const border_pair *from, border_pair *to, int64_t n, int side, int64_t *at, int64_t objects)
{
  memset (at, 0, (size_t) (objects + 1) * sizeof *at);
  for (int64_t i = 0; i < n; i++)
    at[from[i].objects[side] + 1]++;
  for (int64_t k = 0; k < objects; k++)
    at[k + 1] += at[k];
  for (int64_t i = 0; i < n; i++)
    to[at[from[i].objects[side]]++] = from[i];
}

static fv_status
list_pairs (const fv_call *call, const regions *found, pair_list *l, fv_error *error)
{
  const bool volume = ((const merge_objects_args *) call->args)->volume;
  progress p = {call, .total = 2 * found->n};
  border_pair *other;
  int64_t *at, *first;
  l->image = stack_view_of (call->inputs[MERGE_INTENSITY], 0, 1);
  fv_status status = object_rows_make (call, call->inputs[MERGE_LABELS], found, &l->rows, error);
  if (!status)
    status = host_items (call, found->n + 1, sizeof *first, &first, error);
  if (status)
    return status;
  if (!add_all (l, found, volume, first, &p))
    return cancelled (error);
  l->n = first[found->n];
  status = host_items (call, l->n, sizeof *l->items, &l->items, error);
  if (!status)
    status = host_items (call, l->n, sizeof *other, &other, error);
  if (!status)
    status = host_items (call, found->n + 1, sizeof *at, &at, error);
  if (status)
    return status;
  if (!add_all (l, found, volume, first, &p))
    return cancelled (error);
  sort_pairs (l->items, other, l->n, 1, at, found->n);
  sort_pairs (other, l->items, l->n, 0, at, found->n);
  return FV_OK;
}

/* ---- Borders ---- */

typedef struct object_border {
  int32_t objects[2];
  int64_t pairs; /* that count */
  double mean, contrast;
} object_border;

static bool
same_border (const border_pair *a, const border_pair *b)
{
  return a->objects[0] == b->objects[0] && a->objects[1] == b->objects[1];
}

/* Of sorted pairs; returns how many there are. */
static int64_t
measure_borders (const pair_list *l, const double *values, object_border *borders)
{
  int64_t n = 0;
  for (int64_t i = 0; i < l->n; i++) {
    const double u = values[2 * i], v = values[2 * i + 1];
    if (!i || !same_border (&l->items[i - 1], &l->items[i]))
      borders[n++] = (object_border){{l->items[i].objects[0], l->items[i].objects[1]}, 0, 0, 0};
    if (!(fabs (u) <= DBL_MAX && fabs (v) <= DBL_MAX))
      continue;
    borders[n - 1].pairs++;
    borders[n - 1].mean += u / 2 + v / 2;
    borders[n - 1].contrast += fabs (u - v);
  }
  for (int64_t i = 0; i < n; i++) {
    borders[i].mean /= (double) borders[i].pairs;
    borders[i].contrast /= (double) borders[i].pairs;
  }
  return n;
}

static int64_t
count_borders (const pair_list *l)
{
  int64_t n = l->n > 0;
  for (int64_t i = 1; i < l->n; i++)
    n += !same_border (&l->items[i - 1], &l->items[i]);
  return n;
}

static bool
border_is_low (const merge_objects_args *a, const object_border *b)
{
  return (a->by == MERGE_BY_MEAN ? b->mean : b->contrast) < a->limit;
}

static fv_status
write_table (const fv_call *call, const regions *found, const object_border *borders, int64_t n, fv_error *error)
{
  static const fv_column columns[] = {
    {"z", "", "The slice that the objects are in, counted from 1.", FV_COLUMN_INTEGER},
    {"label", "", "Label of an object.", FV_COLUMN_INTEGER},
    {"other", "", "Label of an object that touches it.", FV_COLUMN_INTEGER},
    {"pairs", "", "How many pairs of neighboring pixels make their border.", FV_COLUMN_INTEGER},
    {"mean", "", "Mean intensity of the border.", FV_COLUMN_FLOAT},
    {"contrast", "", "Mean difference of intensities across the border.", FV_COLUMN_FLOAT},
    {"joined", "", "1 where the border is below the limit, else 0.", FV_COLUMN_INTEGER},
  };
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const merge_objects_args *a = call->args;
  const bool slices = !a->volume && array_planes (call->inputs[MERGE_LABELS]) > 1;
  double *v;
  fv_status status = call->host->table (call, columns + !slices, COLUMNS - !slices, sizeof *columns, n, &v, error);
  for (int64_t i = 0; i < n && !status; i++) {
    const object_border *b = &borders[i];
    const region *first = &found->items[b->objects[0]], *second = &found->items[b->objects[1]];
    const double row[COLUMNS] = {first->low[0] + 1, first->label, second->label,       (double) b->pairs,
                                 b->mean,           b->contrast,  border_is_low (a, b)};
    for (int64_t j = !slices; j < COLUMNS; j++)
      v[(j - !slices) * n + i] = row[j];
  }
  return status;
}

/* ---- The work ---- */

static fv_status
join_objects (const fv_call *call, const regions *found, const object_border *borders, int64_t n, int32_t **to,
              fv_error *error)
{
  int32_t *link;
  fv_status status = host_items (call, found->n, sizeof *link, &link, error);
  if (!status)
    status = host_items (call, found->n, sizeof **to, to, error);
  if (status)
    return status;
  for (int64_t i = 0; i < found->n; i++)
    link[i] = (int32_t) i;
  for (int64_t i = 0; i < n; i++)
    if (border_is_low (call->args, &borders[i]))
      forest_unite (link, borders[i].objects[0], borders[i].objects[1]);
  for (int64_t i = 0; i < found->n; i++)
    (*to)[i] = found->items[forest_root (link, (int32_t) i)].label;
  return FV_OK;
}

fv_status
merge_objects_find (const fv_call *call, const regions *found, merge_fetch *fetch, int32_t **to, fv_error *error)
{
  pair_list l = {.n = 0};
  double *values;
  object_border *borders;
  int64_t n = 0;
  fv_status status = list_pairs (call, found, &l, error);
  if (!status)
    status = host_items (call, 2 * l.n, sizeof *values, &values, error);
  if (!status)
    status = host_items (call, count_borders (&l), sizeof *borders, &borders, error);
  if (!status)
    status = fetch (call, l.items, l.n, values, error);
  if (status)
    return status;
  n = measure_borders (&l, values, borders);
  status = join_objects (call, found, borders, n, to, error);
  return status ? status : write_table (call, found, borders, n, error);
}

static fv_status
fetch_cpu (const fv_call *call, const border_pair *pairs, int64_t n, double *values, fv_error *error)
{
  const stack_view image = stack_view_of (call->inputs[MERGE_INTENSITY], 0, 1);
  (void) error;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++)
    for (int side = 0; side < 2; side++)
      values[2 * i + side] = stack_pixel (&image, 0, 0, pairs[i].offsets[side]);
  return FV_OK;
}

static fv_status
merge_objects_cpu (const fv_call *call, fv_error *error)
{
  regions found;
  int32_t *to;
  fv_status status =
    regions_find (call, call->inputs[MERGE_LABELS], ((const merge_objects_args *) call->args)->volume, &found, error);
  if (!status)
    status = merge_objects_find (call, &found, fetch_cpu, &to, error);
  return status ? status : object_paint_cpu (call, &found, to, call->outputs[0], error);
}

/* ---- The operation ---- */

static fv_status
merge_objects_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const fv_grid *labels = in[MERGE_LABELS], *image = in[MERGE_INTENSITY];
  (void) op, (void) args;
  if (regions_check_image (labels, error))
    return error->code;
  if (check_alike (image, "intensity", labels, "the label image", ALIKE, error))
    return error->code;
  out[0]->type = FV_I32;
  out[0]->role = FV_LABELS;
  out[0]->dense = false;
  return FV_OK;
}

const fv_op fv_op_merge_objects = {
  FV_OP (merge_objects_args),
  .key = "merge_objects",
  .menu = "Process/Objects",
  .label = "Merge Objects...",
  .search = "join combine region merging rag boundary membrane contrast",
  .columns = (const fv_column_name[]){{"mean", "Mean"}, {0}},
  .help = "Joins touching objects of a label image where their border is dark or faint in an image.",
  .kind = FV_TABLE,
  .reads_back = true,
  .inputs =
    (const fv_input[]){
      {"image", "Labels", "The label image: 0 is background, and each other value is an object.",
       FV_INTEGERS | FV_WANTS_LABELS, false},
      {"intensity", "Intensity", "The image in which borders are measured; NaN does not count.", FV_ANY_TYPE, false},
      {0}},
  .outputs = (const fv_output[]){{"labels", "Objects"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (merge_objects_args, by), .label = "By",
       .choices = (const fv_choice[]){{"mean", "Mean of the border", "Mean intensity of the pixels at the border."},
                                      {"contrast", "Contrast", "Mean difference of neighboring pixels across it."},
                                      {0}},
       .help = "What is measured of the border between two objects."},
      {FV_FIELD (merge_objects_args, limit), .label = "Limit", .min = -INFINITY, .max = INFINITY, .soft_max = 4096,
       .help = "Two objects are joined where that is below this; the table has it of each border."},
      {FV_FIELD (merge_objects_args, volume), .label = "3-D (whole stack)",
       .help = "Takes the planes as one volume, not each plane by itself."},
      {0}},
  .grain = grain_frame,
  .infer = merge_objects_infer,
  .run = {[FV_CPU] = merge_objects_cpu, [FV_CUDA] = FV_CUDA_FN (merge_objects_cuda)},
};
