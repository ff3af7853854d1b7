/* SPDX-License-Identifier: MIT
 */
#include "kernels/geometry/register_plan.h"

static int64_t
depth_of (const fv_grid *g)
{
  return g->shape[0] / (g->channels * g->frames);
}

/* A power of two; the next smaller one where little is lost, for it is four times faster. */
static int64_t
length_of (int64_t size)
{
  int64_t n = REGISTER_LEAST;
  while (n < size && n < REGISTER_MOST)
    n *= 2;
  return n > REGISTER_LEAST && n >= size && n / 2 >= size - size / 8 ? n / 2 : n;
}

register_plan
register_plan_of (const register_args *a, const fv_grid *in)
{
  const int64_t depth = depth_of (in);
  register_plan p = {.count = in->frames, .step = in->channels * depth, .depth = depth};
  if (a->axis == REGISTER_SLICES) {
    p.count = depth;
    p.step = p.depth = 1;
  }
  for (int axis = 0; axis < 2; axis++) {
    const int64_t n = in->shape[1 + axis];
    p.length[axis] = length_of (n);
    p.size[axis] = n < p.length[axis] ? n : p.length[axis];
    p.start[axis] = (n - p.size[axis]) / 2;
  }
  return p;
}

int64_t
register_first (const fv_call *call)
{
  return call->inputs[1] ? 0 : 1;
}

void
register_pair (const fv_call *call, const register_plan *plan, int64_t k, register_view pair[2])
{
  const register_args *a = call->args;
  const fv_array *image = call->inputs[0], *reference = call->inputs[1];
  const int64_t first = a->channel * depth_of (image->grid);
  if (reference) {
    const int64_t depth = depth_of (reference->grid), channel = reference->grid->channels > 1 ? a->channel : 0;
    pair[0] = (register_view){reference, channel * depth, depth};
    pair[1] = (register_view){image, first + k * plan->step, plan->depth};
  } else {
    pair[0] = (register_view){image, first + (a->to == REGISTER_FIRST ? 0 : k) * plan->step, plan->depth};
    pair[1] = (register_view){image, first + (k + 1) * plan->step, plan->depth};
  }
}
