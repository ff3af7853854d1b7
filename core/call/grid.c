/* SPDX-License-Identifier: MIT
 *
 * From images to the grids that a plugin sees, and from inferred grids to images.
 */
#include "core/call/grid.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/args.h"
#include "core/call/check.h"
#include "core/call/numbering.h"
#include "core/call/positions.h"
#include "core/call/wants.h"
#include "core/base/units.h"
#include "core/data/pixel_type.h"

#include <string.h>

/* The image for an operation without inputs. */
static const ImageInfo nothing = {.type = FV_U8,
                                  .frames = 1,
                                  .channels = 1,
                                  .depth = 1,
                                  .rows = 1,
                                  .columns = 1,
                                  .spacing = {1, 1, 1},
                                  .units = {(char *) "", (char *) "", (char *) ""}};

const ImageInfo *
call_first (const Op *op, Image *const *inputs)
{
  return op->n_inputs && inputs[0] ? image_info (inputs[0]) : &nothing;
}

fv_grain
call_grain (const Op *op, gconstpointer args)
{
  if (!op->n_inputs)
    return FV_FRAME;
  return op->fv.grain ? op->fv.grain (op->declared, args) : FV_PLANES;
}

gint64
call_groups (fv_grain grain, const ImageInfo *info)
{
  return grain == FV_PLANES || grain == FV_SERIES ? 1
         : grain == FV_STACK                      ? info->frames * info->channels
                                                  : info->frames;
}

/* What one group of an image is. Lengths come in the unit of x; where one of its axes has none that x's can be compared with, in pixels. */
static void
grid_of (fv_grid *grid, const ImageInfo *info, fv_grain grain, gboolean volume)
{
  const gboolean scaled = image_info_has_scale (info, volume && info->depth > 1);
  const char *unit = scaled ? info->units[2] : "";
  *grid = (fv_grid){
    .size = sizeof *grid,
    .type = info->type,
    .role = info->role,
    .channels = grain >= FV_FRAME ? info->channels : 1,
    .shape = {image_info_planes (info) / call_groups (grain, info), info->rows, info->columns},
    .dense = info->dense,
    .channel_names = grain >= FV_FRAME ? (const char *const *) info->channel_names : NULL,
    .frames = grain == FV_SERIES ? info->frames : 1,
  };
  text_copy (grid->unit, unit, sizeof grid->unit);
  for (int axis = 0; axis < 3; axis++) {
    double factor = units_factor (info->units[axis], unit);
    grid->spacing[axis] = scaled ? info->spacing[axis] * (factor > 0 ? factor : 1) : 1;
  }
}

/* An axis with a unit of its own keeps it, as one without, unless the operation gives a new one to all or calibrates. */
static void
set_spacing (ImageInfo *out, const fv_grid *grid, const ImageInfo *in, const fv_grid *before, const Op *op)
{
  const gboolean new_unit = strcmp (grid->unit, before->unit) != 0 || op_has_trait (op, FV_CALIBRATES);
  for (int axis = 0; axis < 3; axis++) {
    gboolean same_unit = before->spacing[axis] == in->spacing[axis];
    out->spacing[axis] =
      new_unit || same_unit ? grid->spacing[axis] : in->spacing[axis] * (grid->spacing[axis] / before->spacing[axis]);
    if (new_unit) {
      g_free (out->units[axis]);
      out->units[axis] = units_normal (grid->unit);
    }
  }
}

/* The whole output image that groups like `grid` make up. */
static gboolean
info_of (ImageInfo *out, guint i, const fv_grid *grid, const ImageInfo *in, const Op *op, gconstpointer args,
         GError **error)
{
  const fv_grain grain = call_grain (op, args);
  fv_grid before;
  grid_of (&before, in, grain, args_volume (op, args));
  image_info_copy (out, in);
  out->type = grid->type;
  out->role = grid->role;
  out->dense = grid->dense;
  out->rows = grid->shape[1];
  out->columns = grid->shape[2];
  if (grain != FV_PLANES)
    out->depth = grid->shape[0] / (grid->channels * grid->frames);
  if (grain == FV_SERIES)
    out->frames = grid->frames;
  if (grain >= FV_FRAME && (grid->channels != in->channels || grid->channel_names != before.channel_names)) {
    out->channels = grid->channels;
    g_strfreev (out->channel_names);
    out->channel_names = g_new0 (char *, grid->channels + 1);
    for (gint64 i = 0; i < grid->channels; i++)
      out->channel_names[i] = g_strdup (grid->channel_names && grid->channel_names[i] ? grid->channel_names[i] : "");
    g_clear_pointer (&out->channel_colors, g_free);
  }
  if (grid->type != in->type || grid->role != in->role || grid->channels != before.channels)
    g_clear_pointer (&out->display_ranges, g_free);
  if (grid->role != FV_IMAGE)
    out->inverted = FALSE;
  out->numbering = numbering_of_output (op, args, i, in, out);
  set_spacing (out, grid, in, &before, op);
  if (in == &nothing) {
    g_free (out->name);
    out->name = op_title (op);
  }
  g_clear_pointer (&out->source_type, g_free);
  if (image_info_check (out, error) && (grain != FV_PLANES || grid->shape[0] == before.shape[0]))
    return TRUE;
  if (error && !*error)
    step_error_set (error, FV_UNSUPPORTED, NULL, "%s changes the number of planes, which its grain does not allow.",
                    op->fv.key);
  image_info_clear (out);
  return FALSE;
}

static gboolean
check_input (const Op *op, guint i, const ImageInfo *info, const ImageInfo *first, fv_grain grain, GError **error)
{
  const fv_input *declared = &op->fv.inputs[i];
  if (!wants_type (declared, info)) {
    g_autofree char *takes = pixel_type_list (declared->types, FALSE);
    step_error_set (error, FV_BAD_INPUT, declared->key,
                    "%s: %s is %s, and must be of a type whose values %s holds: %s.", op->fv.key, declared->key,
                    pixel_type (info->type)->words, op->fv.key, takes);
    return FALSE;
  }
  if ((grain == FV_SERIES || info->frames == first->frames || info->frames == 1)
      && (grain >= FV_FRAME || info->channels == first->channels || (grain == FV_STACK && info->channels == 1))
      && (grain != FV_PLANES || image_info_planes (info) == image_info_planes (first)))
    return TRUE;
  step_error_set (error, FV_BAD_INPUT, declared->key,
                  "%s: %s has %" G_GINT64_FORMAT " channels, %" G_GINT64_FORMAT " slices and %" G_GINT64_FORMAT
                  " frames, which do not match the %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                  " of %s.",
                  op->fv.key, declared->key, info->channels, info->depth, info->frames, first->channels, first->depth,
                  first->frames, op->fv.inputs[0].key);
  return FALSE;
}

/* at: where the grid of each input is; what is not given is left alone. */
static gboolean
input_grids (const Op *op, gconstpointer args, Image *const *inputs, fv_grid *in, const fv_grid **at, GError **error)
{
  const fv_grain grain = call_grain (op, args);
  const gboolean volume = args_volume (op, args);
  for (guint i = 0; i < op->n_inputs; i++) {
    const fv_input *declared = &op->fv.inputs[i];
    if (declared->types & FV_WANTS_TABLE || (!inputs[i] && declared->optional))
      continue;
    if (!inputs[i]) {
      step_error_set (error, FV_BAD_INPUT, declared->key, "%s needs %s: name a step or an image with %s=...",
                      op->fv.key, declared->key, i ? declared->key : "from");
      return FALSE;
    }
    if (!check_input (op, i, image_info (inputs[i]), image_info (inputs[0]), grain, error))
      return FALSE;
    grid_of (&in[i], image_info (inputs[i]), grain, volume);
    wants_grid (declared, image_info (inputs[i]), &in[i]);
    at[i] = &in[i];
  }
  return numbering_check (op, args, inputs, error);
}

gboolean
call_grids (const Op *op, gconstpointer args, Image *const *inputs, fv_grid *in, fv_grid *out, GError **error)
{
  const fv_grid *in_at[OP_MAX_ARRAYS] = {NULL};
  fv_grid *out_at[OP_MAX_ARRAYS] = {NULL};
  fv_error fault = FV_ERROR_INIT;
  fv_grain grain = call_grain (op, args);
  fv_grid first;
  if ((guint) grain > FV_SERIES) {
    step_error_set (error, FV_UNSUPPORTED, NULL, "%s has the unknown grain %d.", op->fv.key, (int) grain);
    return FALSE;
  }
  if (!input_grids (op, args, inputs, in, in_at, error))
    return FALSE;
  grid_of (&first, call_first (op, inputs), grain, args_volume (op, args));
  if (in_at[0])
    first = in[0];
  for (guint i = 0; i < op->n_outputs; i++) {
    out[i] = first;
    out_at[i] = &out[i];
  }
  if (op->fv.infer && error_settle (op->fv.infer (op->declared, args, in_at, out_at, &fault), &fault)) {
    step_error_set_from_plugin (error, op->fv.key, &fault);
    return FALSE;
  }
  for (guint i = 0; i < op->n_outputs; i++)
    if (!call_check_grid (op, i, &out[i], &first, grain, error))
      return FALSE;
  return TRUE;
}

gboolean
call_infos (const Op *op, gconstpointer args, Image *const *inputs, const fv_grid *in, const fv_grid *out,
            ImageInfo *outputs, char **left, GError **error)
{
  g_autoptr (GString) lost = g_string_new (NULL);
  const fv_grid *grids[OP_MAX_ARRAYS] = {NULL};
  for (guint i = 0; i < op->n_inputs; i++)
    grids[i] = inputs[i] ? &in[i] : NULL;
  for (guint i = 0; i < op->n_outputs; i++) {
    const Positions positions = {op, args, inputs, grids, &out[i], i};
    if (!info_of (&outputs[i], i, &out[i], call_first (op, inputs), op, args, error)) {
      while (i--)
        image_info_clear (&outputs[i]);
      return FALSE;
    }
    positions_carry (&positions, &outputs[i], lost);
  }
  if (left)
    *left = lost->len ? g_strdup (lost->str) : NULL;
  return TRUE;
}

gboolean
call_infer (const Op *op, gconstpointer args, Image *const *inputs, ImageInfo *outputs, GError **error)
{
  fv_grid in[OP_MAX_ARRAYS], out[OP_MAX_ARRAYS];
  return call_grids (op, args, inputs, in, out, error) && call_infos (op, args, inputs, in, out, outputs, NULL, error);
}
