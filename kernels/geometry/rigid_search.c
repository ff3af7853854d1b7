/* SPDX-License-Identifier: MIT
 *
 * The angle, roughly, and how far, in whole pixels of a level. Threads take an angle each, and the best is chosen in their order.
 */
#include "kernels/geometry/rigid_search.h"
#include "kernels/common/dft.h"

/* Frequencies of which there is much less than of most count for little when it is moved: in a smooth image they are noise. */
static const double LITTLE = 3;

enum {
  ANGLES = 360,        /* of half a turn */
  APART = ANGLES / 36, /* of angles that are tried */
  SHIFTS = 24,         /* angles that are correlated at a time */
  PEAKS = 2,           /* angles that are tried, */
  SMALL = 96,          /* and of squares of fewer pixels along a side */
  MORE_PEAKS = 12,
  MOST_TRIALS = 1 + 2 * (1 + MORE_PEAKS),
  WORKERS = 8, /* threads at most */
};

/* A square of a level, about its middle; `size` numbers each. */
typedef struct square {
  const rigid_level *level;
  const float *fixed, *moving;
  int64_t side, radii;
  double *fade, *fixed_re, *fixed_im;
  double *fixed_polar, *moving_polar; /* [radii][ANGLES]; that twice, one behind the other */
  double *work;                       /* of each thread: two times `size` numbers, and what dft() takes */
} square;

static int64_t
side_of (const rigid_level *l)
{
  const int64_t side = l->rows < l->columns ? l->rows : l->columns;
  return side < RIGID_COARSE ? side : RIGID_COARSE;
}

static int64_t
radii_of (int64_t side)
{
  return side / 2 > 4 ? side / 2 - 4 : 0;
}

static int64_t
work_of (int64_t side)
{
  return 2 * side * side + dft_numbers ((const int64_t[]){1, side, side}, 1);
}

int64_t
rigid_search_numbers (void)
{
  const int64_t side = RIGID_COARSE;
  return 3 * side * side + 3 * radii_of (side) * ANGLES + WORKERS * work_of (side);
}

static square
make_square (const rigid_level *l, const float *fixed, const float *moving, double *memory)
{
  square q = {.level = l, .fixed = fixed, .moving = moving, .side = side_of (l)};
  const int64_t size = q.side * q.side;
  q.radii = radii_of (q.side);
  q.fade = memory;
  q.fixed_re = q.fade + size;
  q.fixed_im = q.fixed_re + size;
  q.fixed_polar = q.fixed_im + size;
  q.moving_polar = q.fixed_polar + q.radii * ANGLES;
  q.work = q.moving_polar + 2 * q.radii * ANGLES;
  for (int64_t i = 0; i < size; i++) {
    const double middle = (double) (q.side - 1) / 2, x = (double) (i % q.side) - middle,
                 y = (double) (i / q.side) - middle, r = 2 * sqrt (x * x + y * y) / (double) q.side;
    q.fade[i] = r < 1 ? pow (cos (acos (-1) / 2 * r), 2) : 0;
  }
  return q;
}

/* ---- How alike ---- */

/* How well the images correlate where both are; -1 where that is less than a quarter. */
static double
likeness (const square *q, rigid_pose pose)
{
  const rigid_level *l = q->level;
  const rigid_step step = rigid_step_of (l, pose, 1, 0, INFINITY);
  double n = 0, f = 0, m = 0, ff = 0, mm = 0, fm = 0;
  for (int64_t y = 0; y < l->rows; y++)
    for (int64_t x = 0; x < l->columns; x++) {
      double from_middle[2], position[2];
      rigid_sample s;
      rigid_position (&step, x, y, from_middle, position);
      if (!rigid_sample_at (q->moving, l->rows, l->columns, position[0], position[1], &s))
        continue;
      const double v = (double) q->fixed[y * l->columns + x];
      n++, f += v, m += s.value, ff += v * v, mm += s.value * s.value, fm += v * s.value;
    }
  const double of_f = ff - f * f / n, of_m = mm - m * m / n;
  return 4 * n >= (double) (l->rows * l->columns) && of_f > 0 && of_m > 0 ? (fm - f * m / n) / sqrt (of_f * of_m) : -1;
}

/* ---- The angle ---- */

/* The transform of an image, faded out towards a circle: turned where it is the moving one. */
static void
transform_of (const square *q, const float *image, double angle, double *re, double *im, double *rest)
{
  const rigid_level *l = q->level;
  const int64_t side = q->side, x0 = (l->columns - side) / 2, y0 = (l->rows - side) / 2;
  const rigid_step step = rigid_step_of (l, (rigid_pose){angle, 0, 0}, 1, 0, INFINITY);
  memset (im, 0, (size_t) (side * side) * sizeof *im);
  for (int64_t i = 0; i < side * side; i++) {
    const int64_t x = x0 + i % side, y = y0 + i / side;
    double from_middle[2], position[2];
    rigid_sample s = {(double) image[y * l->columns + x], 0, 0};
    if (angle != 0 && q->fade[i] > 0) {
      rigid_position (&step, x, y, from_middle, position);
      if (!rigid_sample_at (image, l->rows, l->columns, position[0], position[1], &s))
        s.value = 0;
    }
    re[i] = q->fade[i] * s.value;
  }
  dft ((const int64_t[]){1, side, side}, 1, re, im, rest);
}

/* Along half a circle, less their mean. */
static void
polar_row (const double *sizes, int64_t side, int64_t radius, double *row)
{
  double mean = 0;
  for (int k = 0; k < ANGLES; k++) {
    const double turn = acos (-1) * k / ANGLES, x = (double) radius * cos (turn), y = (double) radius * sin (turn),
                 fx = floor (x), fy = floor (y);
    row[k] = 0;
    for (int j = 0; j < 4; j++)
      row[k] += (j % 2 ? x - fx : 1 - x + fx) * (j / 2 ? y - fy : 1 - y + fy)
                * sizes[border_index ((int64_t) fy + j / 2, side, BORDER_WRAP) * side
                        + border_index ((int64_t) fx + j % 2, side, BORDER_WRAP)];
    mean += row[k] / ANGLES;
  }
  for (int k = 0; k < ANGLES; k++)
    row[k] -= mean;
}

/* Logarithms of the sizes along half circles of all radii. */
static void
make_polar (const square *q, bool moves, double *work)
{
  const int64_t size = q->side * q->side, pitch = moves ? 2 * ANGLES : ANGLES;
  double *re = moves ? work : q->fixed_re, *im = moves ? work + size : q->fixed_im,
         *polar = moves ? q->moving_polar : q->fixed_polar;
  transform_of (q, moves ? q->moving : q->fixed, 0, re, im, work + 2 * size);
  for (int64_t i = 0; i < size; i++)
    work[i] = log (1e-3 + sqrt (re[i] * re[i] + im[i] * im[i]));
  for (int64_t i = 0; i < q->radii; i++) {
    double *row = polar + i * pitch;
    polar_row (work, q->side, i + 3, row);
    if (moves)
      memcpy (row + ANGLES, row, ANGLES * sizeof *row);
  }
}

/* Of SHIFTS angles at a time: of the moving image turned back by `first` steps, and by one more each. */
VECTORISED static void
correlate_turns (const double *fixed, const double *moving, int64_t radii, int first, double *to)
{
  double sums[SHIFTS] = {0};
  for (int64_t i = 0; i < radii; i++)
    for (int k = 0; k < ANGLES; k++) {
      const double f = fixed[i * ANGLES + k], *m = moving + 2 * i * ANGLES + first + k;
      for (int j = 0; j < SHIFTS; j++)
        sums[j] += f * m[j];
    }
  memcpy (to, sums, sizeof sums);
}

/* The angles, in steps, by which the moving image has to be turned for the best correlations that are not near each other. */
static int
best_turns (const square *q, int most, int *turns)
{
  double found[ANGLES];
  int count = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < ANGLES / SHIFTS; i++)
    correlate_turns (q->fixed_polar, q->moving_polar, q->radii, i * SHIFTS, found + i * SHIFTS);
  while (count < most) {
    int best = -1;
    for (int i = 0; i < ANGLES; i++)
      if (isfinite (found[i]) && (best < 0 || found[i] > found[best]))
        best = i;
    if (best < 0)
      break;
    turns[count++] = (ANGLES - best) % ANGLES;
    for (int i = 1 - APART; i < APART; i++)
      found[(best + i + ANGLES) % ANGLES] = -INFINITY;
  }
  return count;
}

/* ---- Where to ---- */

/* The pose with this angle, moved to where the phases correlate best. */
static rigid_pose
move_turned (const square *q, double angle, double *work)
{
  const int64_t side = q->side, size = side * side;
  double *re = work, *im = work + size, *rest = work + 2 * size;
  int64_t best = 0;
  transform_of (q, q->moving, angle, re, im, rest);
  double mean = 0;
  for (int64_t i = 0; i < size; i++) {
    const double r = q->fixed_re[i] * re[i] + q->fixed_im[i] * im[i],
                 t = q->fixed_im[i] * re[i] - q->fixed_re[i] * im[i];
    re[i] = r;
    im[i] = t;
    mean += sqrt (r * r + t * t) / (double) size;
  }
  for (int64_t i = 0; i < size; i++) {
    const double weight = 1 / (sqrt (re[i] * re[i] + im[i] * im[i]) + LITTLE * mean + 1e-300);
    re[i] *= weight;
    im[i] *= weight;
  }
  dft ((const int64_t[]){1, side, side}, 1, im, re, rest);
  for (int64_t i = 1; i < size; i++)
    best = re[i] > re[best] ? i : best;
  const int64_t x = best % side, y = best / side;
  return (rigid_pose){angle, (double) (2 * x < side ? x : x - side) * q->level->scale,
                      (double) (2 * y < side ? y : y - side) * q->level->scale};
}

/* What is tried: as it is, and each angle with its half turn. */
static int
list_turns (const square *q, double *angles)
{
  int turns[1 + MORE_PEAKS] = {0}, count = 0;
  const int found = 1 + best_turns (q, q->side < SMALL ? MORE_PEAKS : PEAKS, turns + 1);
  for (int i = 0; i < 2 * found; i++)
    angles[count++] = acos (-1) * ((double) turns[i / 2] / ANGLES + i % 2);
  return count;
}

rigid_pose
rigid_search (const rigid_level *l, const float *fixed, const float *moving, double *memory)
{
  const square q = make_square (l, fixed, moving, memory);
  const int workers = (int) (threads_at_most () < WORKERS ? threads_at_most () : WORKERS);
  const int64_t work = work_of (q.side);
  double angles[MOST_TRIALS], alike[MOST_TRIALS];
  rigid_pose poses[MOST_TRIALS], best = {0, 0, 0};
  double most = -1;
  (void) workers; /* without OpenMP there is one */
#pragma omp parallel for schedule(static) num_threads(workers)
  for (int i = 0; i < 2; i++)
    make_polar (&q, i == 1, q.work + thread_index () * work);
  const int count = list_turns (&q, angles);
#pragma omp parallel for schedule(dynamic) num_threads(workers)
  for (int i = 0; i <= count; i++) {
    poses[i] = i ? move_turned (&q, angles[i - 1], q.work + thread_index () * work) : best;
    alike[i] = likeness (&q, poses[i]);
  }
  for (int i = 0; i <= count; i++)
    if (alike[i] > most) {
      most = alike[i];
      best = poses[i];
    }
  return best;
}
