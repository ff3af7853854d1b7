/* SPDX-License-Identifier: MIT
 *
 * pieces: the CPU version. The operation label finds and drops pieces; pixels without a label become 0.
 */
#include "kernels/morphology/pieces.h"

#include "kernels/label/planes.h"

const fv_input pieces_inputs[] = {
  {"image", "Image", "A mask or a label image; in other images an object is what is connected and has one value.",
   FV_ANY_TYPE, false},
  {0}};

const fv_output pieces_outputs[] = {{"image", "Image"}, {0}};

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
  return label_n_groups (in[0], args) * (int64_t) sizeof (double) + fv_op_label.scratch (&fv_op_label, args, in);
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

/* Adds the runs that are kept to a row of zeros. */
static void
keep_row (const plane_group *s, int64_t row)
{
  size_t bytes = s->pixel_bytes;
  const char *from = group_pixels (s, row);
  char *to = array_row (s->out, s->first + row / s->rows, row % s->rows);
  memset (to, 0, (size_t) s->columns * bytes);
  for (label_run run = label_first_run (s, row); label_next_run (s, row, &run);)
    if (run.label)
      memcpy (to + (size_t) run.from * bytes, from + (size_t) run.from * bytes, (size_t) (run.to - run.from) * bytes);
}

static void
keep_rows (const plane_group *s, int64_t from, int64_t to)
{
  for (int64_t row = from; row < to; row++)
    keep_row (s, row);
}

fv_status
pieces_cpu (const fv_call *call, fv_error *error)
{
  const label_args args = pieces_args (call);
  double *counts;
  fv_status status = call->host->scratch (call, (size_t) label_n_groups (call->inputs[0]->grid, &args) * sizeof *counts,
                                          (void **) &counts, error);
  return status ? status : label_planes (call, call->inputs[0], call->outputs[0], &args, counts, keep_rows, error);
}
