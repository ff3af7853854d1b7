/* SPDX-License-Identifier: MIT
 *
 * Help pages that cannot disagree with the code.
 */
#include "core/ops/reference.h"

#include "core/data/pixel_type.h"
#include "core/ops/args.h"

#include <string.h>

static const char *
type_word (const fv_param *p)
{
  switch (p->type) {
  case FV_BOOL: return "yes or no";
  case FV_INT: return p->choices ? "one of" : "integer";
  case FV_FLOAT: return "number";
  case FV_AXES: return "number, or y,x or z,y,x";
  case FV_SET: return "any of";
  case FV_MATRIX: return "matrix: rows separated by ';', planes by '/'";
  case FV_TEXT: return "text";
  }
  g_assert_not_reached ();
}

char *
reference_values (const fv_param *p, const char *ordinal)
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

char *
reference_types (guint types, gboolean names)
{
  if (types & FV_WANTS_TABLE)
    return g_strdup (names ? "table" : "a table");
  if (types & FV_WANTS_LABELS)
    return g_strdup ("integers of any type");
  if (types & FV_WANTS_MASK || (types & FV_ANY_TYPE) == FV_ANY_TYPE)
    return g_strdup ("any type");
  return pixel_type_list (types, names);
}

/* ---- The page of an operation ---- */

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
    reference_values (p, "counted from 0 in files of steps and on the command line, from 1 in the window");
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
    g_autofree char *types = reference_types (input->types, FALSE);
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
