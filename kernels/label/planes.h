/* SPDX-License-Identifier: MIT
 *
 * What the passes of label know on the CPU: planes that are labelled together, the runs of their rows, and the forest of runs. A
 * run's index is the number of runs that start before it.
 */
#ifndef KERNELS_LABEL_PLANES_H
#define KERNELS_LABEL_PLANES_H

#include "kernels/label/label.h"

/* 64 pixels of a row; bit i is pixel i. */
typedef struct word {
  uint64_t on, start; /* foreground; its first pixels of runs */
} word;

/* bits: which of n pixels have a[i] == b[i] and are foreground; n / 64 + 1 words. */
typedef void equal_fn (const void *a, const void *b, int64_t n, uint64_t *bits);

/* A neighbouring row that comes earlier. */
typedef struct neighbour {
  int64_t back; /* rows before */
  int dz, dy, reach;
} neighbour;

/* Planes that are labelled together. Rows are counted through all of them. */
typedef struct sheet {
  const label_args *args;
  const fv_array *in, *out;
  int64_t first, planes, rows, columns; /* first: of the planes in the arrays */
  int64_t all_rows, row_words, strip;   /* strip: rows */
  size_t pixel_bytes;
  equal_fn *equal;
  neighbour neighbours[4];
  int n_neighbours;
  word *words;    /* [all_rows][row_words] */
  int32_t *runs;  /* [all_rows + 1]: runs before each row */
  int32_t *roots; /* [all_rows + 1]: objects that start before each row, in all planes */
  int32_t *link;  /* [runs]: the forest; later, in place of each root, ~label */
  int64_t *sizes; /* [objects + 1] */
  int64_t link_room, size_room;
  progress *p;
} sheet;

INLINE int
count_bits (uint64_t bits)
{
  return __builtin_popcountll (bits);
}

static inline const char *
sheet_pixels (const sheet *s, int64_t row)
{
  return array_row (s->in, s->first + row / s->rows, row % s->rows);
}

/* Objects before the first of the plane, or of the volume, that the row is in. */
static inline int32_t
roots_before (const sheet *s, int64_t row)
{
  return s->args->volume ? 0 : s->roots[row - row % s->rows];
}

/* Once roots are numbered. */
INLINE int32_t
label_of (const int32_t *link, int32_t run)
{
  int32_t up = link[run];
  return up < 0 ? ~up : ~link[up];
}

#endif
