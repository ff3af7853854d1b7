/* SPDX-License-Identifier: MIT
 *
 * footprints: from a shape and a radius, or a matrix, to boxes. Shapes other than a matrix have at most one run of
 * pixels in each row, centered.
 */
#include "kernels/morphology/footprint.h"

#include <stdlib.h>

static bool
is_box (const footprint_spec *s)
{
  return s->shape == FOOTPRINT_SQUARE || s->shape == FOOTPRINT_CUBE;
}

static bool
is_solid (const footprint_spec *s)
{
  return s->shape == FOOTPRINT_BALL || s->shape == FOOTPRINT_CUBE || s->shape == FOOTPRINT_OCTAHEDRON;
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

static fv_status
check_matrix (const fv_matrix *m, bool volume, fv_error *error)
{
  bool any = false;
  if (matrix_size (m) < 1)
    return fail (error, FV_BAD_ARGUMENT, "matrix", "No matrix is given: type one, such as 0 1 0; 1 1 1; 0 1 0.");
  if (m->planes > 1 && !volume)
    return fail (error, FV_BAD_ARGUMENT, "matrix",
                 "The matrix has %d planes: use volume=yes, or a matrix of one plane.", m->planes);
  for (int64_t i = 0; i < matrix_size (m); i++)
    any = any || is_inside (m->v[i]);
  if (!any)
    return fail (error, FV_BAD_ARGUMENT, "matrix", "The matrix has only zeros: at least one number must not be zero.");
  return FV_OK;
}

fv_status
footprint_check (const footprint_spec *s, bool volume, fv_error *error)
{
  if (s->shape == FOOTPRINT_MATRIX)
    return check_matrix (s->matrix, volume, error);
  if (is_solid (s) && !volume)
    return fail (error, FV_BAD_ARGUMENT, "footprint",
                 "This footprint is 3-D: use volume=yes, or a flat one such as disk or square.");
  return FV_OK;
}

void
footprint_reach (const footprint_spec *s, int32_t low[3], int32_t high[3])
{
  int32_t n = 2 * s->radius + 1, size[3] = {is_solid (s) ? n : 1, n, n};
  if (s->shape == FOOTPRINT_MATRIX)
    memcpy (size, (int32_t[3]){s->matrix->planes, s->matrix->rows, s->matrix->columns}, sizeof size);
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

/* |x| + |y| <= radius + octagon_flat (radius) is nearest to a regular octagon. It is skimage.morphology.octagon (
 * 2 * flat + 1, radius - flat). */
static int32_t
octagon_flat (int32_t radius)
{
  return (int32_t) lround (0.41421356237309503 * radius);
}

/* The run of a row goes from -h to h; negative: the row is empty. */
static int32_t
half_width (const footprint_spec *s, int32_t dz, int32_t dy)
{
  int32_t r = s->radius, slanted = r - abs (dy) - abs (dz);
  switch (s->shape) {
  case FOOTPRINT_DISK:
  case FOOTPRINT_BALL: return root (r * r - dy * dy - dz * dz);
  case FOOTPRINT_IMAGEJ: return root (r * r + (r > 0) - dy * dy - dz * dz);
  case FOOTPRINT_SQUARE:
  case FOOTPRINT_CUBE: return r;
  case FOOTPRINT_OCTAGON: return slanted + octagon_flat (r) < r ? slanted + octagon_flat (r) : r;
  default: return slanted;
  }
}

bool
footprint_next_run (const footprint_spec *s, int32_t dz, int32_t dy, footprint_run *r)
{
  if (s->shape != FOOTPRINT_MATRIX) {
    int32_t half = half_width (s, dz, dy), before = r->last;
    *r = (footprint_run){-half, half};
    return half >= 0 && before < -half;
  }
  const fv_matrix *m = s->matrix;
  const double *row = m->v + ((int64_t) (dz + (m->planes - 1) / 2) * m->rows + dy + (m->rows - 1) / 2) * m->columns;
  int32_t origin = (m->columns - 1) / 2, i = r->last + 1 + origin;
  while (i < m->columns && !is_inside (row[i]))
    i++;
  r->first = i - origin;
  while (i < m->columns && is_inside (row[i]))
    i++;
  r->last = i - 1 - origin;
  return r->last >= r->first;
}

static void
add_box (footprint_part *p, footprint_box box)
{
  p->boxes[p->n++] = box;
}

/* Adds the runs of slice dz that are `width` long; returns the least length that is greater, or INT32_MAX. */
static int32_t
add_runs (footprint_part *p, const footprint_spec *s, int32_t dz, int32_t width)
{
  int32_t next = INT32_MAX;
  for (int32_t dy = p->low[1]; dy <= p->high[1]; dy++)
    for (footprint_run r = {0, p->low[2] - 1}; footprint_next_run (s, dz, dy, &r);) {
      int32_t n = r.last - r.first + 1;
      if (n == width)
        add_box (p, (footprint_box){dz, dy, r.first, 1, width});
      else if (n > width && n < next)
        next = n;
    }
  return next;
}

int64_t
footprint_boxes (const footprint_spec *s)
{
  int64_t n = 2 * s->radius + 1;
  if (s->shape == FOOTPRINT_MATRIX)
    return matrix_size (s->matrix);
  return is_box (s) ? n + 1 : is_solid (s) ? n * n : n;
}

void
footprint_make (const footprint_spec *s, footprint_box *memory, footprint *f)
{
  footprint_part *p = f->part;
  int32_t r = s->radius;
  memset (f, 0, sizeof *f);
  footprint_reach (s, p->low, p->high);
  f->parts = s->shape == FOOTPRINT_CUBE ? 2 : 1;
  p->boxes = memory;
  if (is_box (s))
    add_box (p, (footprint_box){0, -r, -r, 2 * r + 1, 2 * r + 1});
  else
    for (int32_t dz = p->low[0]; dz <= p->high[0]; dz++)
      for (int32_t width = 0; width < INT32_MAX;)
        width = add_runs (p, s, dz, width);
  if (s->shape == FOOTPRINT_CUBE) {
    p->low[0] = p->high[0] = 0;
    p[1].boxes = memory + p->n;
    p[1].low[0] = -r;
    p[1].high[0] = r;
    for (int32_t dz = -r; dz <= r; dz++)
      add_box (p + 1, (footprint_box){dz, 0, 0, 1, 1});
  }
}

void
footprint_mirror (footprint *f)
{
  for (footprint_part *p = f->part; p < f->part + f->parts; p++) {
    for (footprint_box *b = p->boxes; b < p->boxes + p->n; b++)
      *b = (footprint_box){-b->dz, 1 - b->height - b->dy, 1 - b->width - b->dx, b->height, b->width};
    for (int i = 0; i < 3; i++) {
      int32_t low = p->low[i];
      p->low[i] = -p->high[i];
      p->high[i] = -low;
    }
  }
}
