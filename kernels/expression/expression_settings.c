/* SPDX-License-Identifier: MIT
 */
#include "kernels/expression/expression_settings.h"
#include "kernels/common/own_slot.h"

static const expression_names names = {4, EXPRESSION_SLIDERS, {"a", "b", "c", "d"}, {"p", "q", "r", "s"}};

static void
read_made (const fv_op *op, const void *args, const fv_grid *image, expression_settings *s)
{
  const expression_formula *f = op->user;
  if (f->read) {
    f->read (args, image, s);
    return;
  }
  *s = (expression_settings){f->text, &f->names, {0}, (border) f->border, f->value, (expression_output) f->output};
  for (int i = 0; i < f->names.n_params; i++)
    s->params[i] = own_number (op, args, i);
}

void
expression_read (const fv_op *op, const void *args, const fv_grid *image, expression_settings *s)
{
  const expression_args *a = args;
  if (op->user) {
    read_made (op, args, image, s);
    return;
  }
  *s = (expression_settings){a->expression, &names, {a->p, a->q, a->r, a->s}, a->border, a->value, a->output};
}

const fv_choice expression_borders[] = {BORDER_CHOICES, {0}};

const fv_choice expression_outputs[] = {{"auto", "Float or mask",
                                         "32-bit float, 64-bit when an image has 64 bits or 32-bit integers; a mask of "
                                         "what is true or false."},
                                        {"same", "Like image a", "The type of the first image, rounded to nearest."},
                                        {"u8", "8-bit", "Integers from 0 to 255, rounded to nearest."},
                                        {"u16", "16-bit", "Integers from 0 to 65535, rounded to nearest."},
                                        {"i32", "32-bit integers", "Integers, rounded to nearest."},
                                        {"f32", "32-bit float", "32-bit float."},
                                        {"f64", "64-bit float", "64-bit float, and so computed."},
                                        {0}};
