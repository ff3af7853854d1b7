/* SPDX-License-Identifier: MIT
 */
#include "core/ops/module_check_traits.h"

#include "core/ops/args.h"
#include "core/ops/module_check_text.h"

#include <string.h>

/* Parameters are numbers that may count pixels. */
#define NUMBERS (1u << FV_INT | 1u << FV_FLOAT)

/* A trait with what a declaration needs for it. Parts that are 0 or NULL are not needed. */
typedef struct {
  fv_trait trait;
  const char *name;
  fv_kind kind;
  guint32 wants;         /* bits of the types of the first input */
  const char *inputs[3]; /* keys of the others, in order */
  const char *params[5]; /* keys */
  guint32 types;         /* bits 1 << fv_param_type that these may have */
  const char *scalar;
  gboolean outputs;
} Trait;

static const Trait traits[] = {
  {FV_MEASURES_OBJECTS, "FV_MEASURES_OBJECTS", .kind = FV_TABLE, .wants = FV_WANTS_LABELS},
  {FV_EDITS_LABELS, "FV_EDITS_LABELS", .wants = FV_WANTS_LABELS, .params = {"commands"}, .types = 1u << FV_TEXT,
   .scalar = "missed", .outputs = TRUE},
  {FV_THRESHOLDS, "FV_THRESHOLDS", .scalar = "threshold", .outputs = TRUE},
  {FV_PICKS_CHANNEL, "FV_PICKS_CHANNEL", .params = {"index"}, .types = 1u << FV_INT, .outputs = TRUE},
  {FV_CALIBRATES, "FV_CALIBRATES", .outputs = TRUE},
  {FV_ARRANGES_PLANES, "FV_ARRANGES_PLANES", .outputs = TRUE},
  {FV_COMPARES_CHANNELS, "FV_COMPARES_CHANNELS", .kind = FV_TABLE, .inputs = {"second", "mask"},
   .params = {"channel_a", "channel_b"}, .types = 1u << FV_INT},
  {FV_TAKES_BOX, "FV_TAKES_BOX", .params = {"x", "y", "width", "height"}, .types = NUMBERS},
  {FV_TAKES_SEGMENT, "FV_TAKES_SEGMENT", .params = {"x1", "y1", "x2", "y2"}, .types = NUMBERS},
  {FV_TAKES_POINT, "FV_TAKES_POINT", .params = {"x", "y"}, .types = NUMBERS},
  {FV_TAKES_LINE, "FV_TAKES_LINE", .params = {"points"}, .types = 1u << FV_MATRIX},
};

static gboolean
lacks (GError **error, const Trait *trait, const char *what, const char *key)
{
  return module_fault (error, "its trait %s needs %s%s%s%s", trait->name, what, key ? " '" : "", key ? key : "",
                       key ? "'" : "");
}

static gboolean
has_inputs (const Op *op, const Trait *trait, GError **error)
{
  if (trait->wants && !(op->n_inputs && op->fv.inputs[0].types & trait->wants))
    return lacks (error, trait, "labels as its first input", NULL);
  for (guint i = 0; trait->inputs[i]; i++) {
    const fv_input *input = i + 1 < op->n_inputs ? &op->fv.inputs[i + 1] : NULL;
    if (!input || strcmp (input->key, trait->inputs[i]) || !input->optional)
      return lacks (error, trait, "the next optional input", trait->inputs[i]);
  }
  return TRUE;
}

static gboolean
has_params (const Op *op, const Trait *trait, GError **error)
{
  for (const char *const *key = trait->params; *key; key++) {
    const fv_param *param = args_param (op, *key);
    if (!param || !(1u << param->type & trait->types))
      return lacks (error, trait, "a parameter of its type", *key);
  }
  return TRUE;
}

/* The histogram shows the first scalar of an operation that thresholds. */
static gboolean
has_scalar (const Op *op, const Trait *trait, GError **error)
{
  const guint n = trait->trait == FV_THRESHOLDS ? MIN (op->n_scalars, 1) : op->n_scalars;
  for (guint i = 0; trait->scalar && i < n; i++)
    if (!strcmp (op->fv.scalars[i].key, trait->scalar))
      return TRUE;
  return !trait->scalar || lacks (error, trait, "the scalar", trait->scalar);
}

static gboolean
check_trait (const Op *op, const Trait *trait, GError **error)
{
  if (trait->kind && op->fv.kind != trait->kind)
    return lacks (error, trait, "a table", NULL);
  if (trait->outputs && !op->n_outputs)
    return lacks (error, trait, "an output", NULL);
  return has_inputs (op, trait, error) && has_params (op, trait, error) && has_scalar (op, trait, error);
}

gboolean
module_check_traits (const Op *op, GError **error)
{
  guint32 known = 0;
  for (guint i = 0; i < G_N_ELEMENTS (traits); i++) {
    known |= traits[i].trait;
    if (op->fv.traits & traits[i].trait && !check_trait (op, &traits[i], error))
      return FALSE;
  }
  return !(op->fv.traits & ~known) || module_fault (error, "its traits have unknown bits");
}
