/* SPDX-License-Identifier: MIT
 *
 * What segment computes for a pixel or a cell on either device.
 */
#ifndef KERNELS_NETWORK_SEGMENT_PIXELS_H
#define KERNELS_NETWORK_SEGMENT_PIXELS_H

#include "kernels/network/model_file.h"
#include "kernels/network/network_layers.h"
#include "kernels/network/star_polygons.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SEGMENT_AROUND = 2,    /* cells on each side among which a star is the greatest */
  SEGMENT_ONE = 1 << 16, /* of sums of normalized values */
  SEGMENT_MOST = 16      /* normalized values beyond are summed as this */
};

/* A plane and how the network gets it. */
typedef struct segment_plane {
  const void *pixels; /* normalized, of the first channel, without gaps; doubles if `wide`, else floats */
  int64_t apart;      /* pixels from one channel to the next */
  bool wide, dark;
  float top; /* dark: what is taken from */
  int32_t n_before;
  model_step before[MODEL_STEPS];                              /* of each pixel, before the network gets it */
  int32_t at_probability, at_rays, at_foreground, at_boundary; /* channels of the output; -1: it has none */
  int64_t rows, columns;
  double scale;          /* of the scaled image to this one */
  int64_t height, width; /* of the scaled image */
  int64_t cell;          /* scaled pixels of a cell in each direction */
  float probability, foreground;
  bool every; /* every cell above the probability is a star, not the greatest ones alone */
} segment_plane;

/* A part of the scaled image: with the pixels around it, multiples of the network's grid, and without. */
typedef struct segment_tile {
  int64_t top, left, rows, columns;
  int64_t y0, x0, y1, x1; /* without; y1 and x1 not included */
} segment_tile;

/* Arrays of one plane that post-processing needs, without gaps. */
typedef struct segment_maps {
  float *level;   /* probability of an object; without stars that of foreground less that of boundary */
  int32_t *seeds; /* labels */
  uint8_t *mask;  /* bit 0: foreground, bit 1: near a star; then 255 or 0. NULL: not wanted, by `paint` alone */
  uint8_t *cores; /* without stars: 255 where the level is above `probability`, else 0; or NULL */
  int64_t rows, columns;
} segment_maps;

/* A kept star as it is painted. */
typedef struct segment_shape {
  star_polygon seed, reach;
  int32_t y, x; /* the pixel of its center, perhaps outside of the image */
  int32_t label;
} segment_shape;

/* Normalized values of a shape's pixels, as integers, so that their order is of no account. */
typedef struct segment_sums {
  int64_t inside, n_inside; /* of `seed` */
  int64_t around, n_around; /* of the background in `reach` and outside `seed` */
} segment_sums;

INLINE float
segment_step (const model_step *step, int64_t channel, float v)
{
  const float a = step->a[channel], b = step->b[channel];
  switch (step->kind) {
  case MODEL_LINEAR: return a * v + b;
  case MODEL_CLIP: return v < a ? a : v > b ? b : v;
  case MODEL_BINARIZE: return v > a ? 1.0f : 0.0f;
  default: return network_sigmoid (v);
  }
}

INLINE double
segment_prepared (const segment_plane *p, int64_t channel, double v)
{
  for (int32_t i = 0; i < p->n_before; i++)
    v = (double) segment_step (&p->before[i], channel, (float) v);
  return v;
}

/* A normalized pixel of a channel of the plane, nuclei being bright; not finite: 0. */
INLINE double
segment_normal (const segment_plane *p, int64_t channel, int64_t y, int64_t x)
{
  const int64_t i = channel * p->apart + y * p->columns + x;
  const double v = p->wide ? ((const double *) p->pixels)[i] : (double) ((const float *) p->pixels)[i];
  return !(v > -1e30 && v < 1e30) ? 0 : p->dark ? (double) p->top - v : v;
}

/* The same as the network takes it. */
INLINE double
segment_pixel (const segment_plane *p, int64_t channel, int64_t y, int64_t x)
{
  return segment_prepared (p, channel, segment_normal (p, channel, y, x));
}

/* A normalized pixel of the first channel, for sums. */
INLINE int64_t
segment_summand (const segment_plane *p, int64_t y, int64_t x)
{
  const double v = segment_normal (p, 0, y, x), most = SEGMENT_MOST;
  return (int64_t) rint ((v < -most ? -most : v > most ? most : v) * SEGMENT_ONE);
}

/* Adds a pixel of the larger polygon. */
INLINE void
segment_add_around (segment_sums *s, const segment_plane *p, const segment_maps *maps, int64_t y, int64_t x)
{
  const bool counts = !maps->mask[y * maps->columns + x];
  s->around += counts ? segment_summand (p, y, x) : 0;
  s->n_around += counts;
}

/* Adds a pixel of the smaller polygon, which lies in the larger one. */
INLINE void
segment_add_inside (segment_sums *s, const segment_plane *p, const segment_maps *maps, int64_t y, int64_t x)
{
  const int64_t v = segment_summand (p, y, x);
  const bool counted = !maps->mask[y * maps->columns + x];
  s->inside += v;
  s->n_inside++;
  s->around -= counted ? v : 0;
  s->n_around -= counted;
}

INLINE double
segment_between (double a, double b, double t)
{
  return a + (b - a) * t;
}

INLINE double
segment_limit (double v, int64_t n)
{
  return v < 0 ? 0 : v > (double) (n - 1) ? (double) (n - 1) : v;
}

/* Linearly between the pixels. */
INLINE double
segment_sample (const segment_plane *p, int64_t c, double y, double x)
{
  y = segment_limit (y, p->rows);
  x = segment_limit (x, p->columns);
  const int64_t y0 = (int64_t) y, x0 = (int64_t) x, y1 = y0 + (y0 + 1 < p->rows), x1 = x0 + (x0 + 1 < p->columns);
  const double t = x - (double) x0;
  return segment_between (segment_between (segment_pixel (p, c, y0, x0), segment_pixel (p, c, y0, x1), t),
                          segment_between (segment_pixel (p, c, y1, x0), segment_pixel (p, c, y1, x1), t),
                          y - (double) y0);
}

/* Pixel i of n, or its mirror image. */
INLINE int64_t
segment_reflected (int64_t i, int64_t n)
{
  i = i < n ? i : 2 * (n - 1) - i;
  return i < 0 ? 0 : i;
}

/* A pixel of a channel of the scaled image: the mean of samples no more than one pixel apart. */
INLINE float
segment_input (const segment_plane *p, int64_t channel, int64_t y, int64_t x)
{
  y = segment_reflected (y, p->height);
  x = segment_reflected (x, p->width);
  if (p->scale == 1)
    return (float) segment_pixel (p, channel, y, x);
  const int n = p->scale < 1 ? (int) ceil (1 / p->scale) : 1;
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += segment_sample (p, channel, ((double) y + (i + 0.5) / n) / p->scale - 0.5,
                             ((double) x + (j + 0.5) / n) / p->scale - 0.5);
  return (float) (sum / (n * n));
}

/* How many cells the scaled image has in a direction. */
INLINE int64_t
segment_cells (int64_t pixels, int64_t cell)
{
  return (pixels + cell - 1) / cell;
}

/* Whether the cell, counted from the corner of the tile, is a star. out: the network's output. */
INLINE bool
segment_is_star (const segment_plane *p, const segment_tile *t, const network_view *out, int64_t y, int64_t x)
{
  const float v = network_row (out, p->at_probability, y)[x];
  const int64_t rows = segment_cells (p->height, p->cell) - t->top / p->cell;
  const int64_t columns = segment_cells (p->width, p->cell) - t->left / p->cell;
  if (!(v > p->probability) || p->every)
    return v > p->probability;
  for (int64_t i = -SEGMENT_AROUND; i <= SEGMENT_AROUND; i++)
    for (int64_t j = -SEGMENT_AROUND; j <= SEGMENT_AROUND; j++) {
      if ((!i && !j) || y + i < 0 || y + i >= rows || x + j < 0 || x + j >= columns || y + i >= out->rows
          || x + j >= out->columns)
        continue;
      const float other = network_row (out, p->at_probability, y + i)[x + j];
      if (i < 0 || (!i && j < 0) ? !(v > other) : !(v >= other))
        return false;
    }
  return true;
}

INLINE void
segment_take_star (const segment_plane *p, const segment_tile *t, const network_view *out, int64_t y, int64_t x,
                   star *to)
{
  to->y = (int32_t) (t->top + y * p->cell);
  to->x = (int32_t) (t->left + x * p->cell);
  to->probability = network_row (out, p->at_probability, y)[x];
  for (int k = 0; k < STAR_RAYS; k++)
    to->reach[k] = star_reach (network_row (out, p->at_rays + k, y)[x]);
}

/* Where a pixel of the plane lies in the scaled image. */
INLINE double
segment_scaled (double scale, int64_t i, int64_t n)
{
  return scale == 1 ? (double) i : segment_limit (((double) i + 0.5) * scale - 0.5, n);
}

/* A channel of the network's output at a pixel of the scaled image, linearly between the cells. */
INLINE float
segment_output (const segment_plane *p, const segment_tile *t, const network_view *out, int64_t channel, double y,
                double x)
{
  const double v =
    segment_limit (y / (double) p->cell, segment_cells (p->height, p->cell)) - (double) (t->top / p->cell);
  const double u =
    segment_limit (x / (double) p->cell, segment_cells (p->width, p->cell)) - (double) (t->left / p->cell);
  const int64_t y0 = (int64_t) v, x0 = (int64_t) u, y1 = y0 + (v > (double) y0), x1 = x0 + (u > (double) x0);
  const float *up = network_row (out, channel, y0), *down = network_row (out, channel, y1);
  const double s = u - (double) x0;
  return (float) segment_between (segment_between (up[x0], up[x1], s), segment_between (down[x0], down[x1], s),
                                  v - (double) y0);
}

/* The same of a channel that the network may not have. */
INLINE float
segment_or (const segment_plane *p, const segment_tile *t, const network_view *out, int32_t channel, float other,
            double y, double x)
{
  return channel < 0 ? other : segment_output (p, t, out, channel, y, x);
}

/* Sets the level and the foreground of a pixel if it belongs to the tile. */
INLINE void
segment_spread (const segment_plane *p, const segment_tile *t, const network_view *out, const segment_maps *maps,
                int64_t y, int64_t x)
{
  const double v = segment_scaled (p->scale, y, p->height), u = segment_scaled (p->scale, x, p->width);
  const int64_t i = y * maps->columns + x;
  if ((int64_t) v < t->y0 || (int64_t) v >= t->y1 || (int64_t) u < t->x0 || (int64_t) u >= t->x1)
    return;
  const float inside = segment_or (p, t, out, p->at_foreground, 1, v, u);
  if (p->at_probability >= 0) {
    maps->level[i] = segment_output (p, t, out, p->at_probability, v, u);
    maps->mask[i] = inside > p->foreground;
    return;
  }
  const float level = inside - segment_or (p, t, out, p->at_boundary, 0, v, u);
  maps->level[i] = level;
  maps->mask[i] = inside > p->foreground ? 255 : 0;
  maps->cores[i] = level > p->probability ? 255 : 0;
}

/* The rows or columns from *from to *to - 1 of the plane have all pixels of the tile's rows or columns from `first` to `end` - 1, and few others. */
INLINE void
segment_range (double scale, int64_t first, int64_t end, int64_t n, int64_t *from, int64_t *to)
{
  *from = scale == 1 ? first : (int64_t) floor ((double) first / scale) - 1;
  *to = scale == 1 ? end : (int64_t) ceil ((double) end / scale) + 2;
  *from = *from < 0 ? 0 : *from;
  *to = *to > n ? n : *to;
}

#ifdef __cplusplus
}
#endif

#endif
