/* SPDX-License-Identifier: MIT
 *
 * Paths on the CPU: many pixels move at the same time, some steps together. Then paths that end, or that repeat themselves, make room for others.
 */
#include "kernels/network/flows_paths.h"

enum {
  LANES = 32,
  STEPS = 8,            /* together */
  MOST_PIXELS = 1 << 30 /* of which numbers of the field are int32_t */
};

typedef struct lanes {
  float y[LANES], x[LANES];
  float old_y[LANES], old_x[LANES];   /* a position that a path may meet again */
  int64_t pixel[LANES];               /* -1: none */
  int32_t left[LANES];                /* steps */
  int32_t since[LANES], limit[LANES]; /* steps since the old position, and after how many another one is kept */
} lanes;

/* The same as flows_move() of each. */
VECTORISED static void
move_lanes (const float *restrict field, int32_t rows, int32_t columns, float *restrict ys, float *restrict xs)
{
  for (int n = 0; n < STEPS; n++)
    for (int l = 0; l < LANES; l++) {
      const int32_t top = (int32_t) ys[l], left = (int32_t) xs[l];
      const float v = ys[l] - (float) top, u = xs[l] - (float) left;
      const int32_t a = 2 * (top * columns + left), b = a + (left + 1 < columns ? 2 : 0),
                    down = top + 1 < rows ? 2 * columns : 0;
      const double by_y = flows_between (field[a], field[b], field[a + down], field[b + down], v, u);
      const double by_x = flows_between (field[a + 1], field[b + 1], field[a + down + 1], field[b + down + 1], v, u);
      ys[l] = flows_moved (ys[l], by_y, rows);
      xs[l] = flows_moved (xs[l], by_x, columns);
    }
}

static void
start (const flows_job *j, lanes *all, int l, int64_t pixel)
{
  all->pixel[l] = pixel;
  all->y[l] = pixel < 0 ? 0 : (float) (pixel / j->columns);
  all->x[l] = pixel < 0 ? 0 : (float) (pixel % j->columns);
  all->old_y[l] = all->y[l];
  all->old_x[l] = all->x[l];
  all->left[l] = j->steps;
  all->since[l] = 0;
  all->limit[l] = STEPS;
}

/* The next pixel of a cell, or -1. */
static int64_t
next_cell (const flows_job *j, int64_t *at, int64_t to)
{
  while (*at < to && j->end[*at] < 0)
    ++*at;
  return *at < to ? (*at)++ : -1;
}

/* Whether the path has come to its last steps, which are then `left`. */
static bool
is_last (lanes *all, int l)
{
  if (all->y[l] == all->old_y[l] && all->x[l] == all->old_x[l] && all->since[l]) {
    all->left[l] %= all->since[l];
    return true;
  }
  if (all->since[l] >= all->limit[l]) {
    all->old_y[l] = all->y[l];
    all->old_x[l] = all->x[l];
    all->since[l] = 0;
    all->limit[l] *= 2;
  }
  return all->left[l] < STEPS;
}

static void
end_path (const flows_job *j, lanes *all, int l)
{
  float y = all->y[l], x = all->x[l];
  for (; all->left[l] > 0; all->left[l]--)
    flows_move (j, &y, &x);
  j->end[all->pixel[l]] = (int32_t) ((int64_t) y * j->columns + (int64_t) x);
}

static void
follow_lanes (const flows_job *j, int64_t from, int64_t to)
{
  lanes all;
  int64_t at = from;
  int active = 0;
  for (int l = 0; l < LANES; l++) {
    start (j, &all, l, next_cell (j, &at, to));
    active += all.pixel[l] >= 0;
  }
  while (active) {
    move_lanes (j->field, (int32_t) j->rows, (int32_t) j->columns, all.y, all.x);
    for (int l = 0; l < LANES; l++) {
      all.left[l] -= STEPS;
      all.since[l] += STEPS;
      if (all.pixel[l] < 0 || !is_last (&all, l))
        continue;
      end_path (j, &all, l);
      start (j, &all, l, next_cell (j, &at, to));
      active -= all.pixel[l] < 0;
    }
  }
}

void
flows_follow_cpu (const flows_job *j, int64_t from, int64_t to)
{
  if (j->steps < STEPS || j->rows * j->columns > MOST_PIXELS)
    flows_follow (j, from, to);
  else {
    follow_lanes (j, from, to);
    flows_count_ends (j, from, to);
  }
}
