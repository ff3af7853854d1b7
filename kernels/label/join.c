/* SPDX-License-Identifier: MIT
 */
#include "kernels/label/join.h"

#include "kernels/common/union_find.h"
#include "kernels/label/runs.h"

/* ---- Joining runs of two rows ----
 *
 * a and b are words of the earlier and the later row, ia and ib the indices of the last runs that started before them.
 * Two runs meet in one interval, which begins where one of them does: so each pair is found once, as one bit. */

/* Joins the last runs that start up to each bit of `meet`. */
INLINE void
join_bits (uint64_t meet, const word *a, const word *b, int32_t *link, int32_t ia, int32_t ib)
{
  for (; meet; meet &= meet - 1) {
    uint64_t upto = meet ^ (meet - 1);
    forest_unite (link, ia + count_bits (a->start & upto), ib + count_bits (b->start & upto));
  }
}

/* Foreground touches foreground. With reach, pixel x covers the corners x and x + 1, and runs that share one touch. */
VECTORISED static void
join_masks (const word *a, const word *b, int64_t n, int reach, int32_t *link, int32_t ia, int32_t ib)
{
  uint64_t carry_a = 0, carry_b = 0, wide = reach ? ~(uint64_t) 0 : 0;
  for (int64_t k = 0; k < n; k++) {
    uint64_t more_a = (a[k].on << 1 | carry_a) & wide, more_b = (b[k].on << 1 | carry_b) & wide;
    uint64_t meet = (a[k].on | more_a) & (b[k].on | more_b) & (a[k].start | b[k].start);
    join_bits (meet, a + k, b + k, link, ia, ib);
    carry_a = a[k].on >> 63;
    carry_b = b[k].on >> 63;
    ia += count_bits (a[k].start);
    ib += count_bits (b[k].start);
  }
}

/* Which pixels equal the one across, (x, x), and those at the diagonals, (x, x + 1) and (x + 1, x). A diagonal is
 * needed only where x differs across, and then its pixel at x + 1 starts a run. */
typedef struct matches {
  uint64_t across[RUNS_CHUNK + 1], right[RUNS_CHUNK + 1], left[RUNS_CHUNK + 1];
} matches;

VECTORISED static void
join_matches (const word *a, const word *b, const matches *m, int64_t n, int32_t *link, int32_t *ia, int32_t *ib)
{
  for (int64_t k = 0; k < n; k++) {
    join_bits (m->across[k] & (a[k].start | b[k].start), a + k, b + k, link, *ia, *ib);
    join_bits (m->right[k] & ~m->across[k], a + k, b + k, link, *ia, *ib + 1);
    join_bits (m->left[k] & ~m->across[k], a + k, b + k, link, *ia + 1, *ib);
    *ia += count_bits (a[k].start);
    *ib += count_bits (b[k].start);
  }
}

/* Whether a word has foreground, or the first pixel after it is. */
INLINE bool
has_foreground (const word *w, int64_t k, int64_t n)
{
  return (w[k].on | (k + 1 < n ? w[k + 1].on & 1 : 0)) != 0;
}

/* Equal touches equal, which can be where both rows have foreground. */
static void
join_equals (const plane_group *s, int64_t row_a, int64_t row_b, int reach, int32_t ia, int32_t ib)
{
  const char *a = group_pixels (s, row_a), *b = group_pixels (s, row_b);
  const word *words_a = s->words + row_a * s->row_words, *words_b = s->words + row_b * s->row_words;
  int64_t bytes = (int64_t) s->pixel_bytes, words = s->row_words;
  matches m;

  memset (&m, 0, sizeof m);
  for (int64_t k = 0, end; k < words; k = end) {
    for (end = k; end < words && end - k < RUNS_CHUNK && has_foreground (words_a, end, words)
                  && has_foreground (words_b, end, words);)
      end++;
    if (end == k) {
      ia += count_bits (words_a[k].start);
      ib += count_bits (words_b[k].start);
      end++;
      continue;
    }
    int64_t left = s->columns - 64 * k, n = left < 64 * (end - k) ? left : 64 * (end - k), x = 64 * k * bytes;
    s->equal (a + x, b + x, n, m.across);
    if (reach) {
      s->equal (a + x, b + x + bytes, n < left ? n : n - 1, m.right);
      s->equal (a + x + bytes, b + x, n < left ? n : n - 1, m.left);
    }
    join_matches (words_a + k, words_b + k, &m, end - k, s->link, &ia, &ib);
  }
}

/* Joins a row to its earlier neighbors from row `from` to row `to` - 1. */
static void
join_row (const plane_group *s, int64_t row, int64_t from, int64_t to)
{
  int64_t z = row / s->rows, y = row % s->rows;
  if (s->runs[row] == s->runs[row + 1])
    return;
  for (int i = 0; i < s->n_neighbors; i++) {
    const neighbor *n = &s->neighbors[i];
    int64_t other = row - n->back;
    if (z + n->dz < 0 || y + n->dy < 0 || y + n->dy >= s->rows || other < from || other >= to)
      continue;
    if (s->args->values == LABEL_EQUAL)
      join_equals (s, other, row, n->reach, s->runs[other] - 1, s->runs[row] - 1);
    else
      join_masks (s->words + other * s->row_words, s->words + row * s->row_words, s->row_words, n->reach, s->link,
                  s->runs[other] - 1, s->runs[row] - 1);
  }
}

/* ---- Strips ---- */

void
label_join_strip (const plane_group *s, int64_t from, int64_t to)
{
  for (int32_t i = s->runs[from]; i < s->runs[to]; i++)
    s->link[i] = i;
  for (int64_t row = from; row < to; row++)
    join_row (s, row, from, row);
  forest_flatten (s->link, s->runs[from], s->runs[to]);
}

/* Joins the rows from `middle` on to those before it, within `span` rows on both sides. */
static void
join_seam (const plane_group *s, int64_t middle, int64_t span)
{
  int64_t farthest = s->neighbors[s->n_neighbors - 1].back;
  int64_t to = middle + (farthest < span ? farthest : span);
  to = to < s->all_rows ? to : s->all_rows;
  for (int64_t row = middle; row < to && !progress_stopped (s->p); row++) {
    join_row (s, row, middle - span, middle);
    if ((row - middle) % s->strip == 0)
      progress_step (s->p, 0);
  }
}

/* Joins strips to pairs, these to fours and so on: seams of one round touch different sets, so that they run at once.
 * Static: the last seam, which is alone, is the first thread's, which asks the host. Few seams of one row each are
 * sooner joined than threads are gathered. */
bool
label_join_seams (const plane_group *s)
{
#pragma omp parallel if (s->args->volume || s->all_rows > 64 * s->strip)
  for (int64_t span = s->strip; span < s->all_rows; span *= 2) {
#pragma omp for schedule(static, 1)
    for (int64_t middle = span; middle < s->all_rows; middle += 2 * span)
      join_seam (s, middle, span);
  }
  return !s->p->stop;
}
