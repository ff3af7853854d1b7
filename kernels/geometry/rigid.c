/* SPDX-License-Identifier: MIT
 *
 * Levels of the pyramid, and the refinement on them.
 */
#include "kernels/geometry/rigid.h"

enum { STEPS = 40 };

rigid_pose
rigid_join (rigid_pose a, rigid_pose b)
{
  const double c = cos (b.angle), s = sin (b.angle);
  return (rigid_pose){a.angle + b.angle, c * a.x - s * a.y + b.x, s * a.x + c * a.y + b.y};
}

rigid_pyramid
rigid_pyramid_of (int64_t rows, int64_t columns)
{
  rigid_pyramid p = {.count = 0};
  rigid_level l = {rows, columns, 0, 1, {(double) (columns - 1) / 2, (double) (rows - 1) / 2}};
  while (l.rows >= RIGID_LEAST && l.columns >= RIGID_LEAST && p.count < RIGID_LEVELS) {
    p.levels[p.count++] = l;
    p.numbers += l.rows * l.columns;
    l = (rigid_level){
      l.rows / 2, l.columns / 2, p.numbers, 2 * l.scale, {(l.middle[0] - 0.5) / 2, (l.middle[1] - 0.5) / 2}};
  }
  while (p.coarse < p.count - 1
         && (p.levels[p.coarse].rows > RIGID_COARSE || p.levels[p.coarse].columns > RIGID_COARSE))
    p.coarse++;
  return p;
}

/* ---- Refinement ---- */

/* Of a symmetric system in the order of rigid_add(), by elimination. False: it has no single solution. */
static bool
solve (const double *sums, double x[RIGID_UNKNOWNS])
{
  double m[RIGID_UNKNOWNS][RIGID_UNKNOWNS + 1];
  for (int i = 0; i < RIGID_UNKNOWNS; i++) {
    for (int j = i; j < RIGID_UNKNOWNS; j++)
      m[i][j] = m[j][i] = *sums++;
    m[i][RIGID_UNKNOWNS] = *sums++;
  }
  for (int i = 0; i < RIGID_UNKNOWNS; i++) {
    if (!(m[i][i] > 1e-12))
      return false;
    for (int k = i + 1; k < RIGID_UNKNOWNS; k++) {
      const double times = m[k][i] / m[i][i];
      for (int j = i; j <= RIGID_UNKNOWNS; j++)
        m[k][j] -= times * m[i][j];
    }
  }
  for (int i = RIGID_UNKNOWNS - 1; i >= 0; i--) {
    x[i] = m[i][RIGID_UNKNOWNS];
    for (int j = i + 1; j < RIGID_UNKNOWNS; j++)
      x[i] -= m[i][j] * x[j];
    x[i] /= m[i][i];
  }
  return true;
}

static fv_status
refine_level (const rigid_level *l, const rigid_device *d, int fixed, rigid_pose *pose, fv_error *error)
{
  double a = 1, b = 0, spread = INFINITY;
  const double radius = l->scale * (double) (l->rows + l->columns) / 4;
  for (int i = 0; i < STEPS; i++) {
    const rigid_step step = rigid_step_of (l, *pose, a, b, spread);
    double sums[RIGID_SUMS], more[RIGID_UNKNOWNS];
    if (d->sums (d, fixed, &step, sums, error))
      return error->code;
    if (!solve (sums, more))
      return FV_OK;
    *pose = (rigid_pose){pose->angle + more[0], pose->x + more[1], pose->y + more[2]};
    a += more[3];
    b += more[4];
    spread = fmax (3 * sqrt (sums[RIGID_PRODUCTS + 1] / sums[RIGID_PRODUCTS]), 1e-3);
    if (fabs (more[0]) * radius + fabs (more[1]) + fabs (more[2]) < 1e-4 * l->scale)
      break;
  }
  return FV_OK;
}

fv_status
rigid_refine (const rigid_pyramid *p, const rigid_device *d, int fixed, rigid_pose *pose, fv_error *error)
{
  for (int i = p->coarse; i >= 0; i--)
    if (refine_level (&p->levels[i], d, fixed, pose, error))
      return error->code;
  pose->angle = remainder (pose->angle, 2 * acos (-1));
  return FV_OK;
}
