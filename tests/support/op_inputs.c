/* SPDX-License-Identifier: MIT
 */
#include "tests/support/op_inputs.h"

#include "core/call/grid.h"
#include "core/ops/args.h"
#include "tests/support/support.h"

#include <string.h>

enum { MAX_PIXELS = 1 << 22 };
static const double MAX_WORK = 3e8;

/* Whether its defaults take a first input of so many channels. */
static gboolean
takes_channels (const Op *op, gint64 channels)
{
  const fv_type type = op->fv.inputs[0].types & FV_FLOATS ? FV_F32 : FV_I32;
  Image *inputs[OP_INPUTS] = {image_random (type, FV_IMAGE, channels, 1, 16, 16, 1)};
  ImageInfo infos[OP_MAX_ARRAYS] = {{0}};
  g_autofree gpointer args = args_new (op, NULL);
  const gboolean takes = call_infer (op, args, inputs, infos, NULL);
  for (guint i = 0; takes && i < op->n_outputs; i++)
    image_info_clear (&infos[i]);
  image_unref (inputs[0]);
  return takes;
}

gint64
op_channels (const Op *op)
{
  static const gint64 others[] = {3, 33};
  for (gsize i = 0; i < G_N_ELEMENTS (others) && !takes_channels (op, 1); i++)
    if (takes_channels (op, others[i]))
      return others[i];
  return 1;
}

void
op_inputs_make (const Op *op, fv_type type, Size size, guint32 seed, Image **inputs)
{
  const gint64 channels = size.channels == 1 ? op_channels (op) : size.channels;
  for (guint i = 0; i < op->n_inputs; i++) {
    const fv_input *input = &op->fv.inputs[i];
    if (input->types & FV_WANTS_TABLE || !strcmp (input->key, "kernel")) /* which differs from the first image */
      continue;
    fv_type t = i == 0 || input->types & type ? type
                : input->types & FV_U16       ? FV_U16
                : input->types & FV_I32       ? FV_I32
                                              : FV_U8;
    gboolean labels =
      i == 0 ? !(input->types & FV_FLOATS) : !strcmp (input->key, "overlay") && !(input->types & FV_FLOATS);
    inputs[i] =
      image_random (t, labels ? FV_LABELS : FV_IMAGE, channels, size.depth, size.rows, size.columns, seed + i);
  }
}

void
op_inputs_free (const Op *op, Image **inputs)
{
  for (guint i = 0; i < op->n_inputs; i++)
    image_unref (inputs[i]);
}

gboolean
op_output_is_huge (const Op *op, gconstpointer args, Image *const *inputs)
{
  ImageInfo infos[OP_MAX_ARRAYS] = {{0}};
  g_autoptr (GError) error = NULL;
  gboolean huge = FALSE;
  if (!call_infer (op, args, inputs, infos, &error))
    return error->code == FV_BAD_ARGUMENT; /* too large for the operation itself */
  for (guint i = 0; i < op->n_outputs; i++) {
    huge |= image_info_planes (&infos[i]) * infos[i].rows * infos[i].columns > MAX_PIXELS;
    image_info_clear (&infos[i]);
  }
  return huge;
}

gboolean
op_is_long (const Op *op, gconstpointer args, Image *const *inputs)
{
  fv_grid in[OP_INPUTS], out[OP_MAX_ARRAYS];
  const fv_grid *grids[OP_INPUTS] = {NULL};
  if (!op->fv.arithmetic || !call_grids (op, args, inputs, in, out, NULL))
    return FALSE;
  for (guint i = 0; i < op->n_inputs; i++)
    grids[i] = inputs[i] ? &in[i] : NULL;
  const ImageInfo *info = image_info (inputs[0]);
  double pixels = (double) (image_info_planes (info) * info->rows * info->columns);
  return op->fv.arithmetic (op->declared, args, grids) * pixels > MAX_WORK;
}
