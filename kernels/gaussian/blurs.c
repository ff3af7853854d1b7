/* SPDX-License-Identifier: MIT
 *
 * blurs: the shared part of the declarations, and sums on the CPU.
 */
#include "kernels/gaussian/blurs.h"

#include "kernels/common/inner_call.h"

/* ---- Declarations ---- */

const fv_input blurs_inputs[] = {{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}};
const fv_choice blurs_units[] = {{"pixel", "Pixels", "Sigma is in pixels."},
                                 {"physical", "Scaled units", "Sigma is in the unit of the image's pixel size."},
                                 {0}};

fv_grain
blurs_grain (const fv_op *op, const void *args)
{
  (void) op;
  return fv_op_gaussian.grain (&fv_op_gaussian, args);
}

void
blurs_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  (void) op;
  fv_op_gaussian.halo (&fv_op_gaussian, args, input, halo);
}

fv_status
blurs_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  return fv_op_gaussian.infer (&fv_op_gaussian, args, in, out, error);
}

static fv_type
blurred_type (const fv_grid *in)
{
  return in->type == FV_F64 ? FV_F64 : FV_F32;
}

int64_t
blurs_scratch (const blurs_term *terms, int n, int kept, const fv_grid *const *in)
{
  int64_t bytes = in[0]->shape[0] * in[0]->shape[1] * in[0]->shape[2] * (int64_t) type_bytes (blurred_type (in[0]));
  bytes *= kept;
  for (int i = 0; i < n; i++)
    bytes += fv_op_gaussian.scratch (&fv_op_gaussian, &terms[i].blur, in);
  return bytes;
}

double
blurs_arithmetic (const blurs_term *terms, int n, const fv_grid *const *in)
{
  double products = 0;
  for (int i = 0; i < n; i++)
    products += fv_op_gaussian.arithmetic (&fv_op_gaussian, &terms[i].blur, in);
  return products;
}

/* ---- The work ---- */

fv_status
blurs_room (const fv_call *call, scratch_image *to, fv_error *error)
{
  const fv_array *in = call->inputs[0];
  return scratch_image_take (call, in, blurred_type (in->grid), FV_IMAGE, to, error);
}

fv_status
blurs_make (const fv_call *call, fv_device_kind kind, const gaussian_args *blur, const fv_array *to, fv_error *error)
{
  return run_inner (call, kind, &fv_op_gaussian, blur, call->inputs, &to, NULL, error);
}

#define DEFINE_ADD(NAME, T)                                                                                            \
  VECTORISED static void NAME (T *restrict to, T own, const T *restrict from, T weight, int64_t n)                     \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = own * to[i] + weight * from[i];                                                                          \
  }
DEFINE_ADD (add_f32, float)
DEFINE_ADD (add_f64, double)

static void
add (const fv_array *to, double own, const fv_array *from, double weight)
{
  int64_t planes = array_planes (to), rows = array_rows (to), n = array_columns (to);
  bool wide = to->grid->type == FV_F64;
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t z = 0; z < planes; z++)
    for (int64_t y = 0; y < rows; y++)
      if (wide)
        add_f64 (array_row (to, z, y), own, array_row (from, z, y), weight, n);
      else
        add_f32 (array_row (to, z, y), (float) own, array_row (from, z, y), (float) weight, n);
}

fv_status
blurs_sum_cpu (const fv_call *call, const blurs_term *terms, int n, fv_error *error)
{
  const fv_array *out = call->outputs[0];
  scratch_image more;
  if (blurs_make (call, FV_CPU, &terms[0].blur, out, error) || blurs_room (call, &more, error))
    return error->code;
  for (int i = 1; i < n; i++) {
    if (blurs_make (call, FV_CPU, &terms[i].blur, &more.array, error))
      return error->code;
    add (out, i == 1 ? terms[0].weight : 1, &more.array, terms[i].weight);
  }
  return FV_OK;
}
