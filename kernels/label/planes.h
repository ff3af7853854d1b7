/* SPDX-License-Identifier: MIT
 *
 * What the passes of label know on the CPU: planes that are labeled together, the runs of their rows, and the forest of runs. A
 * run's index is the number of runs that start before it.
 */
#ifndef KERNELS_LABEL_PLANES_H
#define KERNELS_LABEL_PLANES_H

#include "kernels/label/label_args.h"

/* 64 pixels of a row; bit i is pixel i. */
typedef struct word {
  uint64_t on, start; /* foreground; its first pixels of runs */
} word;

/* bits: which of n pixels have a[i] == b[i] and are foreground; n / 64 + 1 words. */
typedef void equal_fn (const void *a, const void *b, int64_t n, uint64_t *bits);

/* A neighboring row that comes earlier. */
typedef struct neighbor {
  int64_t back; /* rows before */
  int dz, dy, reach;
} neighbor;

/* Planes that are labeled together. Rows are counted through all of them. */
typedef struct plane_group {
  const label_args *args;
  const fv_array *in, *out;
  int64_t first, planes, rows, columns; /* first: of the planes in the arrays */
  int64_t all_rows, row_words, strip;   /* strip: rows */
  size_t pixel_bytes;
  equal_fn *equal;
  neighbor neighbors[4];
  int n_neighbors;
  word *words;    /* [all_rows][row_words] */
  int32_t *runs;  /* [all_rows + 1]: runs before each row */
  int32_t *roots; /* [all_rows + 1]: objects that start before each row, in all planes */
  int32_t *link;  /* [runs]: the forest; later, in place of each root, ~label */
  int64_t *sizes; /* [objects + 1] */
  int64_t link_room, size_room;
  progress *p;
} plane_group;

/* What is done with some rows of a group, and with a group when its runs have their labels. */
typedef void label_pass (const plane_group *s, int64_t from, int64_t to);
typedef fv_status label_then (const plane_group *s, void *user, fv_error *error);

/* Finds the objects of all planes, counts them for each plane, or for the volume, and makes the last pass, which writes `out`. `in` and `out` are
 * arrays of the call's size. */
fv_status label_planes (const fv_call *call, const fv_array *in, const fv_array *out, const label_args *args,
                        double *counts, label_pass *last, fv_error *error);
/* The same with something else for each group, of some planes, in place of a pass. */
fv_status label_groups (const fv_call *call, const fv_array *in, const fv_array *out, const label_args *args,
                        double *counts, label_then *then, void *user, fv_error *error);
/* A pass through all rows, by strips, on all threads. False when the work is to stop. */
bool label_each_strip (const plane_group *s, label_pass *pass);

INLINE int
count_bits (uint64_t bits)
{
  return __builtin_popcountll (bits);
}

static inline const char *
group_pixels (const plane_group *s, int64_t row)
{
  return array_row (s->in, s->first + row / s->rows, row % s->rows);
}

/* Objects before the first of the plane, or of the volume, that the row is in. */
static inline int32_t
roots_before (const plane_group *s, int64_t row)
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

/* Pixels from ... to-1 of a row, and their label, once roots are numbered; 0: dropped. */
typedef struct label_run {
  int64_t from, to;
  int32_t label, next; /* next: index of the run that comes after this one */
} label_run;

/* Before the first run of a row. */
INLINE label_run
label_first_run (const plane_group *s, int64_t row)
{
  label_run none = {.next = s->runs[row]};
  return none;
}

/* From one run of the row to the next. False: it was the last. */
INLINE bool
label_next_run (const plane_group *s, int64_t row, label_run *run)
{
  const word *w = s->words + row * s->row_words;
  int64_t k = run->to / 64;
  if (run->next == s->runs[row + 1])
    return false;
  uint64_t bits = w[k].start & ~(uint64_t) 0 << run->to % 64;
  while (!bits)
    bits = w[++k].start;
  run->from = 64 * k + __builtin_ctzll (bits);
  bits = (~w[k].on | w[k].start) & ~(uint64_t) 1 << run->from % 64;
  while (!bits && ++k < s->row_words)
    bits = ~w[k].on | w[k].start;
  run->to = bits ? 64 * k + __builtin_ctzll (bits) : s->columns;
  run->label = label_of (s->link, run->next++);
  return true;
}

#endif
