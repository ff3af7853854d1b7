/* SPDX-License-Identifier: MIT
 *
 * pieces: the CPU version. The operation label finds and drops pieces; pixels without a label become 0.
 */
#include "kernels/morphology/pieces.h"

#include "kernels/common/inner_call.h"

const fv_input pieces_inputs[] = {
  {"image", "Image", "A mask or a label image; in other images an object is what is connected and has one value.",
   FV_ANY_TYPE, false},
  {0}};

const fv_output pieces_outputs[] = {{"image", "Image"}, {0}};

/* ---- Labels ---- */

static int64_t
groups_of (const fv_grid *image, const label_args *args)
{
  return args->volume ? 1 : image->shape[0];
}

int64_t
pieces_find_bytes (const fv_grid *image, const label_args *args)
{
  return groups_of (image, args) * (int64_t) sizeof (double)
         + image->shape[0] * image->shape[1] * image->shape[2] * (int64_t) sizeof (int32_t)
         + fv_op_label.scratch (&fv_op_label, args, &image);
}

fv_status
pieces_find (const fv_call *call, fv_device_kind kind, const fv_array *image, const label_args *args,
             piece_labels *labels, fv_error *error)
{
  int64_t planes = array_planes (image), rows = array_rows (image), columns = array_columns (image);
  int64_t groups = groups_of (image->grid, args);
  double *counts;
  fv_status status =
    call->host->scratch (call, (size_t) groups * sizeof *counts + (size_t) (planes * rows * columns) * sizeof (int32_t),
                         (void **) &counts, error);
  if (status)
    return status;
  labels->grid = *image->grid;
  labels->grid.type = FV_I32;
  labels->grid.role = FV_LABELS;
  labels->strides[0] = rows * columns;
  labels->strides[1] = columns;
  labels->strides[2] = 1;
  labels->array = (fv_array){image->size, &labels->grid, image->tensor};
  labels->array.tensor.data = counts + groups;
  labels->array.tensor.dtype = (DLDataType){kDLInt, 32, 1};
  labels->array.tensor.strides = labels->strides;
  return run_inner (call, kind, &fv_op_label, args, (const fv_array *[]){image}, (const fv_array *[]){&labels->array},
                    counts, error);
}

fv_status
pieces_check (const label_args *args, const fv_grid *const *in, const fv_grid *out, fv_error *error)
{
  fv_grid labels = *out;
  return fv_op_label.infer (&fv_op_label, args, in, (fv_grid *[]){&labels}, error);
}

/* ---- Declaration ---- */

fv_grain
pieces_grain (const fv_op *op, const void *args)
{
  (void) op;
  return fv_op_label.grain (&fv_op_label, args);
}

int64_t
pieces_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op;
  return pieces_find_bytes (in[0], args);
}

fv_status
pieces_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op;
  out[0]->dense = false;
  return pieces_check (args, in, out[0], error);
}

label_args
pieces_args (const fv_call *call)
{
  label_args args = *(const label_args *) call->args;
  args.values = call->inputs[0]->grid->role == FV_MASK ? LABEL_NONZERO : LABEL_EQUAL;
  args.exclude_border = call->op->user != NULL;
  return args;
}

/* ---- The pixels ---- */

#define DEFINE_KEEP(T)                                                                                                 \
  VECTORISED static void keep_##T (T *restrict to, const T *restrict from, const int32_t *restrict labels, int64_t n)  \
  {                                                                                                                    \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      to[i] = labels[i] ? from[i] : 0;                                                                                 \
  }
DEFINE_KEEP (uint8_t)
DEFINE_KEEP (uint16_t)
DEFINE_KEEP (uint32_t)
DEFINE_KEEP (uint64_t)

static void
keep_row (void *to, const void *from, const int32_t *labels, size_t bytes, int64_t n)
{
  switch (bytes) {
  case 1: keep_uint8_t (to, from, labels, n); break;
  case 2: keep_uint16_t (to, from, labels, n); break;
  case 4: keep_uint32_t (to, from, labels, n); break;
  default: keep_uint64_t (to, from, labels, n);
  }
}

fv_status
pieces_cpu (const fv_call *call, fv_error *error)
{
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  int64_t rows = array_rows (in), lines = array_planes (in) * rows;
  label_args args = pieces_args (call);
  piece_labels labels;
  progress p = {call, .total = lines};
  fv_status status = pieces_find (call, FV_CPU, in, &args, &labels, error);
  if (status)
    return status;

#pragma omp parallel for schedule(static, 64)
  for (int64_t i = 0; i < lines; i++) {
    if (progress_stopped (&p))
      continue;
    keep_row (array_row (out, i / rows, i % rows), array_row (in, i / rows, i % rows),
              array_row (&labels.array, i / rows, i % rows), type_bytes (in->grid->type), array_columns (in));
    progress_step (&p, 1);
  }
  return p.stop ? cancelled (error) : FV_OK;
}
