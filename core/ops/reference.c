/* SPDX-License-Identifier: MIT
 *
 * Help pages that cannot disagree with the code.
 */
#include "core/ops/reference.h"

#include "core/ops/args.h"
#include "core/data/image.h"
#include "core/base/text.h"

#include <math.h>
#include <string.h>

static const char *
type_word (const fv_param *p)
{
  switch (p->type) {
  case FV_BOOL: return "yes or no";
  case FV_INT: return p->choices ? "one of" : "whole number";
  case FV_FLOAT: return "number";
  case FV_AXES: return "number, or y,x or z,y,x";
  case FV_SET: return "any of";
  case FV_MATRIX: return "matrix: rows separated by ';', planes by '/'";
  case FV_TEXT: return "text";
  }
  g_assert_not_reached ();
}

/* "number, 0 to 1000 px, default 2"; ordinal: how positions are counted there. */
static char *
param_line (const fv_param *p, const char *ordinal)
{
  GString *s = g_string_new (type_word (p));
  g_autofree char *range = args_range (p), *value = args_default (p);
  if (range)
    g_string_append_printf (s, ", %s", range);
  if (p->unit)
    g_string_append_printf (s, " %s", p->unit);
  if (*value)
    g_string_append_printf (s, ", default %s", value);
  if (p->ordinal)
    g_string_append_printf (s, ", %s", ordinal);
  if (p->enabled)
    g_string_append_printf (s, ", with %s", p->enabled);
  if (p->aliases)
    g_string_append_printf (s, ", once %s", p->aliases);
  return g_string_free (s, FALSE);
}

static char *
types_text (guint types, const char *(*name) (fv_type))
{
  GString *s = g_string_new (NULL);
  if (types == FV_ANY_TYPE || types & FV_WANTS_MASK)
    g_string_append (s, "any type");
  else if (types & FV_WANTS_LABELS)
    g_string_append (s, "whole numbers of any type");
  else
    for (guint type = FV_U8; type <= FV_F64; type <<= 1)
      if (types & type)
        g_string_append_printf (s, "%s%s", s->len ? ", " : "", name (type));
  return g_string_free (s, FALSE);
}

char *
reference_text (const Op *op)
{
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "%s: %s\n", op->fv.key, op->fv.help);
  if (op->fv.menu)
    g_string_append_printf (s, "Menu: %s/%s\n", op->fv.menu, op->fv.label);
  if (op->fv.cite)
    g_string_append_printf (s, "Method: %s\n", op->fv.cite);
  g_string_append (s, "\nInputs:\n");
  for (guint i = 0; i < op->n_inputs; i++) {
    const fv_input *input = &op->fv.inputs[i];
    g_autofree char *types = types_text (input->types, image_type_words);
    g_string_append_printf (s, "  %s=NAME  %s (%s%s)\n", i ? input->key : "from",
                            input->help ? input->help : input->label, types, input->optional ? ", optional" : "");
  }
  if (op->n_params)
    g_string_append (s, "\nParameters:\n");
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autofree char *line = param_line (p, "counted from 0");
    g_string_append_printf (s, "  %s=  %s (%s)\n", p->key, p->help, line);
    for (const fv_choice *c = p->choices; c && c->key; c++)
      g_string_append_printf (s, "      %-26s %s\n", c->key, c->help ? c->help : c->label);
  }
  if (op->n_scalars)
    g_string_append (s, "\nResults:\n");
  for (guint i = 0; i < op->n_scalars; i++)
    g_string_append_printf (s, "  %s  %s\n", op->fv.scalars[i].key, op->fv.scalars[i].help);
  return g_string_free (s, FALSE);
}

/* ---- For a window ---- */

/* The format's texts are escaped. */
static void G_GNUC_PRINTF (2, 3) append (GString *s, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_markup_vprintf_escaped (format, ap);
  va_end (ap);
  g_string_append (s, text);
}

/* The part of a set's choice's label that names its group. */
static char *
group_of (const fv_param *p, const fv_choice *c)
{
  const char *slash = p->type == FV_SET ? strchr (c->label, '/') : NULL;
  return slash ? g_strndup (c->label, (gsize) (slash - c->label)) : g_strdup ("");
}

/* Group by group, in the order in which they come first. */
static void
markup_choices (GString *s, const fv_param *p)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (const fv_choice *first = p->choices; first && first->key; first++) {
    g_autofree char *group = group_of (p, first);
    if (g_hash_table_contains (seen, group))
      continue;
    if (*group)
      append (s, "\n    <i>%s</i>", group);
    for (const fv_choice *c = first; c->key; c++) {
      g_autofree char *other = group_of (p, c);
      if (!strcmp (group, other))
        append (s, "\n    • <tt>%s</tt>  %s", c->key, c->help ? c->help : c->label);
    }
    g_hash_table_add (seen, g_steal_pointer (&group));
  }
}

static void
markup_param (GString *s, const fv_param *p)
{
  g_autofree char *line =
    param_line (p, "counted from 0 in files of steps and on the command line, from 1 in the window");
  append (s, "\n\n<b>%s</b>   <tt>%s</tt>\n%s\n<small>%s</small>", p->label, p->key, p->help, line);
  markup_choices (s, p);
}

/* Without the dots of a menu item. */
static char *
title_of (const fv_op *op)
{
  return g_strndup (op->label, strlen (op->label) - (g_str_has_suffix (op->label, "...") ? 3 : 0));
}

char *
reference_markup (const Op *op)
{
  GString *s = g_string_new (NULL);
  g_autofree char *title = title_of (&op->fv);
  append (s, "<big><b>%s</b></big>   <tt>%s</tt>\n\n%s\n", title, op->fv.key, op->fv.help);
  if (op->fv.menu) {
    g_auto (GStrv) parts = g_strsplit (op->fv.menu, "/", -1);
    g_autofree char *path = g_strjoinv (" ▸ ", parts);
    append (s, "\nMenu: %s ▸ %s", path, op->fv.label);
  }
  g_string_append (s, "\n\n<big><b>Inputs</b></big>");
  for (guint i = 0; i < op->n_inputs; i++) {
    const fv_input *input = &op->fv.inputs[i];
    g_autofree char *types = types_text (input->types, image_type_words);
    append (s, "\n\n<b>%s</b>   <tt>%s</tt>\n%s\n<small>%s%s</small>", input->label, i ? input->key : "from",
            input->help ? input->help : "", types, input->optional ? ", optional" : "");
  }
  if (op->n_params)
    g_string_append (s, "\n\n<big><b>Parameters</b></big>");
  for (guint i = 0; i < op->n_params; i++)
    markup_param (s, &op->fv.params[i]);
  g_string_append (s, "\n\n<big><b>Results</b></big>\n");
  for (guint i = 0; i < op->n_outputs; i++)
    append (s, "\n<b>%s</b>   an image", op->fv.outputs[i].label ? op->fv.outputs[i].label : op->fv.outputs[i].key);
  if (op->fv.kind == FV_TABLE)
    g_string_append (s, "\n<b>Results</b>   a table");
  for (guint i = 0; i < op->n_scalars; i++)
    append (s, "\n<b>%s</b>   <tt>%s</tt>   %s", op->fv.scalars[i].label, op->fv.scalars[i].key,
            op->fv.scalars[i].help);
  if (op->fv.cite)
    append (s, "\n\n<big><b>Method</b></big>\n\n%s", op->fv.cite);
  append (s, "\n\n<small>Runs on the CPU%s. From the plugin %s.</small>", op->fv.run[FV_CUDA] ? " and on GPUs" : "",
          op->plugin);
  return g_string_free (s, FALSE);
}

/* ---- Markdown ---- */

/* Text inside a table, where a bar would end the cell. */
static void
append_cell (GString *s, const char *text)
{
  for (; *text; text++)
    g_string_append_printf (s, *text == '|' ? "\\%c" : "%c", *text);
}

static void
markdown_op (GString *s, const Op *op)
{
  g_string_append_printf (s, "## %s\n\n%s", op->fv.key, op->fv.help);
  if (op->fv.menu)
    g_string_append_printf (s, " Menu: %s ▸ %s", op->fv.menu, op->fv.label);
  g_string_append (s, "\n\n");
  if (op->fv.cite)
    g_string_append_printf (s, "Method: %s\n\n", op->fv.cite);
  for (guint i = 0; i < op->n_inputs; i++) {
    const fv_input *input = &op->fv.inputs[i];
    g_autofree char *types = types_text (input->types, image_type_words);
    g_string_append_printf (s, "- input `%s`: %s (%s%s)\n", i ? input->key : "from",
                            input->help ? input->help : input->label, types, input->optional ? ", optional" : "");
  }
  for (guint i = 0; i < op->n_scalars; i++)
    g_string_append_printf (s, "- result `%s`: %s\n", op->fv.scalars[i].key, op->fv.scalars[i].help);
  g_string_append_c (s, '\n');
  if (op->n_params)
    g_string_append (s, "| parameter | | meaning |\n|---|---|---|\n");
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autofree char *line = param_line (p, "counted from 0");
    g_string_append_printf (s, "| `%s` | ", p->key);
    append_cell (s, line);
    g_string_append (s, " | ");
    append_cell (s, p->help);
    for (const fv_choice *c = p->choices; c && c->key; c++) {
      g_string_append_printf (s, "<br>`%s`: ", c->key);
      append_cell (s, c->help ? c->help : c->label);
    }
    g_string_append (s, " |\n");
  }
  g_string_append_c (s, '\n');
}

char *
reference_markdown (const GPtrArray *ops)
{
  GString *s = g_string_new ("# Operations\n\nMade from the declarations by `fovea ops --markdown`.\n\n");
  for (guint i = 0; i < ops->len; i++)
    markdown_op (s, ops->pdata[i]);
  g_string_truncate (s, s->len - 1);
  return g_string_free (s, FALSE);
}

/* ---- JSON ---- */

static void
member (JsonBuilder *b, const char *name, const char *value)
{
  json_builder_set_member_name (b, name);
  if (value)
    json_builder_add_string_value (b, value);
  else
    json_builder_add_null_value (b);
}

static void
json_param (JsonBuilder *b, const fv_param *p)
{
  static const char *const types[] = {"", "bool", "int", "float", "axes", "set", "matrix", "text"};
  g_autofree char *value = args_default (p);
  json_builder_begin_object (b);
  member (b, "key", p->key);
  member (b, "type", p->choices && p->type == FV_INT ? "choice" : types[p->type]);
  member (b, "label", p->label);
  member (b, "help", p->help);
  member (b, "unit", p->unit);
  member (b, "default", value);
  if ((p->min != 0 || p->max != 0) && isfinite (p->min))
    json_builder_add_double_value (json_builder_set_member_name (b, "min"), p->min);
  if ((p->min != 0 || p->max != 0) && isfinite (p->max))
    json_builder_add_double_value (json_builder_set_member_name (b, "max"), p->max);
  if (p->aliases)
    member (b, "aliases", p->aliases);
  json_builder_add_boolean_value (json_builder_set_member_name (b, "advanced"), p->advanced);
  json_builder_add_boolean_value (json_builder_set_member_name (b, "ordinal"), p->ordinal);
  if (p->choices) {
    json_builder_begin_array (json_builder_set_member_name (b, "choices"));
    for (const fv_choice *c = p->choices; c->key; c++)
      json_builder_add_string_value (b, c->key);
    json_builder_end_array (b);
  }
  json_builder_end_object (b);
}

static void
json_op (JsonBuilder *b, const Op *op)
{
  json_builder_begin_object (b);
  member (b, "key", op->fv.key);
  member (b, "label", op->fv.label);
  member (b, "menu", op->fv.menu);
  member (b, "help", op->fv.help);
  member (b, "cite", op->fv.cite);
  member (b, "plugin", op->plugin);
  json_builder_begin_array (json_builder_set_member_name (b, "inputs"));
  for (guint i = 0; i < op->n_inputs; i++) {
    g_autofree char *types = types_text (op->fv.inputs[i].types, image_type_name);
    json_builder_begin_object (b);
    member (b, "key", op->fv.inputs[i].key);
    member (b, "types", types);
    json_builder_add_boolean_value (json_builder_set_member_name (b, "optional"), op->fv.inputs[i].optional);
    json_builder_end_object (b);
  }
  json_builder_end_array (b);
  json_builder_begin_array (json_builder_set_member_name (b, "outputs"));
  for (guint i = 0; i < op->n_outputs; i++)
    json_builder_add_string_value (b, op->fv.outputs[i].key);
  json_builder_end_array (b);
  json_builder_begin_array (json_builder_set_member_name (b, "results"));
  for (guint i = 0; i < op->n_scalars; i++)
    json_builder_add_string_value (b, op->fv.scalars[i].key);
  json_builder_end_array (b);
  json_builder_begin_array (json_builder_set_member_name (b, "parameters"));
  for (guint i = 0; i < op->n_params; i++)
    json_param (b, &op->fv.params[i]);
  json_builder_end_array (b);
  json_builder_end_object (b);
}

JsonBuilder *
reference_json (const GPtrArray *ops)
{
  JsonBuilder *b = json_builder_new ();
  json_builder_begin_array (b);
  for (guint i = 0; i < ops->len; i++)
    json_op (b, ops->pdata[i]);
  json_builder_end_array (b);
  return b;
}
