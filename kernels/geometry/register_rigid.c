/* SPDX-License-Identifier: MIT
 *
 * register, transform=rigid: pair by pair, with the pyramids on a device; those that the next pair shares stay.
 */
#include "kernels/geometry/register_rigid.h"
#include "kernels/geometry/rigid_search.h"
#include "kernels/geometry/rotate.h"

/* What the two pyramids are of, and which of them is the fixed one. */
typedef struct holding {
  register_view views[2];
  int fixed;
} holding;

static double
degrees (double angle)
{
  return angle * 180 / acos (-1);
}

static bool
same_view (const register_view *a, const register_view *b)
{
  return a->array == b->array && a->plane == b->plane && a->depth == b->depth;
}

/* pair: the fixed one and the moving one. */
static fv_status
hold (const rigid_device *d, holding *h, const register_view pair[2], fv_error *error)
{
  if (same_view (&h->views[!h->fixed], &pair[0]))
    h->fixed = !h->fixed;
  for (int i = 0; i < 2; i++) {
    const int which = i ? !h->fixed : h->fixed;
    if (same_view (&h->views[which], &pair[i]))
      continue;
    if (d->load (d, which, &pair[i], error))
      return error->code;
    h->views[which] = pair[i];
  }
  return FV_OK;
}

static fv_status
find (const rigid_pyramid *p, const rigid_device *d, int fixed, double *search, rigid_pose *pose, fv_error *error)
{
  const float *coarse[2];
  if (d->coarse (d, fixed, &coarse[0], error) || d->coarse (d, !fixed, &coarse[1], error))
    return error->code;
  if (!coarse[0] || !coarse[1])
    return FV_OK;
  *pose = rigid_search (&p->levels[p->coarse], coarse[0], coarse[1], search);
  return rigid_refine (p, d, fixed, pose, error);
}

fv_status
register_rigid (const fv_call *call, const register_plan *plan, const rigid_device *d, double *search, double *moves,
                affine_map *maps, fv_error *error)
{
  const bool join = ((const register_args *) call->args)->to == REGISTER_PREVIOUS && !call->inputs[1];
  const int64_t first = register_first (call);
  const fv_grid *grid = call->inputs[0]->grid;
  const rigid_pyramid p = rigid_pyramid_of (grid->shape[1], grid->shape[2]);
  holding held = {{{NULL, 0, 0}, {NULL, 0, 0}}, 0};
  rigid_pose pose = {0, 0, 0};
  for (int64_t i = 0; i < plan->count; i++) {
    if (call->host->tick (call, i, plan->count + 1))
      return cancelled (error);
    if (i >= first && p.count > 0) {
      register_view pair[2];
      rigid_pose found = {0, 0, 0};
      register_pair (call, plan, i - first, pair);
      if (hold (d, &held, pair, error) || find (&p, d, held.fixed, search, &found, error))
        return error->code;
      pose = join ? rigid_join (found, pose) : found;
    }
    const rotate_args turn = {.angle = degrees (pose.angle), .x = pose.x, .y = pose.y};
    memcpy (moves + i * REGISTER_MOVES, (double[]){pose.x, pose.y, turn.angle}, REGISTER_MOVES * sizeof *moves);
    maps[i] = rotate_map_of (&turn, grid, grid);
  }
  return FV_OK;
}
