/* SPDX-License-Identifier: MIT
 *
 * Places count from the middle of the image, in pixels as it is, whatever the level of the pyramid.
 */
#include "kernels/geometry/rigid.h"
#include "kernels/common/dft.h"

enum {
  MOST_LEVELS = 16,
  LEAST_SIDE = 24, /* of a level that is used */
  COARSE = 192,    /* no more pixels along a side of what the angle is looked for in */
  ANGLES = 360,    /* of half a turn */
  STEPS = 40,
  UNKNOWNS = 5, /* angle, x, y, a, b */
  PRODUCTS = UNKNOWNS * (UNKNOWNS + 1) / 2 + UNKNOWNS,
  SUMS = PRODUCTS + 2, /* and those of weights and of what is left */
};

typedef struct level {
  double *fixed, *moving;
  int64_t rows, columns;
  double scale, middle[2]; /* pixels of the image in one; the middle of the image, x and y */
} level;

typedef struct pyramid {
  level levels[MOST_LEVELS];
  int count;
} pyramid;

rigid_pose
rigid_join (rigid_pose a, rigid_pose b)
{
  const double c = cos (b.angle), s = sin (b.angle);
  return (rigid_pose){a.angle + b.angle, c * a.x - s * a.y + b.x, s * a.x + c * a.y + b.y};
}

/* ---- Images of half the size ---- */

/* Less its mean, over its standard deviation; 0 where there is no pixel. False: there is nothing to see. */
static bool
normalize (double *image, int64_t n)
{
  double count = 0, sum = 0, squares = 0;
  for (int64_t i = 0; i < n; i++)
    if (isfinite (image[i])) {
      count++;
      sum += image[i];
    }
  const double mean = count > 0 ? sum / count : 0;
  for (int64_t i = 0; i < n; i++) {
    image[i] = isfinite (image[i]) ? image[i] - mean : 0;
    squares += image[i] * image[i];
  }
  const double deviation = count > 0 ? sqrt (squares / count) : 0;
  for (int64_t i = 0; i < n; i++)
    image[i] = deviation > 0 ? image[i] / deviation : 0;
  return deviation > 1e-7 * fabs (mean) && deviation < 1e300;
}

static void
halve (const double *from, int64_t from_columns, double *to, int64_t rows, int64_t columns)
{
  for (int64_t y = 0; y < rows; y++) {
    const double *a = from + 2 * y * from_columns, *b = a + from_columns;
    for (int64_t x = 0; x < columns; x++)
      to[y * columns + x] = (a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) / 4;
  }
}

static pyramid
make_pyramid (double *memory, int64_t rows, int64_t columns)
{
  pyramid p = {.count = 1};
  p.levels[0] =
    (level){memory, memory + rows * columns, rows, columns, 1, {(double) (columns - 1) / 2, (double) (rows - 1) / 2}};
  memory += 2 * rows * columns;
  while (rows / 2 >= LEAST_SIDE && columns / 2 >= LEAST_SIDE && p.count < MOST_LEVELS) {
    const level *last = &p.levels[p.count - 1];
    rows /= 2, columns /= 2;
    level *l = &p.levels[p.count++];
    *l = (level){memory,  memory + rows * columns, rows,
                 columns, 2 * last->scale,         {(last->middle[0] - 0.5) / 2, (last->middle[1] - 0.5) / 2}};
    memory += 2 * rows * columns;
    halve (last->fixed, last->columns, l->fixed, rows, columns);
    halve (last->moving, last->columns, l->moving, rows, columns);
  }
  return p;
}

/* ---- Between pixels ---- */

/* Weights of four pixels for a place t behind the second one, and their slopes. */
static void
spline (double t, double weight[4], double slope[4])
{
  weight[0] = t * (-0.5 + t * (1 - 0.5 * t));
  weight[1] = 1 + t * t * (-2.5 + 1.5 * t);
  weight[2] = t * (0.5 + t * (2 - 1.5 * t));
  weight[3] = t * t * (-0.5 + 0.5 * t);
  slope[0] = -0.5 + t * (2 - 1.5 * t);
  slope[1] = t * (-5 + 4.5 * t);
  slope[2] = 0.5 + t * (4 - 4.5 * t);
  slope[3] = t * (-1 + 1.5 * t);
}

typedef struct sample {
  double value, dx, dy;
} sample;

/* False: not all pixels that it takes are there. */
static bool
sample_at (const double *image, int64_t rows, int64_t columns, double x, double y, sample *s)
{
  const double fx = floor (x), fy = floor (y);
  double wx[4], wy[4], sx[4], sy[4];
  if (!(fx >= 1 && fy >= 1 && fx < (double) (columns - 2) && fy < (double) (rows - 2)))
    return false;
  const double *at = image + ((int64_t) fy - 1) * columns + (int64_t) fx - 1;
  spline (x - fx, wx, sx);
  spline (y - fy, wy, sy);
  *s = (sample){0, 0, 0};
  for (int j = 0; j < 4; j++, at += columns) {
    const double value = wx[0] * at[0] + wx[1] * at[1] + wx[2] * at[2] + wx[3] * at[3];
    s->value += wy[j] * value;
    s->dy += sy[j] * value;
    s->dx += wy[j] * (sx[0] * at[0] + sx[1] * at[1] + sx[2] * at[2] + sx[3] * at[3]);
  }
  return true;
}

/* Where pixel x, y of the fixed image is in the moving one, both of the level; from_middle: that place, from the middle of the image. */
static void
place_of (const level *l, rigid_pose pose, int64_t x, int64_t y, double from_middle[2], double place[2])
{
  const double c = cos (pose.angle), s = sin (pose.angle), across = ((double) x - l->middle[0]) * l->scale - pose.x,
               down = ((double) y - l->middle[1]) * l->scale - pose.y;
  from_middle[0] = c * across + s * down;
  from_middle[1] = c * down - s * across;
  place[0] = from_middle[0] / l->scale + l->middle[0];
  place[1] = from_middle[1] / l->scale + l->middle[1];
}

/* ---- Refinement ---- */

/* What differs by far more than `spread`, such as what came in at an edge, has next to no weight. */
static void
add_row (const level *l, rigid_pose pose, double a, double b, double spread, int64_t y, double sums[SUMS])
{
  const double c = cos (pose.angle), s = sin (pose.angle);
  memset (sums, 0, SUMS * sizeof *sums);
  for (int64_t x = 0; x < l->columns; x++) {
    double q[2], place[2];
    sample m;
    place_of (l, pose, x, y, q, place);
    if (!sample_at (l->moving, l->rows, l->columns, place[0], place[1], &m))
      continue;
    const double gx = a * m.dx / l->scale, gy = a * m.dy / l->scale,
                 by[UNKNOWNS] = {gx * q[1] - gy * q[0], gy * s - gx * c, -gx * s - gy * c, m.value, 1},
                 rest = l->fixed[y * l->columns + x] - a * m.value - b,
                 root = 1 / (1 + rest / spread * (rest / spread)), weight = root * root;
    double *to = sums;
    for (int i = 0; i < UNKNOWNS; i++) {
      for (int j = i; j < UNKNOWNS; j++)
        *to++ += weight * by[i] * by[j];
      *to++ += weight * by[i] * rest;
    }
    to[0] += weight;
    to[1] += weight * rest * rest;
  }
}

/* Of a symmetric system in the order of add_row(), by elimination. False: it has no single solution. */
static bool
solve (const double *sums, double x[UNKNOWNS])
{
  double m[UNKNOWNS][UNKNOWNS + 1];
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int j = i; j < UNKNOWNS; j++)
      m[i][j] = m[j][i] = *sums++;
    m[i][UNKNOWNS] = *sums++;
  }
  for (int i = 0; i < UNKNOWNS; i++) {
    if (!(m[i][i] > 1e-12))
      return false;
    for (int k = i + 1; k < UNKNOWNS; k++) {
      const double times = m[k][i] / m[i][i];
      for (int j = i; j <= UNKNOWNS; j++)
        m[k][j] -= times * m[i][j];
    }
  }
  for (int i = UNKNOWNS - 1; i >= 0; i--) {
    x[i] = m[i][UNKNOWNS];
    for (int j = i + 1; j < UNKNOWNS; j++)
      x[i] -= m[i][j] * x[j];
    x[i] /= m[i][i];
  }
  return true;
}

/* rows: SUMS numbers for each row. */
static rigid_pose
refine (const level *l, rigid_pose pose, double *rows)
{
  double a = 1, b = 0, spread = INFINITY;
  const double radius = l->scale * (double) (l->rows + l->columns) / 4;
  for (int step = 0; step < STEPS; step++) {
    double sums[SUMS] = {0}, more[UNKNOWNS];
#pragma omp parallel for schedule(static, 8)
    for (int64_t y = 0; y < l->rows; y++)
      add_row (l, pose, a, b, spread, y, rows + y * SUMS);
    for (int64_t i = 0; i < l->rows * SUMS; i++)
      sums[i % SUMS] += rows[i];
    if (!solve (sums, more))
      return pose;
    pose = (rigid_pose){pose.angle + more[0], pose.x + more[1], pose.y + more[2]};
    a += more[3];
    b += more[4];
    spread = fmax (3 * sqrt (sums[PRODUCTS + 1] / sums[PRODUCTS]), 1e-3);
    if (fabs (more[0]) * radius + fabs (more[1]) + fabs (more[2]) < 1e-4 * l->scale)
      break;
  }
  return pose;
}

/* How well the images correlate where both are; -1 where that is less than a quarter. */
static double
likeness (const level *l, rigid_pose pose)
{
  double n = 0, f = 0, m = 0, ff = 0, mm = 0, fm = 0;
  for (int64_t y = 0; y < l->rows; y++)
    for (int64_t x = 0; x < l->columns; x++) {
      double q[2], place[2];
      sample s;
      place_of (l, pose, x, y, q, place);
      if (!sample_at (l->moving, l->rows, l->columns, place[0], place[1], &s))
        continue;
      const double v = l->fixed[y * l->columns + x];
      n++, f += v, m += s.value, ff += v * v, mm += s.value * s.value, fm += v * s.value;
    }
  const double of_f = ff - f * f / n, of_m = mm - m * m / n;
  return 4 * n >= (double) (l->rows * l->columns) && of_f > 0 && of_m > 0 ? (fm - f * m / n) / sqrt (of_f * of_m) : -1;
}

/* ---- The angle ---- */

/* A square of a level, about its middle; `size` numbers each. */
typedef struct square {
  const level *level;
  int64_t side, radii;
  double *fixed_re, *fixed_im, *moving_re, *moving_im, *fixed_polar, *moving_polar, *rest; /* polar: [radii][ANGLES] */
} square;

static int64_t
side_of (int64_t rows, int64_t columns)
{
  const int64_t side = rows < columns ? rows : columns;
  return side < COARSE ? side : COARSE;
}

static int64_t
radii_of (int64_t side)
{
  return side / 2 > 4 ? side / 2 - 4 : 0;
}

static int64_t
square_numbers (int64_t side)
{
  return 4 * side * side + 2 * radii_of (side) * ANGLES + dft_numbers ((const int64_t[]){1, side, side});
}

static square
make_square (const level *l, double *memory)
{
  square q = {.level = l, .side = side_of (l->rows, l->columns)};
  const int64_t size = q.side * q.side;
  q.radii = radii_of (q.side);
  q.fixed_re = memory;
  q.fixed_im = q.fixed_re + size;
  q.moving_re = q.fixed_im + size;
  q.moving_im = q.moving_re + size;
  q.fixed_polar = q.moving_im + size;
  q.moving_polar = q.fixed_polar + q.radii * ANGLES;
  q.rest = q.moving_polar + q.radii * ANGLES;
  return q;
}

/* The transform of an image, faded out towards a circle: turned by the pose where it is the moving one. */
static void
transform_of (const square *q, const double *image, rigid_pose pose, double *re, double *im)
{
  const level *l = q->level;
  const int64_t side = q->side, x0 = (l->columns - side) / 2, y0 = (l->rows - side) / 2;
  memset (im, 0, (size_t) (side * side) * sizeof *im);
  for (int64_t y = 0; y < side; y++)
    for (int64_t x = 0; x < side; x++) {
      const double dx = (double) (x + x0) - l->middle[0], dy = (double) (y + y0) - l->middle[1],
                   r = 2 * sqrt (dx * dx + dy * dy) / (double) side, fade = r < 1 ? cos (acos (-1) / 2 * r) : 0;
      double from_middle[2], place[2];
      sample s = {image[(y + y0) * l->columns + x + x0], 0, 0};
      if (pose.angle != 0) {
        place_of (l, pose, x + x0, y + y0, from_middle, place);
        if (!sample_at (image, l->rows, l->columns, place[0], place[1], &s))
          s.value = 0;
      }
      re[y * side + x] = fade * fade * s.value;
    }
  dft ((const int64_t[]){1, side, side}, re, im, q->rest);
}

/* Logarithms of the sizes along half circles of all radii, each less its mean. */
static void
to_polar (const square *q, const double *re, const double *im, double *polar)
{
  const int64_t side = q->side;
  for (int64_t i = 0; i < q->radii; i++) {
    double *row = polar + i * ANGLES, mean = 0;
    for (int k = 0; k < ANGLES; k++) {
      const double turn = acos (-1) * k / ANGLES, x = (double) (i + 3) * cos (turn), y = (double) (i + 3) * sin (turn),
                   fx = floor (x), fy = floor (y);
      row[k] = 0;
      for (int j = 0; j < 4; j++) {
        const int64_t at = border_index ((int64_t) fy + j / 2, side, BORDER_WRAP) * side
                           + border_index ((int64_t) fx + j % 2, side, BORDER_WRAP);
        row[k] += (j % 2 ? x - fx : 1 - x + fx) * (j / 2 ? y - fy : 1 - y + fy)
                  * log (1e-3 + sqrt (re[at] * re[at] + im[at] * im[at]));
      }
      mean += row[k] / ANGLES;
    }
    for (int k = 0; k < ANGLES; k++)
      row[k] -= mean;
  }
}

/* The angle, in steps, by which the moving image has to be turned for the best correlation that is not near `but`, -1 for none. */
static int
best_turn (const square *q, int but)
{
  double most = -INFINITY;
  int best = 0;
  for (int turn = 0; turn < ANGLES; turn++) {
    double sum = 0;
    const int apart = (turn - but + ANGLES) % ANGLES;
    if (but >= 0 && (apart < ANGLES / 36 || apart > ANGLES - ANGLES / 36))
      continue;
    for (int64_t i = 0; i < q->radii; i++) {
      const double *f = q->fixed_polar + i * ANGLES, *m = q->moving_polar + i * ANGLES;
      for (int k = 0; k < ANGLES; k++)
        sum += f[k] * m[k >= turn ? k - turn : k - turn + ANGLES];
    }
    if (sum > most) {
      most = sum;
      best = turn;
    }
  }
  return best;
}

/* The pose with this angle, moved to where the phases correlate best. */
static rigid_pose
move_turned (const square *q, double angle)
{
  const int64_t side = q->side, size = side * side;
  double *re = q->moving_re, *im = q->moving_im;
  int64_t best = 0;
  transform_of (q, q->level->moving, (rigid_pose){angle, 0, 0}, re, im);
  for (int64_t i = 0; i < size; i++) {
    const double r = q->fixed_re[i] * re[i] + q->fixed_im[i] * im[i],
                 t = q->fixed_im[i] * re[i] - q->fixed_re[i] * im[i], all = sqrt (r * r + t * t);
    re[i] = all > 1e-12 ? r / all : 0;
    im[i] = all > 1e-12 ? t / all : 0;
  }
  dft ((const int64_t[]){1, side, side}, im, re, q->rest);
  for (int64_t i = 1; i < size; i++)
    best = re[i] > re[best] ? i : best;
  const int64_t x = best % side, y = best / side;
  return (rigid_pose){angle, (double) (2 * x < side ? x : x - side) * q->level->scale,
                      (double) (2 * y < side ? y : y - side) * q->level->scale};
}

static rigid_pose
find_roughly (const level *l, double *memory)
{
  const square q = make_square (l, memory);
  rigid_pose best = {0, 0, 0};
  double most = likeness (l, best);
  transform_of (&q, l->fixed, best, q.fixed_re, q.fixed_im);
  transform_of (&q, l->moving, best, q.moving_re, q.moving_im);
  to_polar (&q, q.fixed_re, q.fixed_im, q.fixed_polar);
  to_polar (&q, q.moving_re, q.moving_im, q.moving_polar);
  const int first = best_turn (&q, -1), turns[] = {0, first, best_turn (&q, first)};
  for (int i = 0; i < 6; i++) {
    const rigid_pose pose = move_turned (&q, acos (-1) * ((double) turns[i / 2] / ANGLES + i % 2));
    const double here = likeness (l, pose);
    if (here > most) {
      most = here;
      best = pose;
    }
  }
  return best;
}

/* ---- All of it ---- */

int64_t
rigid_numbers (int64_t rows, int64_t columns)
{
  int64_t all = 2 * rows * columns + SUMS * rows + square_numbers (side_of (rows, columns));
  for (int64_t y = rows / 2, x = columns / 2; y >= LEAST_SIDE && x >= LEAST_SIDE; y /= 2, x /= 2)
    all += 2 * x * y;
  return all;
}

rigid_pose
rigid_find (double *memory, int64_t rows, int64_t columns)
{
  const int64_t n = rows * columns;
  const bool fixed_seen = normalize (memory, n), moving_seen = normalize (memory + n, n);
  const pyramid p = make_pyramid (memory, rows, columns);
  const level *last = &p.levels[p.count - 1];
  double *rest = last->moving + last->rows * last->columns;
  int rough = 0;
  if (!fixed_seen || !moving_seen || rows < LEAST_SIDE || columns < LEAST_SIDE)
    return (rigid_pose){0, 0, 0};
  while (rough < p.count - 1 && (p.levels[rough].rows > COARSE || p.levels[rough].columns > COARSE))
    rough++;
  rigid_pose pose = find_roughly (&p.levels[rough], rest);
  for (int i = rough; i >= 0; i--)
    pose = refine (&p.levels[i], pose, rest);
  pose.angle = remainder (pose.angle, 2 * acos (-1));
  return pose;
}
