/* SPDX-License-Identifier: MIT
 *
 * background: out = in - background, with the background and its deviation, see mesh.h. Pixels that a mask marks, NaN and infinities
 * do not count; a box of which they are more than half takes the mean of the nearest boxes that are good. The mesh is smoothed by
 * medians of filter rows x columns, less at the border, where the window is as far on both sides. NaN stays; a plane without a
 * good box is NaN. Oracle: SEP 1.4, in 64-bit float.
 */
#ifndef KERNELS_SKY_BACKGROUND_H
#define KERNELS_SKY_BACKGROUND_H

#include "kernels/sky/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct background_args {
  fv_axes box, filter; /* rows, columns */
} background_args;

enum { BACKGROUND_IMAGE, BACKGROUND_MASK }; /* inputs */
enum { BACKGROUND_SUBTRACTED, BACKGROUND_BACK, BACKGROUND_RMS, BACKGROUND_OUTPUTS };
enum { BACKGROUND_SCALARS = 2, BACKGROUND_MOST_FILTER = 15 };

/* The mesh of an image. */
typedef struct mesh_shape {
  int64_t rows, columns, height, width, down, across; /* of the image, of a box, boxes */
  int filter_rows, filter_columns;                    /* to each side */
} mesh_shape;

static inline mesh_shape
mesh_shape_of (const background_args *a, const fv_grid *image)
{
  mesh_shape s = {image->shape[1], image->shape[2], 0, 0, 0, 0, 0, 0};
  s.height = (int64_t) a->box.v[0];
  s.width = (int64_t) a->box.v[a->box.n - 1];
  s.height = s.height < s.rows ? s.height : s.rows;
  s.width = s.width < s.columns ? s.width : s.columns;
  s.down = (s.rows + s.height - 1) / s.height;
  s.across = (s.columns + s.width - 1) / s.width;
  s.filter_rows = (int) a->filter.v[0] / 2;
  s.filter_columns = (int) a->filter.v[a->filter.n - 1] / 2;
  return s;
}

/* Means of the values of the good boxes that are nearest to bad box `at`; there is one. */
INLINE void
mesh_nearest (const mesh_shape *s, const double *back, const double *rms, int64_t at, double means[2])
{
  const int64_t most = s->down > s->across ? s->down : s->across, j = at / s->across, i = at % s->across;
  int64_t best = INT64_MAX, n = 0;
  means[0] = means[1] = 0;
  for (int64_t ring = 1; ring < most && ring * ring <= best; ring++)
    for (int64_t y = j < ring ? 0 : j - ring; y <= j + ring && y < s->down; y++)
      for (int64_t x = i - ring; x <= i + ring; x += y == j - ring || y == j + ring ? 1 : 2 * ring) {
        const int64_t k = y * s->across + x, distance = (y - j) * (y - j) + (x - i) * (x - i);
        if (x < 0 || x >= s->across || distance > best || isnan (back[k]))
          continue;
        if (distance < best)
          means[0] = means[1] = 0, n = 0;
        best = distance;
        means[0] += back[k];
        means[1] += rms[k];
        n++;
      }
  means[0] /= (double) n;
  means[1] /= (double) n;
}

/* How far the window of a box goes to each side. */
INLINE int64_t
mesh_reach (int64_t at, int64_t n, int most)
{
  int64_t room = at < n - 1 - at ? at : n - 1 - at;
  return room < most ? room : most;
}

INLINE double
mesh_window_median (const mesh_shape *s, const double *v, int64_t j, int64_t i)
{
  const int64_t up = mesh_reach (j, s->down, s->filter_rows), left = mesh_reach (i, s->across, s->filter_columns);
  double window[BACKGROUND_MOST_FILTER * BACKGROUND_MOST_FILTER];
  int n = 0;
  window[0] = v[j * s->across + i];
  for (int64_t y = j - up; y <= j + up; y++)
    for (int64_t x = i - left; x <= i + left; x++) {
      const double value = v[y * s->across + x];
      int k = n++;
      for (; k > 0 && window[k - 1] > value; k--)
        window[k] = window[k - 1];
      window[k] = value;
    }
  return window[n / 2]; /* n is odd */
}

fv_status background_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
