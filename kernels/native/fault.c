/* SPDX-License-Identifier: MIT
 */
#include "kernels/native/fault.h"

static const char *
array_name (const kernel_plan *plan, int64_t array)
{
  if (array >= KERNEL_IMAGES)
    return plan->out.at[array - KERNEL_IMAGES].name;
  for (int k = 0;; k++)
    if (!plan->in.at[k].number && plan->array[k] == array)
      return plan->in.at[k].name;
}

fv_status
kernel_fault (const kernel_plan *plan, const kernel_task *task, const int64_t fault[FAULT_VALUES], fv_error *error)
{
  static const char *const things[] = {"elements", "planes", "rows", "columns"};
  const kernel_array *a = &task->arrays[fault[FAULT_ARRAY]];
  int64_t axis = fault[FAULT_AXIS], n;
  if (!fault[FAULT_FOUND])
    return FV_OK;
  n = axis < 0 ? a->shape[0] * a->shape[1] * a->shape[2] : a->shape[axis];
  return fail (error, FV_BAD_ARGUMENT, "operation", "Index %lld of %s is outside at i = %lld: it has %lld %s, from 0.",
               (long long) fault[FAULT_INDEX], array_name (plan, fault[FAULT_ARRAY]), (long long) fault[FAULT_I],
               (long long) n, things[axis + 1]);
}

fv_status
kernel_late (const kernel_settings *settings, fv_error *error)
{
  return fail (
    error, FV_BAD_ARGUMENT, "time_limit",
    "The kernel was ended after %g s, its time limit. If it does not loop endlessly, give time_limit more seconds, "
    "or 0 for no limit.",
    settings->code.time_limit);
}

fv_status
kernel_late_on_gpu (const kernel_settings *settings, fv_error *error)
{
  return fail (
    error, FV_DEVICE_FAULT, "time_limit",
    "The kernel still runs after %g s, its time limit, and on a GPU only the end of this program ends it. If it does "
    "not loop endlessly, give time_limit more seconds, or 0 for no limit.",
    settings->code.time_limit);
}
