/* SPDX-License-Identifier: MIT
 *
 * score: how well the objects that were found agree with the true ones. The IoU of a found and a true object is the number of pixels of both by that
 * of either. Two objects match at a threshold when their IoU is not below it. Thresholds are 1/2 or more, so that an object has one match at most.
 * Two halves of an object have an IoU of exactly 1/2 with it: the smaller label counts. With m matched of f found and t true objects:
 * - missed = t - m, extra = f - m, precision = m / f, recall = m / t, f1 = 2 m / (f + t), ap = m / (f + t - m).
 * - mean_iou: of those that match.
 * - merged: found objects that have more than half of each of two or more true ones. split: true objects that have more than half of each of two
 * or more found ones.
 * What would be 0 / 0 is NaN. Thresholds are twentieths, so that comparisons are of integers.
 */
#ifndef KERNELS_OBJECTS_SCORE_H
#define KERNELS_OBJECTS_SCORE_H

#include "kernels/regions/regions.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCORE_FOUND, SCORE_TRUTH }; /* inputs */

typedef enum score_rows { SCORE_THRESHOLDS, SCORE_SUMMARY } score_rows;

typedef struct score_args {
  int32_t rows; /* score_rows */
  bool volume;
} score_args;

/* Of either image; in the order of planes, then labels; in a volume of labels. */
typedef struct score_object {
  int64_t pixels;
  int32_t z, label;
} score_object;

/* A found and a true object, by their indices, that share pixels. */
typedef struct score_pair {
  int64_t shared;
  int32_t found, truth;
} score_pair;

/* Pairs are in the order of the found, then of the true objects. All in host memory. */
typedef struct score_counts {
  score_object *found, *truth;
  score_pair *pairs;
  int64_t n_found, n_truth, n_pairs;
} score_counts;

/* Makes the table that the call asks for, on any device. */
fv_status score_table (const fv_call *call, const score_counts *counts, fv_error *error);

fv_status score_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
