/* SPDX-License-Identifier: MIT
 */
#include "kernels/rank/rank_kind.h"

int64_t
rank_of (const fv_op *op, const neighborhood_args *a, int64_t n)
{
  switch ((rank_kind) (intptr_t) op->user) {
  case RANK_MINIMUM: return 0;
  case RANK_MAXIMUM: return n - 1;
  case RANK_MEDIAN: return n / 2;
  default: return a->percentile < 100 ? (int64_t) ((double) n * a->percentile / 100) : n - 1;
  }
}
