/* SPDX-License-Identifier: MIT
 *
 * What a formula asks of images and makes of them, and the strides by which it is computed.
 */
#include "kernels/expression/expression_job.h"

#include "kernels/common/alike.h"

/* ---- What the formula says of the operation ---- */

static bool
parse (const fv_op *op, const void *args, expression_program *program)
{
  expression_settings s;
  fv_error error = FV_ERROR_INIT;
  expression_read (op, args, NULL, &s);
  return !expression_parse (s.text, s.names, "expression", program, &error);
}

fv_grain
expression_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME;
}

/* A part does not know its coordinates, sizes and times in the image; formulas that use them get the whole image. */
void
expression_halo (const fv_op *op, const void *args, const fv_grid *input, int64_t halo[3])
{
  expression_program p;
  halo[0] = halo[1] = halo[2] = 0;
  if (!parse (op, args, &p))
    return;
  (void) input;
  halo[0] = p.coordinates[COORDINATE_Z] || p.coordinates[COORDINATE_CHANNEL] || p.time ? INT64_MAX : 0;
  halo[1] = p.coordinates[COORDINATE_Y] ? INT64_MAX : p.reach_y;
  halo[2] = p.coordinates[COORDINATE_X] ? INT64_MAX : p.reach_x;
}

double
expression_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  enum { SLOW = 20 }; /* a mathematical function beside a sum */
  expression_program p;
  double sum = 0;
  (void) in;
  if (!parse (op, args, &p))
    return 1;
  for (int i = 0; i < p.n; i++)
    if (p.used[i] && !p.values[i].uniform && p.values[i].kind == VALUE_FUNCTION)
      sum += p.values[i].which >= FN_power ? SLOW : 1;
  return sum + 1;
}

/* IEEE 754 says what sums, products, quotients, roots and remainders are; the other functions are the compiler's. */
static bool
is_defined (int32_t function)
{
  return function < FN_power || function == FN_mod || function == FN_floor_divide || function == FN_fmod;
}

bool
expression_exact (const fv_op *op, const void *args, const fv_grid *const *in)
{
  expression_program p;
  bool exact = parse (op, args, &p);
  (void) in;
  for (int i = 0; exact && i < p.n; i++)
    exact = !p.used[i] || p.values[i].uniform || p.values[i].kind != VALUE_FUNCTION || is_defined (p.values[i].which);
  return exact;
}

/* ---- What comes out ---- */

static fv_type
output_type (expression_output output, fv_type working, fv_type first, bool mask)
{
  static const fv_type types[] = {
    [OUTPUT_U8] = FV_U8, [OUTPUT_U16] = FV_U16, [OUTPUT_I32] = FV_I32, [OUTPUT_F32] = FV_F32, [OUTPUT_F64] = FV_F64};
  return output == OUTPUT_AUTO ? (mask ? FV_U8 : working) : output == OUTPUT_SAME ? first : types[output];
}

static bool
is_wide (fv_type type)
{
  return type == FV_I32 || type == FV_F64;
}

/* Parses, and says in which type is computed and whether the result is a mask. */
static fv_status
prepare (const expression_settings *s, const fv_grid *const *in, expression_program *p, fv_type *working, bool *mask,
         fv_error *error)
{
  fv_status status = expression_parse (s->text, s->names, "expression", p, error);
  bool wide = s->output == OUTPUT_F64 || s->output == OUTPUT_I32;
  for (int i = 0; i < s->names->n_inputs && !status; i++) {
    if (!p->inputs[i])
      continue;
    if (!in[i])
      return fail (error, FV_BAD_INPUT, s->names->inputs[i], "The expression uses %s, which is not given.",
                   s->names->inputs[i]);
    status = check_alike (in[i], s->names->inputs[i], in[0], "the first image", ALIKE_OR_ONE, error);
    wide = wide || is_wide (in[i]->type);
  }
  if (status)
    return status;
  *working = wide ? FV_F64 : FV_F32;
  *mask = p->values[p->result].truth && s->output == OUTPUT_AUTO;
  return FV_OK;
}

fv_status
expression_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  expression_program p;
  expression_settings s;
  fv_type working;
  bool mask;
  expression_read (op, args, in[0], &s);
  fv_status status = prepare (&s, in, &p, &working, &mask, error);
  if (status)
    return status;
  out[0]->type = output_type (s.output, working, in[0]->type, mask);
  out[0]->role = mask ? FV_MASK : s.output == OUTPUT_SAME && in[0]->role == FV_RGB ? FV_RGB : FV_IMAGE;
  out[0]->dense = false;
  return FV_OK;
}

/* ---- A call ---- */

static expression_array
array_of (const fv_array *a, const fv_grid *image)
{
  const fv_grid *g = a->grid;
  int64_t depth = grid_depth (g), plane = a->tensor.strides[0];
  return (expression_array){a->tensor.data, g->type, g->channels == 1 && image->channels > 1 ? 0 : plane * depth,
                            depth == 1 ? 0 : plane, a->tensor.strides[1]};
}

static bool
is_dense (const expression_array *a, const expression_job *j)
{
  return !a->data
         || (a->row == j->columns && (a->plane == j->rows * j->columns || j->depth == 1)
             && (a->channel == j->depth * j->rows * j->columns || j->channels == 1));
}

/* Everything as one row, where nothing asks where a pixel is. */
static void
flatten (expression_job *j)
{
  bool flat = is_dense (&j->out, j) && !j->program.reach_x && !j->program.reach_y;
  for (int i = 0; i < COORDINATES; i++)
    flat = flat && !j->program.coordinates[i];
  for (int i = 0; i < j->settings.names->n_inputs; i++)
    flat = flat && is_dense (&j->inputs[i], j);
  j->flat = flat;
  if (!flat)
    return;
  j->columns *= j->rows * j->depth * j->channels;
  j->rows = j->depth = j->channels = 1;
}

fv_status
expression_begin (const fv_call *call, expression_job *j, fv_error *error)
{
  const fv_grid *in[EXPRESSION_INPUTS] = {NULL}, *image = call->inputs[0]->grid;
  memset (j, 0, sizeof *j);
  expression_read (call->op, call->args, image, &j->settings);
  for (int i = 0; i < j->settings.names->n_inputs; i++)
    in[i] = call->inputs[i] ? call->inputs[i]->grid : NULL;
  if (prepare (&j->settings, in, &j->program, &j->working, &j->mask, error))
    return error->code;
  j->channels = image->channels, j->depth = grid_depth (image), j->rows = image->shape[1];
  j->columns = image->shape[2];
  expression_uniforms (&j->program, j->settings.params,
                       (double[EXTENTS]){(double) j->columns, (double) j->rows, (double) j->depth, (double) j->channels,
                                         (double) call->frames, (double) call->frame},
                       j->uniforms);
  for (int i = 0; i < j->settings.names->n_inputs; i++)
    if (j->program.inputs[i])
      j->inputs[i] = array_of (call->inputs[i], image);
  j->out = array_of (call->outputs[0], image);
  flatten (j);
  return FV_OK;
}
