/* SPDX-License-Identifier: MIT
 */
#include "kernels/label/drop.h"

/* Adds the lengths of a row's runs to sizes[label]. Runs of one object that follow each other are summed first: adding
 * to one address again and again is slow. */
VECTORISED static void
measure_row (const word *w, int64_t n, const int32_t *link, int32_t run, int64_t *sizes)
{
  int64_t size = 0;
  int32_t last = 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t starts = w[k].start, on = w[k].on;
    size += count_bits (on & (starts - 1) & ~starts);
    for (; starts; starts &= starts - 1) {
      uint64_t rest = starts & (starts - 1), from = -(starts & -starts), to = rest ? (rest & -rest) - 1 : ~(uint64_t) 0;
      int32_t label = label_of (link, run++);
      if (label != last) {
        sizes[last] += size;
        size = 0;
        last = label;
      }
      size += count_bits (on & from & to);
    }
  }
  sizes[last] += size;
}

/* Gives the objects of a row that touch the border a size that stays below zero. */
static void
mark_border (const plane_group *s, int64_t row, int64_t *sizes)
{
  const word *w = s->words + row * s->row_words;
  int64_t z = row / s->rows, y = row % s->rows, last = s->columns - 1;
  int32_t from = s->runs[row], to = s->runs[row + 1];
  bool whole = y == 0 || y == s->rows - 1 || (s->args->volume && (z == 0 || z == s->planes - 1));
  for (int32_t run = from; whole && run < to; run++)
    sizes[label_of (s->link, run)] = INT64_MIN;
  if (w[0].on & 1)
    sizes[label_of (s->link, from)] = INT64_MIN;
  if (w[last / 64].on >> last % 64 & 1)
    sizes[label_of (s->link, to - 1)] = INT64_MIN;
}

int32_t
label_renumber (const label_args *a, int64_t *sizes, int64_t n)
{
  int64_t most = a->max_size > 0 ? a->max_size : INT64_MAX, least = a->min_size > 1 ? a->min_size : 1;
  int32_t label = 0;
  for (int64_t i = 1; i <= n; i++)
    sizes[i] = sizes[i] >= least && sizes[i] <= most ? ++label : 0;
  return label;
}

void
label_measure (const plane_group *s)
{
  memset (s->sizes, 0, ((size_t) s->roots[s->all_rows] + 1) * sizeof *s->sizes);
  for (int64_t row = 0; row < s->all_rows && !progress_stopped (s->p); row++) {
    int64_t *sizes = s->sizes + roots_before (s, row);
    if (s->args->exclude_border)
      mark_border (s, row, sizes);
    measure_row (s->words + row * s->row_words, s->row_words, s->link, s->runs[row], sizes);
    if (row % s->strip == 0)
      progress_step (s->p, 0);
  }
}

void
label_renumber_roots (const plane_group *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++) {
    const int64_t *labels = s->sizes + roots_before (s, row);
    for (int32_t i = s->runs[row]; i < s->runs[row + 1]; i++)
      if (s->link[i] < 0)
        s->link[i] = ~(int32_t) labels[~s->link[i]];
  }
}
