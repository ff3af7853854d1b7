/* SPDX-License-Identifier: MIT
 *
 * All is known from declarations: an operation numbers objects when it has a switch `volume`, and makes an output `labels`, or says
 * itself (infer) what becomes of the labels that it takes. One that does not only moves labels, as expand does.
 */
#include "core/call/numbering.h"

#include "core/base/error.h"
#include "core/ops/args.h"

#include <string.h>

static gboolean
wants_labels (const Op *op, guint i)
{
  return i < op->n_inputs && op->fv.inputs[i].types & FV_WANTS_LABELS;
}

static gboolean
makes_labels (const Op *op, guint i)
{
  return !strcmp (op->fv.outputs[i].key, "labels");
}

gboolean
numbering_check (const Op *op, gconstpointer args, Image *const *inputs, GError **error)
{
  const gboolean volume = args_volume (op, args);
  const gboolean moves_only = !op->fv.infer && op->fv.kind != FV_TABLE;
  for (guint i = 0; i < op->n_inputs && args_volume_param (op); i++) {
    const ImageInfo *info = wants_labels (op, i) && inputs[i] ? image_info (inputs[i]) : NULL;
    if (!info || info->depth < 2 || info->role != FV_LABELS)
      continue;
    if (volume && info->numbering == NUMBERED_BY_PLANE) {
      step_error_set (error, FV_BAD_INPUT, op->fv.inputs[i].key,
                      "%s: the objects were labeled plane by plane, so the same label in two slices means two "
                      "objects, but volume=yes merges them. Label them as a volume with label volume=yes, or "
                      "set volume=no here.",
                      op->fv.key);
      return FALSE;
    }
    if (!volume && !moves_only && info->numbering == NUMBERED_BY_VOLUME) {
      step_error_set (error, FV_BAD_INPUT, op->fv.inputs[i].key,
                      "%s: the objects were labeled as a volume and extend through slices, but volume=no "
                      "treats each slice of an object as a separate object. Set volume=yes here too, or label "
                      "them plane by plane with label volume=no.",
                      op->fv.key);
      return FALSE;
    }
  }
  return TRUE;
}

ImageNumbering
numbering_of_output (const Op *op, gconstpointer args, guint i, const ImageInfo *first, const ImageInfo *output)
{
  const gboolean kept = first->role == FV_LABELS;
  if (output->role != FV_LABELS)
    return NUMBERED_UNKNOWN;
  if (args_volume_param (op) ? op->fv.infer && (makes_labels (op, i) || wants_labels (op, 0))
                             : makes_labels (op, i) && !kept)
    return output->depth > 1 && args_volume (op, args) ? NUMBERED_BY_VOLUME : NUMBERED_BY_PLANE;
  return kept ? first->numbering : NUMBERED_UNKNOWN;
}
