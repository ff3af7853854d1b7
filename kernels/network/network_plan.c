/* SPDX-License-Identifier: MIT
 *
 * Where tensors lie: each at the first gap among those that are needed at the same time.
 */
#include "kernels/network/network.h"

static int64_t
floats_of (const network *net, const network_plan *plan, int tensor)
{
  const network_view v = network_shape_of (net, plan, tensor);
  return (v.channels * v.plane + NETWORK_TAIL + 15) / 16 * 16;
}

static bool
meet (const network_tensor *one, const network_tensor *other)
{
  return one->written <= other->read && other->written <= one->read;
}

/* The first offset where the tensor meets no memory that is needed at the same time; tensors from `tensor` on have none yet. */
static int64_t
offset_of (const network *net, const network_plan *plan, int tensor)
{
  const int64_t size = floats_of (net, plan, tensor);
  int64_t at = 0;
  for (int i = 0; i < tensor; i++) {
    const network_tensor *other = &net->tensors[i];
    if (other->parent >= 0 || other->written < 0 || !meet (other, &net->tensors[tensor]))
      continue;
    const int64_t end = plan->at[i] + floats_of (net, plan, i);
    if (plan->at[i] < at + size && at < end) {
      at = end;
      i = -1; /* from the beginning */
    }
  }
  return at;
}

network_plan
network_plan_of (const network *net, int64_t rows, int64_t columns)
{
  network_plan plan = {.rows = rows, .columns = columns};
  for (int i = 0; i < net->n_tensors; i++)
    if (net->tensors[i].parent < 0 && net->tensors[i].written >= 0) {
      plan.at[i] = offset_of (net, &plan, i);
      const int64_t end = plan.at[i] + floats_of (net, &plan, i);
      plan.floats = end > plan.floats ? end : plan.floats;
    }
  for (int i = 0; i < net->n_tensors; i++) {
    int root = i;
    int64_t first = 0;
    for (; net->tensors[root].parent >= 0; root = net->tensors[root].parent)
      first += net->tensors[root].first;
    plan.at[i] = plan.at[root] + first * network_shape_of (net, &plan, root).plane;
  }
  return plan;
}
