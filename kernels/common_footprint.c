/* SPDX-License-Identifier: MIT
 *
 * footprints: from a shape and a radius, or a matrix, to boxes. Shapes other than a matrix have at most one run of
 * pixels in each row, centred.
 */
#include "common_footprint.h"

#include <stdlib.h>

/* Half of the slanted side's cut: |x| + |y| <= radius + octagon_flat (radius) is nearest to a regular octagon. It is
 * skimage.morphology.octagon (2 * flat + 1, radius - flat). */
static int32_t
octagon_flat (int32_t radius)
{
  return (int32_t) lround (0.41421356237309503 * radius);
}

bool
footprint_is_solid (footprint_shape shape, const fv_matrix *matrix)
{
  return shape == FOOTPRINT_BALL || shape == FOOTPRINT_CUBE || shape == FOOTPRINT_OCTAHEDRON ||
         (shape == FOOTPRINT_MATRIX && matrix->planes > 1);
}

static int64_t
matrix_size (const fv_matrix *m)
{
  return (int64_t) m->planes * m->rows * m->columns;
}

/* NaN is not foreground. */
static bool
is_inside (double v)
{
  return v < 0 || v > 0;
}

fv_status
footprint_check (footprint_shape shape, const fv_matrix *matrix, bool volume, fv_error *error)
{
  static const char *const names[] = {"disk", "square", "diamond", "octagon", "ball", "cube", "octahedron"};
  bool any = false;
  if (shape != FOOTPRINT_MATRIX && footprint_is_solid (shape, matrix) && !volume)
    return fail (error, FV_BAD_ARGUMENT, "footprint",
                 "A %s needs a volume: use volume=yes, or a flat footprint such as disk or square.", names[shape]);
  if (shape != FOOTPRINT_MATRIX)
    return FV_OK;
  if (matrix_size (matrix) < 1)
    return fail (error, FV_BAD_ARGUMENT, "matrix", "No matrix is given: type one, such as 0 1 0; 1 1 1; 0 1 0.");
  if (matrix->planes > 1 && !volume)
    return fail (error, FV_BAD_ARGUMENT, "matrix", "The matrix has %d planes: use volume=yes, or a matrix of one plane.",
                 matrix->planes);
  for (int64_t i = 0; i < matrix_size (matrix); i++)
    any = any || is_inside (matrix->v[i]);
  if (!any)
    return fail (error, FV_BAD_ARGUMENT, "matrix", "The matrix has only zeros: at least one number must not be zero.");
  return FV_OK;
}

void
footprint_reach (footprint_shape shape, int32_t radius, const fv_matrix *matrix, int32_t low[3], int32_t high[3])
{
  int32_t size[3] = {footprint_is_solid (shape, matrix) ? 2 * radius + 1 : 1, 2 * radius + 1, 2 * radius + 1};
  if (shape == FOOTPRINT_MATRIX)
    memcpy (size, (int32_t[3]) {matrix->planes, matrix->rows, matrix->columns}, sizeof size);
  for (int i = 0; i < 3; i++) {
    low[i] = -((size[i] - 1) / 2);
    high[i] = size[i] / 2;
  }
}

static int32_t
root (int32_t square)
{
  return square < 0 ? -1 : (int32_t) sqrt ((double) square);
}

/* The run of a row goes from -h to h; -1: the row is empty. */
static int32_t
half_width (footprint_shape shape, int32_t r, int32_t dz, int32_t dy)
{
  switch (shape) {
  case FOOTPRINT_DISK:
  case FOOTPRINT_BALL: return root (r * r - dy * dy - dz * dz);
  case FOOTPRINT_OCTAGON: return r + octagon_flat (r) - abs (dy) < r ? r + octagon_flat (r) - abs (dy) : r;
  default: return r - abs (dy) - abs (dz) < 0 ? -1 : r - abs (dy) - abs (dz);
  }
}

/* The first run of a row that begins at or after *from: from *first to *last, then *from is behind it. */
static bool
next_run (footprint_shape shape, int32_t radius, const fv_matrix *m, int32_t dz, int32_t dy, int32_t *from,
          int32_t *first, int32_t *last)
{
  if (shape != FOOTPRINT_MATRIX) {
    *last = half_width (shape, radius, dz, dy);
    *first = -*last;
    bool found = *last >= 0 && *from <= *first;
    *from = *last + 1;
    return found;
  }
  const double *row = m->v + ((int64_t) (dz + (m->planes - 1) / 2) * m->rows + dy + (m->rows - 1) / 2) * m->columns;
  int32_t origin = (m->columns - 1) / 2, i = *from + origin;
  while (i < m->columns && !is_inside (row[i]))
    i++;
  *first = i - origin;
  while (i < m->columns && is_inside (row[i]))
    i++;
  *last = i - 1 - origin;
  *from = i - origin;
  return *last >= *first;
}

static void
add_box (footprint_part *p, int32_t dz, int32_t dy, int32_t dx, int32_t height, int32_t width)
{
  p->boxes[p->n++] = (footprint_box) {dz, dy, dx, height, width};
}

/* The runs of slice dz that are `width` long; returns the least length that is greater, or INT32_MAX. */
static int32_t
make_runs (footprint_part *p, footprint_shape shape, int32_t radius, const fv_matrix *matrix, int32_t dz, int32_t width)
{
  int32_t first, last, next = INT32_MAX;
  for (int32_t dy = p->low[1]; dy <= p->high[1]; dy++)
    for (int32_t from = p->low[2]; next_run (shape, radius, matrix, dz, dy, &from, &first, &last);) {
      int32_t n = last - first + 1;
      if (n == width)
        add_box (p, dz, dy, first, 1, width);
      else if (n > width && n < next)
        next = n;
    }
  return next;
}

static bool
is_box (footprint_shape shape)
{
  return shape == FOOTPRINT_SQUARE || shape == FOOTPRINT_CUBE;
}

int64_t
footprint_boxes (footprint_shape shape, int32_t radius, const fv_matrix *matrix)
{
  int64_t n = 2 * radius + 1;
  if (shape == FOOTPRINT_MATRIX)
    return matrix_size (matrix);
  return is_box (shape) ? n + 1 : footprint_is_solid (shape, matrix) ? n * n : n;
}

void
footprint_make (footprint_shape shape, int32_t radius, const fv_matrix *matrix, footprint_box *memory, footprint *f)
{
  footprint_part *p = f->part;
  memset (f, 0, sizeof *f);
  footprint_reach (shape, radius, matrix, p->low, p->high);
  f->parts = shape == FOOTPRINT_CUBE ? 2 : 1;
  p->boxes = memory;
  if (is_box (shape))
    add_box (p, 0, -radius, -radius, 2 * radius + 1, 2 * radius + 1);
  else
    for (int32_t dz = p->low[0]; dz <= p->high[0]; dz++)
      for (int32_t width = 0; width < INT32_MAX;)
        width = make_runs (p, shape, radius, matrix, dz, width);
  if (shape == FOOTPRINT_CUBE) {
    p->low[0] = p->high[0] = 0;
    p[1].boxes = memory + p->n;
    p[1].low[0] = -radius;
    p[1].high[0] = radius;
    for (int32_t dz = -radius; dz <= radius; dz++)
      add_box (p + 1, dz, 0, 0, 1, 1);
  }
}

void
footprint_mirror (footprint *f)
{
  for (footprint_part *p = f->part; p < f->part + f->parts; p++) {
    for (footprint_box *b = p->boxes; b < p->boxes + p->n; b++)
      *b = (footprint_box) {-b->dz, 1 - b->height - b->dy, 1 - b->width - b->dx, b->height, b->width};
    for (int i = 0; i < 3; i++) {
      int32_t low = p->low[i];
      p->low[i] = -p->high[i];
      p->high[i] = -low;
    }
  }
}
