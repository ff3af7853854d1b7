/* SPDX-License-Identifier: MIT
 *
 * register, transform=rigid, on the CPU. Threads take rows, whose sums are then added in order: results do not hang on their number.
 */
#include "kernels/common/row.h"
#include "kernels/geometry/register_rigid.h"
#include "kernels/geometry/rigid_search.h"

typedef struct rigid_memory {
  const rigid_pyramid *pyramid;
  float *images[2];
  bool seen[2];
  double *rows;   /* [rows][RIGID_SUMS] */
  double *pixels; /* [threads][2][columns] */
} rigid_memory;

static int64_t
doubles_of (int64_t rows, int64_t columns)
{
  return rows * RIGID_SUMS + threads_at_most () * 2 * columns + rigid_search_numbers ();
}

int64_t
register_rigid_bytes (const fv_grid *in)
{
  const rigid_pyramid p = rigid_pyramid_of (in->shape[1], in->shape[2]);
  return 2 * p.numbers * (int64_t) sizeof (float) + doubles_of (in->shape[1], in->shape[2]) * (int64_t) sizeof (double);
}

/* ---- Pixels ---- */

/* A row of the sum of all slices, NaN where one is not finite. */
static const double *
row_of (const rigid_memory *m, const register_view *v, int64_t y)
{
  const int64_t columns = array_columns (v->array);
  double *row = m->pixels + thread_index () * 2 * columns, *more = row + columns;
  for (int64_t z = 0; z < v->depth; z++) {
    row_to_f64 (z ? more : row, array_row (v->array, v->plane + z, y), v->array->grid->type, columns);
    for (int64_t x = 0; x < columns && z; x++)
      row[x] += more[x];
  }
  return row;
}

/* Numbers of pixels, and sums of what they differ from `mean` and of its squares, of each row. */
static void
add_pixels (const double *row, int64_t columns, double mean, double sums[3])
{
  double count = 0, sum = 0, squares = 0;
  for (int64_t x = 0; x < columns; x++)
    if (isfinite (row[x])) {
      count++;
      sum += row[x] - mean;
      squares += (row[x] - mean) * (row[x] - mean);
    }
  sums[0] = count, sums[1] = sum, sums[2] = squares;
}

static void
sum_pixels (const rigid_memory *m, const register_view *v, double mean, double sums[3])
{
  const int64_t rows = array_rows (v->array);
#pragma omp parallel for schedule(static)
  for (int64_t y = 0; y < rows; y++)
    add_pixels (row_of (m, v, y), array_columns (v->array), mean, m->rows + 3 * y);
  memset (sums, 0, 3 * sizeof *sums);
  for (int64_t i = 0; i < 3 * rows; i++)
    sums[i % 3] += m->rows[i];
}

static void
halve (float *image, const rigid_level *from, const rigid_level *to)
{
#pragma omp parallel for schedule(static)
  for (int64_t y = 0; y < to->rows; y++)
    for (int64_t x = 0; x < to->columns; x++)
      image[to->start + y * to->columns + x] = rigid_half (image + from->start, from->columns, x, y);
}

static fv_status
load (const rigid_device *d, int which, const register_view *v, fv_error *error)
{
  rigid_memory *m = d->memory;
  const rigid_pyramid *p = m->pyramid;
  const int64_t rows = array_rows (v->array), columns = array_columns (v->array);
  double sums[3];
  (void) error;
  sum_pixels (m, v, 0, sums);
  const double mean = sums[0] > 0 ? sums[1] / sums[0] : 0;
  sum_pixels (m, v, mean, sums);
  const rigid_light light = rigid_light_of (sums[0], mean, sums[2]);
  m->seen[which] = light.scale > 0;
#pragma omp parallel for schedule(static)
  for (int64_t y = 0; y < rows; y++) {
    const double *row = row_of (m, v, y);
    for (int64_t x = 0; x < columns; x++)
      m->images[which][y * columns + x] = rigid_pixel (row[x], light);
  }
  for (int i = 1; i < p->count; i++)
    halve (m->images[which], &p->levels[i - 1], &p->levels[i]);
  return FV_OK;
}

static fv_status
coarse (const rigid_device *d, int which, const float **level, fv_error *error)
{
  const rigid_memory *m = d->memory;
  (void) error;
  *level = m->seen[which] ? m->images[which] + m->pyramid->levels[m->pyramid->coarse].start : NULL;
  return FV_OK;
}

/* ---- Refinement ---- */

static void
add_row (const rigid_step *step, const float *fixed, const float *moving, int64_t y, double *to)
{
  double sums[RIGID_SUMS] = {0};
  for (int64_t x = 0; x < step->level.columns; x++)
    rigid_add (step, fixed, moving, x, y, sums);
  memcpy (to, sums, sizeof sums);
}

static fv_status
add_all (const rigid_device *d, int which, const rigid_step *step, double sums[RIGID_SUMS], fv_error *error)
{
  const rigid_memory *m = d->memory;
  const rigid_level *l = &step->level;
  const float *fixed = m->images[which] + l->start, *moving = m->images[!which] + l->start;
  (void) error;
#pragma omp parallel for schedule(static, 8)
  for (int64_t y = 0; y < l->rows; y++)
    add_row (step, fixed, moving, y, m->rows + y * RIGID_SUMS);
  memset (sums, 0, RIGID_SUMS * sizeof *sums);
  for (int64_t i = 0; i < l->rows * RIGID_SUMS; i++)
    sums[i % RIGID_SUMS] += m->rows[i];
  return FV_OK;
}

/* ---- A call ---- */

fv_status
register_rigid_cpu (const fv_call *call, const register_plan *plan, double *moves, affine_map *maps, fv_error *error)
{
  const int64_t rows = array_rows (call->inputs[0]), columns = array_columns (call->inputs[0]);
  const rigid_pyramid p = rigid_pyramid_of (rows, columns);
  rigid_memory m = {.pyramid = &p};
  const rigid_device device = {&m, load, coarse, add_all};
  if (call->host->scratch (call, (size_t) register_rigid_bytes (call->inputs[0]->grid), (void **) &m.rows, error))
    return error->code;
  m.pixels = m.rows + rows * RIGID_SUMS;
  double *search = m.pixels + threads_at_most () * 2 * columns;
  m.images[0] = (float *) (m.rows + doubles_of (rows, columns));
  m.images[1] = m.images[0] + p.numbers;
  return register_rigid (call, plan, &device, search, moves, maps, error);
}
