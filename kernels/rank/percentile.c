/* SPDX-License-Identifier: MIT
 *
 * percentile: out(p) = number n percentile / 100, from 0 and rounded down, of the n pixels in the footprint around p, sorted.
 * Border, NaN rule, reference and all of the code: rank.h.
 */
#include "kernels/rank/rank.h"

static const fv_param params[] = {
  {FV_FIELD (neighborhood_args, percentile), .label = "Percentile", .unit = "%", .max = 100, .def = 50,
   .help = "How much of the footprint is to be darker: 0 is the minimum, 50 the median, 100 the maximum."},
  NEIGHBORHOOD_FOOTPRINT (FOOTPRINT_DISK, 2),
  NEIGHBORHOOD_BORDER,
  NEIGHBORHOOD_VOLUME,
  {0}};

const fv_op fv_op_percentile = {
  RANK_OP (RANK_PERCENTILE, params),
  .key = "percentile",
  .label = "Percentile...",
  .search = "rank filter quantile order statistic",
  .help = "Replaces each pixel by a percentile over the footprint around it (NaN where it holds one).",
  .values = FV_VALUES_SAME,
};
