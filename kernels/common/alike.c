/* SPDX-License-Identifier: MIT */
#include "kernels/common/alike.h"

static bool
is_alike (const fv_grid *a, const fv_grid *b, alike_rule rule)
{
  const int64_t planes = grid_depth (a), of = grid_depth (b);
  const bool alike = planes == of && a->channels == b->channels;
  if (a->shape[1] != b->shape[1] || a->shape[2] != b->shape[2])
    return false;
  switch (rule) {
  case ALIKE_IN_CHANNEL: return planes == of;
  case ALIKE_OR_ONE_PLANE: return alike || a->shape[0] == 1;
  case ALIKE_OR_ONE: return (planes == of || planes == 1) && (a->channels == b->channels || a->channels == 1);
  default: return alike;
  }
}

fv_status
check_alike (const fv_grid *input, const char *key, const fv_grid *image, const char *name, alike_rule rule,
             fv_error *error)
{
  static const char *const needs[] = {"columns, rows, planes and channels must be equal",
                                      "columns, rows and planes must be equal",
                                      "columns, rows, planes and channels must be equal, or it must have one plane",
                                      "columns and rows must be equal, planes and channels too or 1"};
  if (!input || is_alike (input, image, rule))
    return FV_OK;
  return fail (error, FV_BAD_INPUT, key, "It is %lld x %lld x %lld x %lld, %s %lld x %lld x %lld x %lld; %s.",
               (long long) input->shape[2], (long long) input->shape[1], (long long) grid_depth (input),
               (long long) input->channels, name, (long long) image->shape[2], (long long) image->shape[1],
               (long long) grid_depth (image), (long long) image->channels, needs[rule]);
}
