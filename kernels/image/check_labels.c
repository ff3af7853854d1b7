/* SPDX-License-Identifier: MIT
 *
 * check_labels: what the host asks before it takes an image as labels.
 */
#include "kernels/image/check_labels.h"

/* The first pixel of a row that is not a label, or n. */
#define DEFINE_FIRST(NAME, T)                                                                                          \
  VECTORISED static int64_t count_##NAME (const T *v, int64_t n)                                                       \
  {                                                                                                                    \
    int64_t odd = 0;                                                                                                   \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      odd += !is_label ((double) v[i]);                                                                                \
    return odd;                                                                                                        \
  }                                                                                                                    \
                                                                                                                       \
  static int64_t first_##NAME (const void *row, int64_t n)                                                             \
  {                                                                                                                    \
    const T *v = row;                                                                                                  \
    int64_t i = count_##NAME (v, n) ? 0 : n;                                                                           \
    while (i < n && is_label ((double) v[i]))                                                                          \
      i++;                                                                                                             \
    return i;                                                                                                          \
  }
DEFINE_FIRST (u8, uint8_t)
DEFINE_FIRST (u16, uint16_t)
DEFINE_FIRST (i32, int32_t)
DEFINE_FIRST (f32, float)
DEFINE_FIRST (f64, double)

static int64_t
first_in_plane (const fv_array *in, int64_t plane, progress *p)
{
  int64_t rows = array_rows (in), n = array_columns (in), first = INT64_MAX;

#pragma omp parallel for schedule(static, 64) reduction(min : first)
  for (int64_t y = 0; y < rows; y++) {
    int64_t x = n;
    if (progress_stopped (p))
      continue;
    if (first == INT64_MAX)
      WITH_TYPE (in->grid->type, x = first, array_row (in, plane, y), n)
    if (x < n)
      first = y * n + x;
    progress_step (p, 1);
  }
  return first;
}

static fv_status
check_labels_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  int64_t planes = array_planes (in), n = array_columns (in);
  progress p = {call, .total = planes * array_rows (in)};
  for (int64_t plane = 0; plane < planes && !p.stop; plane++) {
    double *result = call->scalars + CHECK_SCALARS * plane;
    int64_t first = first_in_plane (in, plane, &p);
    bool any = first != INT64_MAX;
    result[CHECK_PIXEL] = any ? (double) first : -1;
    result[CHECK_VALUE] = any ? pixel_get (array_row (in, plane, first / n), in->grid->type, first % n) : 0;
  }
  return p.stop ? cancelled (error) : FV_OK;
}

const fv_op fv_op_check_labels = {
  FV_OP (char), /* there are no arguments */
  .key = "check_labels",
  .label = "Check Labels",
  .help = "Finds the first pixel that is not a label, an integer from 0 to 2147483647.",
  .kind = FV_TABLE,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .scalars =
    (const fv_scalar[]){
      {"pixel", "Pixel", "Row times columns plus column of the first one in the plane, or -1.", FV_COLUMN_INTEGER},
      {"value", "Value", "What is there.", FV_COLUMN_FLOAT},
      {0}},
  .run = {[FV_CPU] = check_labels_cpu, [FV_CUDA] = FV_CUDA_FN (check_labels_cuda)},
};
