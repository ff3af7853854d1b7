/* SPDX-License-Identifier: MIT
 *
 * Histograms of planes and volumes, and the cutting of arrays into pieces for threads and progress.
 * Integers: one bin for each value between the smallest and the largest, as long as these are at most `limit` bins.
 * Else, and for floats: `bins` bins of equal width, edge(i) = low + i * ((high - low) / bins) in the type's precision,
 * edge(i) <= v < edge(i + 1), the last bin closed: the bins of numpy.histogram. NaN and infinities are left out.
 */
#ifndef KERNELS_COMMON_HISTOGRAM_H
#define KERNELS_COMMON_HISTOGRAM_H

#include "kernels/common/exact.h"

#include <float.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HISTOGRAM_EXACT_LIMIT ((int64_t) 1 << 24)

/* All pixels of some planes, cut into pieces: some whole rows of a plane, or a part of one long row. */
typedef struct pixels {
  const fv_array *array;
  int64_t first, planes; /* planes of the array */
  int64_t piece_rows, piece_columns, down, across;
  int64_t pieces;
} pixels;

typedef struct piece {
  int64_t plane, row, column, rows, columns;
} piece;

pixels pixels_of (const fv_array *array, int64_t first, int64_t planes);
piece pixels_piece (const pixels *p, int64_t index);

static inline const void *
pixels_row (const pixels *p, const piece *s, int64_t row)
{
  return (const char *) array_row (p->array, s->plane, s->row + row)
         + s->column * (int64_t) type_bytes (p->array->grid->type);
}

typedef struct histogram {
  fv_type type;
  bool exact;       /* bin i is the integer low + i */
  double low, high; /* smallest and largest finite pixel; NaN when there is none */
  double scale;     /* a power of two that keeps squares of pixels in range: centers are in pixel * scale */
  int64_t bins;     /* 0: no finite pixel; 1: they are all equal */
  int64_t *counts;  /* [bins]; set when there are at least two */
  double *centers;  /* [bins], NULL when exact */
  int64_t total;    /* sum of counts */
} histogram;

INLINE double
histogram_center (const histogram *h, int64_t i)
{
  return h->exact ? h->low + (double) i : h->centers[i];
}

/* Scratch memory that is used again from one plane to the next. */
typedef struct buffer {
  void *data;
  size_t bytes;
} buffer;

fv_status buffer_need (buffer *b, const fv_call *call, size_t bytes, fv_error *error);

typedef struct histogram_buffers {
  buffer tables, counts, centers, partial;
} histogram_buffers;

/* How many times histogram_make() goes over the pixels; what it adds to progress->done is pieces * passes. */
int histogram_passes (fv_type type);

/* Smallest and largest finite pixel, NaN when there is none. */
fv_status pixels_range (const pixels *p, buffer *partial, progress *progress, double *low, double *high,
                        fv_error *error);

/* The buffers' contents, and so *h, last until the next call with the same buffers. */
fv_status histogram_make (const pixels *p, int64_t bins, int64_t limit, histogram_buffers *buffers, progress *progress,
                          histogram *h, fv_error *error);

/* Counts and sums of d = pixel - low, rounded to the type, of the finite d above t and of the others. Sums are of integers, and so
 * the same for any number of threads and on any device: of 2^-51 of t, or of the largest d. */
typedef struct moments {
  double n[2], sum[2]; /* [0] at or below t, [1] above */
} moments;

typedef struct moments_rule {
  double low, t, scale[2]; /* powers of two */
} moments_rule;

/* first, last: the smallest and the largest pixel. */
INLINE moments_rule
moments_rule_of (fv_type type, double first, double last, double low, double t)
{
  const double most = fmin (fmax (last - low, low - first), type == FV_F32 ? (double) FLT_MAX : DBL_MAX);
  const moments_rule r = {
    low, t, {exact_scale (fmin (most, fabs (t)), EXACT_TERM_BITS), exact_scale (most, EXACT_TERM_BITS)}};
  return r;
}

typedef struct moments_part {
  int64_t n[2];
  exact_total sum[2];
} moments_part;

INLINE moments_part
moments_join (moments_part a, moments_part b)
{
  for (int k = 0; k < 2; k++) {
    a.n[k] += b.n[k];
    a.sum[k] = exact_join (a.sum[k], b.sum[k]);
  }
  return a;
}

INLINE moments
moments_of (const moments_part *part, const moments_rule *r)
{
  moments m;
  for (int k = 0; k < 2; k++) {
    m.n[k] = (double) part->n[k];
    m.sum[k] = exact_value (part->sum[k]) / r->scale[k];
  }
  return m;
}

fv_status pixels_moments (const pixels *p, const moments_rule *rule, buffer *partial, progress *progress, moments *m,
                          fv_error *error);

/* Smallest difference of two pixel values if that is at least `width`, else 0; 0 too when the pixels span more than
 * 2^20 widths. */
fv_status pixels_smallest_gap (const pixels *p, double low, double high, double width, buffer *buckets,
                               progress *progress, double *gap, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
