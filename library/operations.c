/* SPDX-License-Identifier: MIT
 *
 * Lists of pointers, so that structs can grow.
 */
#include "library/operations.h"

#include "core/data/image_info.h"
#include "core/figure/choices.h"
#include "core/files/options.h"
#include "core/files/formats.h"
#include "core/ops/args.h"
#include "core/ops/reference.h"
#include "core/ops/search.h"

#include <math.h>

struct Operations {
  GPtrArray *memory; /* of all structs, lists and texts */
  gpointer *list, *formats;
  fovea_operation figure;
};

static gpointer
keep (Operations *operations, gpointer memory)
{
  g_ptr_array_add (operations->memory, memory);
  return memory;
}

/* n structs that begin with their size. */
static gpointer *
new_list (Operations *operations, guint n, gsize bytes)
{
  gpointer *list = keep (operations, g_new0 (gpointer, n + 1));
  for (guint i = 0; i < n; i++) {
    list[i] = keep (operations, g_malloc0 (bytes));
    *(gsize *) list[i] = bytes;
  }
  return list;
}

static const fovea_choice *const *
list_choices (Operations *operations, const fv_choice *choices)
{
  guint n = 0;
  while (choices && choices[n].key)
    n++;
  gpointer *list = new_list (operations, n, sizeof (fovea_choice));
  for (guint i = 0; i < n; i++) {
    fovea_choice *to = list[i];
    to->key = choices[i].key;
    to->label = choices[i].label;
    to->help = choices[i].help;
  }
  return n ? (const fovea_choice *const *) list : NULL;
}

static fovea_parameter_type
type_of (const fv_param *p)
{
  G_STATIC_ASSERT ((int) FOVEA_BOOLEAN == (int) FV_BOOL && (int) FOVEA_TEXT == (int) FV_TEXT);
  return p->type == FV_INT && p->choices ? FOVEA_CHOICE : (fovea_parameter_type) p->type;
}

static void
describe_parameter (Operations *operations, const fv_param *p, fovea_parameter *to)
{
  gboolean limited = p->min != 0 || p->max != 0, soft = p->soft_min != 0 || p->soft_max != 0;
  to->key = p->key;
  to->label = p->label;
  to->help = p->help;
  to->type = type_of (p);
  to->values = keep (operations, reference_values (p, "counted from 0"));
  to->unit = p->unit;
  to->initial = keep (operations, args_default (p));
  to->min = limited ? p->min : -INFINITY;
  to->max = limited ? p->max : INFINITY;
  to->soft_min = soft ? p->soft_min : to->min;
  to->soft_max = soft ? p->soft_max : to->max;
  to->choices = list_choices (operations, p->choices);
  to->enabled = p->enabled;
  to->aliases = p->aliases;
  to->logarithmic = p->scale == FV_LOG;
  to->advanced = p->advanced;
  to->ordinal = p->ordinal;
  to->models = p->models != NULL;
}

static const fovea_parameter *const *
list_parameters (Operations *operations, const Op *op)
{
  gpointer *list = new_list (operations, op->n_params, sizeof (fovea_parameter));
  for (guint i = 0; i < op->n_params; i++)
    describe_parameter (operations, &op->fv.params[i], list[i]);
  return (const fovea_parameter *const *) list;
}

static const fovea_input *const *
list_inputs (Operations *operations, const Op *op)
{
  gpointer *list = new_list (operations, op->n_inputs, sizeof (fovea_input));
  for (guint i = 0; i < op->n_inputs; i++) {
    const fv_input *from = &op->fv.inputs[i];
    fovea_input *to = list[i];
    to->key = from->key;
    to->label = from->label;
    to->help = from->help;
    to->types = keep (operations, reference_types (from->types, TRUE));
    to->words = keep (operations, reference_types (from->types, FALSE));
    to->optional = from->optional;
    to->is_table = (from->types & FV_WANTS_TABLE) != 0;
  }
  return (const fovea_input *const *) list;
}

static const fovea_output *const *
list_outputs (Operations *operations, const Op *op)
{
  gpointer *list = new_list (operations, op->n_outputs, sizeof (fovea_output));
  for (guint i = 0; i < op->n_outputs; i++) {
    fovea_output *to = list[i];
    to->key = op->fv.outputs[i].key;
    to->label = op->fv.outputs[i].label;
  }
  return (const fovea_output *const *) list;
}

static const fovea_scalar *const *
list_scalars (Operations *operations, const Op *op)
{
  gpointer *list = new_list (operations, op->n_scalars, sizeof (fovea_scalar));
  for (guint i = 0; i < op->n_scalars; i++) {
    fovea_scalar *to = list[i];
    to->key = op->fv.scalars[i].key;
    to->label = op->fv.scalars[i].label;
    to->help = op->fv.scalars[i].help;
  }
  return (const fovea_scalar *const *) list;
}

static void
describe (Operations *operations, const Op *op, fovea_operation *to)
{
  to->key = op->fv.key;
  to->aliases = op->fv.aliases;
  to->menu = op->fv.menu;
  to->label = op->fv.label;
  to->help = op->fv.help;
  to->cite = op->fv.cite;
  to->search = op->fv.search;
  to->plugin = op->plugin;
  to->inputs = list_inputs (operations, op);
  to->outputs = list_outputs (operations, op);
  to->scalars = list_scalars (operations, op);
  to->parameters = list_parameters (operations, op);
  to->reproducible = op->fv.reproducible;
  to->makes_table = op->fv.kind == FV_TABLE;
  for (int kind = FV_CPU + 1; kind < FV_DEVICE_KINDS; kind++)
    to->runs_on_gpus |= op->fv.run[kind] != NULL;
}

static void
describe_format (Operations *operations, const FileFormat *format, fovea_format *to)
{
  const Op options = options_op (format);
  to->key = format->key;
  to->label = format->label;
  to->plugin = format->plugin;
  to->endings = format->endings;
  to->mime_types = format->mime;
  to->n_saved = format->n_written;
  to->options = list_parameters (operations, &options);
  to->in_folders = !format->only_named;
}

static gpointer *
list_formats (Operations *operations)
{
  const FileFormat *const *formats = formats_all ();
  guint n = 0;
  while (formats[n])
    n++;
  gpointer *list = new_list (operations, n, sizeof (fovea_format));
  for (guint i = 0; i < n; i++)
    describe_format (operations, formats[i], list[i]);
  return list;
}

Operations *
operations_new (const Modules *modules)
{
  const GPtrArray *ops = modules_ops (modules);
  Operations *operations = g_new (Operations, 1);
  operations->memory = g_ptr_array_new_with_free_func (g_free);
  operations->list = new_list (operations, ops->len, sizeof (fovea_operation));
  for (guint i = 0; i < ops->len; i++)
    describe (operations, ops->pdata[i], operations->list[i]);
  operations->formats = list_formats (operations);
  operations->figure = (fovea_operation){.size = sizeof operations->figure};
  describe (operations, figure_op (), &operations->figure);
  return operations;
}

void
operations_free (Operations *operations)
{
  if (!operations)
    return;
  g_ptr_array_unref (operations->memory);
  g_free (operations);
}

const fovea_operation *const *
operations_list (const Operations *operations)
{
  return (const fovea_operation *const *) operations->list;
}

const fovea_format *const *
operations_formats (const Operations *operations)
{
  return (const fovea_format *const *) operations->formats;
}

int
fovea_operation_rank (const fovea_operation *o, const char *text)
{
  const fv_op op = {.key = o->key, .label = o->label, .search = o->search, .menu = o->menu, .help = o->help};
  G_STATIC_ASSERT (SEARCH_NOWHERE == 0 && SEARCH_KEY == 4);
  return (int) search_op_rank (&op, text);
}

const fovea_operation *
operations_figure (const Operations *operations)
{
  return &operations->figure;
}
