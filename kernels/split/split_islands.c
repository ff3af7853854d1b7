/* SPDX-License-Identifier: MIT
 *
 * Islands are put on shelves of the sheet, the highest first.
 */
#include "kernels/split/split_islands.h"

#include "kernels/label/planes.h"
#include <stdlib.h>

enum {
  SHEET_WIDTH = 1024, /* of the sheet, where no island is wider, at most */
  WORTH = 2,          /* by what the sheet is smaller than the plane, at least */
};

/* A connected part of the mask with what is around it: where it lies in the plane, which may be beyond its edges, and on the sheet. */
typedef struct island {
  int64_t y, x, rows, columns;
  int64_t to_y, to_x;
} island;

typedef struct peak {
  int64_t first; /* pixel of the plane */
  int32_t label; /* on the sheet */
} peak;

typedef struct job {
  const fv_call *call;
  const split_passes *passes;
  int64_t around[2]; /* pixels around each island, along y and x */
  const plane_group *found;
  island *islands; /* by label, from 1 */
  int64_t n, shape[3];
  scratch_image distance;
  const fv_array *from;             /* what the plane is flooded by */
  scratch_image mask, near, labels; /* of the sheet, near: what it is flooded by */
  split_arrays flooded;
  int32_t *numbers; /* by label on the sheet */
  bool done;
} job;

/* ---- The sheet ---- */

static void
find_islands (const job *j)
{
  for (int64_t i = 1; i <= j->n; i++)
    j->islands[i] = (island){.y = INT64_MAX, .x = INT64_MAX};
  /* Until all are known, rows and columns are the last ones. */
  for (int64_t y = 0; y < j->found->rows; y++)
    for (label_run run = label_first_run (j->found, y); label_next_run (j->found, y, &run);) {
      island *i = j->islands + run.label;
      i->y = i->y < y ? i->y : y;
      i->x = i->x < run.from ? i->x : run.from;
      i->rows = y;
      i->columns = i->columns > run.to - 1 ? i->columns : run.to - 1;
    }
  for (int64_t i = 1; i <= j->n; i++) {
    island *at = j->islands + i;
    at->rows += 1 - at->y + 2 * j->around[0];
    at->columns += 1 - at->x + 2 * j->around[1];
    at->y -= j->around[0];
    at->x -= j->around[1];
  }
}

static int
higher_first (const void *a, const void *b)
{
  int64_t rows_a = (*(island *const *) a)->rows, rows_b = (*(island *const *) b)->rows;
  return (rows_a < rows_b) - (rows_a > rows_b);
}

/* order: room for as many pointers as there are islands. */
static void
lay_out (job *j, island **order)
{
  int64_t y = 0, x = 0, shelf = 0;
  j->shape[2] = j->found->columns < SHEET_WIDTH ? j->found->columns : SHEET_WIDTH;
  for (int64_t i = 0; i < j->n; i++) {
    order[i] = j->islands + 1 + i;
    j->shape[2] = order[i]->columns > j->shape[2] ? order[i]->columns : j->shape[2];
  }
  qsort (order, (size_t) j->n, sizeof (island *), higher_first);
  for (int64_t i = 0; i < j->n; i++) {
    if (x + order[i]->columns > j->shape[2]) {
      y += shelf;
      x = shelf = 0;
    }
    shelf = shelf ? shelf : order[i]->rows;
    order[i]->to_y = y;
    order[i]->to_x = x;
    x += order[i]->columns;
  }
  j->shape[1] = y + shelf;
}

/* There is nothing around islands, and no mask yet. */
static fv_status
make_sheet (job *j, fv_error *error)
{
  fv_array like = *j->call->inputs[SPLIT_MASK];
  fv_type type = j->from->grid->type;
  size_t pixels = (size_t) (j->shape[1] * j->shape[2]), blank = pixels * (type_bytes (type) + 1);
  char *near;
  void *labels;
  if (j->call->host->scratch (j->call, blank, (void **) &near, error)
      || j->call->host->scratch (j->call, pixels * sizeof (int32_t), &labels, error))
    return error->code;
  memset (near, 0, blank);
  like.tensor.shape = j->shape;
  scratch_image_like (&j->near, &like, type, FV_IMAGE, near);
  scratch_image_like (&j->mask, &like, FV_U8, FV_MASK, near + pixels * type_bytes (type));
  scratch_image_like (&j->labels, &like, FV_I32, FV_LABELS, labels);
  return FV_OK;
}

/* A row of an island with what is around it. */
static void
lay_row (const job *j, const island *i, int64_t row)
{
  int64_t y = border_index (i->y + row, array_rows (j->from), SPLIT_BORDER), columns = array_columns (j->from);
  int64_t bytes = (int64_t) type_bytes (j->from->grid->type),
          end = i->x + i->columns < columns ? i->x + i->columns : columns;
  const char *from = array_row (j->from, 0, y);
  char *to = (char *) array_row (&j->near.array, 0, i->to_y + row) + (i->to_x - i->x) * bytes;
  int64_t x = i->x;
  for (; x < 0; x++)
    memcpy (to + x * bytes, from + border_index (x, columns, SPLIT_BORDER) * bytes, (size_t) bytes);
  memcpy (to + x * bytes, from + x * bytes, (size_t) ((end - x) * bytes));
  for (x = end; x < i->x + i->columns; x++)
    memcpy (to + x * bytes, from + border_index (x, columns, SPLIT_BORDER) * bytes, (size_t) bytes);
}

static void
lay_islands (const job *j)
{
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 1; i <= j->n; i++)
    for (int64_t row = 0; row < j->islands[i].rows; row++)
      lay_row (j, j->islands + i, row);
}

/* Where a run of the plane lies on an array of the sheet's size. */
static void *
row_at (const job *j, const scratch_image *s, int64_t y, const label_run *run)
{
  const island *i = j->islands + run->label;
  return (char *) array_row (&s->array, 0, y - i->y + i->to_y)
         + (run->from - i->x + i->to_x) * (int64_t) type_bytes (s->grid.type);
}

static void
lay_mask (const job *j)
{
#pragma omp parallel for schedule(static, 64)
  for (int64_t y = 0; y < j->found->rows; y++)
    for (label_run run = label_first_run (j->found, y); label_next_run (j->found, y, &run);)
      memset (row_at (j, &j->mask, y, &run), 255, (size_t) (run.to - run.from));
}

/* ---- Back to the plane ---- */

/* The peaks of an island, by their first pixels. */
static void
find_peaks (const job *j, const island *i, peak *peaks)
{
  for (int64_t row = j->around[0]; row < i->rows - j->around[0]; row++) {
    const int32_t *labels = (const int32_t *) array_row (&j->flooded.markers.array, 0, i->to_y + row) + i->to_x;
    for (int64_t x = j->around[1]; x < i->columns - j->around[1]; x++)
      if (labels[x] && !peaks[labels[x]].label)
        peaks[labels[x]] = (peak){(i->y + row) * j->found->columns + i->x + x, labels[x]};
  }
}

static int
sooner_first (const void *a, const void *b)
{
  int64_t first_a = ((const peak *) a)->first, first_b = ((const peak *) b)->first;
  return (first_a > first_b) - (first_a < first_b);
}

/* Peaks are numbered by their first pixels in the plane. */
static fv_status
number_peaks (job *j, fv_error *error)
{
  size_t n = (size_t) j->call->scalars[0];
  peak *peaks;
  fv_status status =
    j->call->host->scratch (j->call, (n + 1) * (sizeof *peaks + sizeof *j->numbers), (void **) &peaks, error);
  if (status)
    return status;
  j->numbers = (int32_t *) (peaks + n + 1);
  memset (peaks, 0, (n + 1) * sizeof *peaks);
#pragma omp parallel for schedule(dynamic, 8)
  for (int64_t i = 1; i <= j->n; i++)
    find_peaks (j, j->islands + i, peaks);
  qsort (peaks + 1, n, sizeof *peaks, sooner_first);
  j->numbers[0] = 0;
  for (size_t i = 1; i <= n; i++)
    j->numbers[peaks[i].label] = (int32_t) i;
  return FV_OK;
}

static void
bring_back (const job *j)
{
#pragma omp parallel for schedule(static, 64)
  for (int64_t y = 0; y < j->found->rows; y++) {
    int32_t *to = array_row (j->call->outputs[0], 0, y);
    memset (to, 0, (size_t) j->found->columns * sizeof *to);
    for (label_run run = label_first_run (j->found, y); label_next_run (j->found, y, &run);) {
      const int32_t *labels = row_at (j, &j->labels, y, &run);
      for (int64_t x = run.from; x < run.to; x++)
        to[x] = j->numbers[labels[x - run.from]];
    }
  }
}

/* ---- All of it ---- */

static fv_status
find_from (job *j, fv_error *error)
{
  const fv_call *call = j->call;
  const fv_array *mask = call->inputs[SPLIT_MASK];
  void *memory;
  j->from = call->inputs[SPLIT_INTENSITY];
  if (((const split_args *) call->args)->by == SPLIT_BY_INTENSITY)
    return FV_OK;
  fv_status status =
    call->host->scratch (call, (size_t) (array_rows (mask) * array_columns (mask)) * sizeof (float), &memory, error);
  if (status)
    return status;
  scratch_image_like (&j->distance, mask, FV_F32, FV_IMAGE, memory);
  j->from = &j->distance.array;
  return split_distance (call, FV_CPU, &j->distance, error);
}

/* Whether a sheet of so many pixels is small. */
static bool
is_worth (const job *j, double pixels)
{
  return WORTH * pixels <= (double) (j->found->rows * j->found->columns);
}

/* done: whether there is a sheet, and where islands lie on it. */
static fv_status
cut (job *j, fv_error *error)
{
  size_t bytes = (size_t) (j->n + 1) * (sizeof (island) + sizeof (island *));
  j->done = is_worth (j, (double) j->n * (double) (2 * j->around[0] + 1) * (double) (2 * j->around[1] + 1));
  if (!j->done || j->call->host->scratch (j->call, bytes, (void **) &j->islands, error))
    return j->done ? error->code : FV_OK;
  find_islands (j);
  lay_out (j, (island **) (j->islands + j->n + 1));
  j->done = is_worth (j, (double) j->shape[1] * (double) j->shape[2]);
  return FV_OK;
}

/* By way of the sheet, where there is something to be flooded. */
static fv_status
flood_islands (job *j, fv_error *error)
{
  const split_work small = {&j->mask.array, &j->near.array, &j->labels.array};
  fv_status status = find_from (j, error);
  if (status || (status = make_sheet (j, error)))
    return status;
  lay_islands (j);
  lay_mask (j);
  status = split_flood (j->call, j->passes, &small, &j->flooded, error);
  return status ? status : number_peaks (j, error);
}

static fv_status
split_islands (const plane_group *found, void *user, fv_error *error)
{
  job *j = user;
  j->found = found;
  j->n = (int64_t) j->call->scalars[0];
  fv_status status = cut (j, error);
  if (!status && j->done && j->n)
    status = flood_islands (j, error);
  if (!status && j->done)
    bring_back (j);
  return status;
}

fv_status
split_islands_cpu (const fv_call *call, const split_passes *passes, bool *done, fv_error *error)
{
  const split_args *a = call->args;
  const fv_array *mask = call->inputs[SPLIT_MASK];
  const label_args like = {.connectivity = a->connectivity};
  job j = {call, passes, .shape = {1, 0, 0}};
  *done = false;
  if (a->method != SPLIT_FLOODING || a->volume || array_planes (mask) > 1)
    return FV_OK;
  for (int i = 0; i < 2; i++) /* islands must not touch */
    j.around[i] = split_reach (a, mask->grid, 1 + i) > 1 ? split_reach (a, mask->grid, 1 + i) : 1;
  fv_status status = label_groups (call, mask, call->outputs[0], &like, call->scalars, split_islands, &j, error);
  *done = j.done;
  return status;
}
