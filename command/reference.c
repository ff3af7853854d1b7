/* SPDX-License-Identifier: MIT
 *
 * Help pages that cannot disagree with the code.
 */
#include "command/reference.h"

#include "command/json.h"

#include <math.h>

static const char *
text_of (const char *help, const char *label)
{
  return help ? help : label;
}

/* How steps write input i. */
static const char *
key_of (const fovea_operation *op, guint i)
{
  return i ? op->inputs[i]->key : "from";
}

char *
reference_text (const fovea_operation *op)
{
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "%s: %s\n", op->key, op->help);
  if (op->menu)
    g_string_append_printf (s, "Menu: %s/%s\n", op->menu, op->label);
  if (op->cite)
    g_string_append_printf (s, "Method: %s\n", op->cite);
  if (op->reproducible > 0)
    g_string_append_printf (s, "Reproducible to %g between devices.\n", op->reproducible);
  g_string_append (s, "\nInputs:\n");
  for (guint i = 0; op->inputs[i]; i++)
    g_string_append_printf (s, "  %s=NAME  %s (%s%s)\n", key_of (op, i),
                            text_of (op->inputs[i]->help, op->inputs[i]->label), op->inputs[i]->words,
                            op->inputs[i]->optional ? ", optional" : "");
  if (*op->parameters)
    g_string_append (s, "\nParameters:\n");
  for (const fovea_parameter *const *p = op->parameters; *p; p++) {
    g_string_append_printf (s, "  %s=  %s (%s)\n", (*p)->key, (*p)->help, (*p)->values);
    for (const fovea_choice *const *c = (*p)->choices; c && *c; c++)
      g_string_append_printf (s, "      %-26s %s\n", (*c)->key, text_of ((*c)->help, (*c)->label));
  }
  if (*op->scalars)
    g_string_append (s, "\nResults:\n");
  for (const fovea_scalar *const *scalar = op->scalars; *scalar; scalar++)
    g_string_append_printf (s, "  %s  %s\n", (*scalar)->key, (*scalar)->help);
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
markdown_parameter (GString *s, const fovea_parameter *p)
{
  g_string_append_printf (s, "| `%s` | ", p->key);
  append_cell (s, p->values);
  g_string_append (s, " | ");
  append_cell (s, p->help);
  for (const fovea_choice *const *c = p->choices; c && *c; c++) {
    g_string_append_printf (s, "<br>`%s`: ", (*c)->key);
    append_cell (s, text_of ((*c)->help, (*c)->label));
  }
  g_string_append (s, " |\n");
}

static void
markdown_operation (GString *s, const fovea_operation *op)
{
  g_string_append_printf (s, "## %s\n\n%s", op->key, op->help);
  if (op->menu)
    g_string_append_printf (s, " Menu: %s ▸ %s", op->menu, op->label);
  g_string_append (s, "\n\n");
  if (op->cite)
    g_string_append_printf (s, "Method: %s\n\n", op->cite);
  if (op->reproducible > 0)
    g_string_append_printf (s, "Reproducible to %g between devices.\n\n", op->reproducible);
  for (guint i = 0; op->inputs[i]; i++)
    g_string_append_printf (s, "- input `%s`: %s (%s%s)\n", key_of (op, i),
                            text_of (op->inputs[i]->help, op->inputs[i]->label), op->inputs[i]->words,
                            op->inputs[i]->optional ? ", optional" : "");
  for (const fovea_scalar *const *scalar = op->scalars; *scalar; scalar++)
    g_string_append_printf (s, "- result `%s`: %s\n", (*scalar)->key, (*scalar)->help);
  g_string_append_c (s, '\n');
  if (*op->parameters)
    g_string_append (s, "| parameter | | meaning |\n|---|---|---|\n");
  for (const fovea_parameter *const *p = op->parameters; *p; p++)
    markdown_parameter (s, *p);
  g_string_append_c (s, '\n');
}

/* How far results can be trusted to come again. */
static void
markdown_reproducible (GString *s, const fovea_operation *const *operations)
{
  const char *before = ", but those of ";
  g_string_append (s, "Results are bit-identical on every device, for every part of an image and any number of "
                      "threads");
  for (; *operations; operations++)
    if ((*operations)->reproducible > 0) {
      g_string_append_printf (s, "%s[%s](#%s) (to %g)", before, (*operations)->key, (*operations)->key,
                              (*operations)->reproducible);
      before = ", ";
    }
  g_string_append (s, ".\n\n");
}

char *
reference_markdown (const fovea_operation *const *operations)
{
  GString *s = g_string_new ("# Operations\n\nMade from the declarations by `fovea ops --markdown`.\n\n");
  markdown_reproducible (s, operations);
  for (; *operations; operations++)
    markdown_operation (s, *operations);
  g_string_truncate (s, s->len - 1);
  return g_string_free (s, FALSE);
}

/* ---- JSON ---- */

static void
json_limit (JsonBuilder *b, const char *name, double limit)
{
  if (isfinite (limit))
    json_builder_add_double_value (json_builder_set_member_name (b, name), limit);
}

static void
json_parameter (JsonBuilder *b, const fovea_parameter *p)
{
  static const char *const types[] = {"", "bool", "int", "float", "axes", "set", "matrix", "text", "choice"};
  json_builder_begin_object (b);
  json_add_text (b, "key", p->key);
  json_add_text (b, "type", types[p->type]);
  json_add_text (b, "label", p->label);
  json_add_text (b, "help", p->help);
  json_add_text (b, "unit", p->unit);
  json_add_text (b, "default", p->initial);
  json_limit (b, "min", p->min);
  json_limit (b, "max", p->max);
  if (p->aliases)
    json_add_text (b, "aliases", p->aliases);
  json_builder_add_boolean_value (json_builder_set_member_name (b, "advanced"), p->advanced);
  json_builder_add_boolean_value (json_builder_set_member_name (b, "ordinal"), p->ordinal);
  if (p->choices) {
    json_builder_begin_array (json_builder_set_member_name (b, "choices"));
    for (const fovea_choice *const *c = p->choices; *c; c++)
      json_builder_add_string_value (b, (*c)->key);
    json_builder_end_array (b);
  }
  json_builder_end_object (b);
}

static void
json_input (JsonBuilder *b, const fovea_input *input)
{
  json_builder_begin_object (b);
  json_add_text (b, "key", input->key);
  json_add_text (b, "types", input->types);
  json_builder_add_boolean_value (json_builder_set_member_name (b, "optional"), input->optional);
  json_builder_end_object (b);
}

static void
json_operation (JsonBuilder *b, const fovea_operation *op)
{
  json_builder_begin_object (b);
  json_add_text (b, "key", op->key);
  json_add_text (b, "label", op->label);
  json_add_text (b, "menu", op->menu);
  json_add_text (b, "help", op->help);
  json_add_text (b, "cite", op->cite);
  json_add_text (b, "search", op->search);
  json_add_text (b, "plugin", op->plugin);
  json_builder_add_double_value (json_builder_set_member_name (b, "reproducible"), op->reproducible);
  json_builder_begin_array (json_builder_set_member_name (b, "inputs"));
  for (const fovea_input *const *input = op->inputs; *input; input++)
    json_input (b, *input);
  json_builder_end_array (b);
  json_builder_begin_array (json_builder_set_member_name (b, "outputs"));
  for (const fovea_output *const *output = op->outputs; *output; output++)
    json_builder_add_string_value (b, (*output)->key);
  json_builder_end_array (b);
  json_builder_begin_array (json_builder_set_member_name (b, "results"));
  for (const fovea_scalar *const *scalar = op->scalars; *scalar; scalar++)
    json_builder_add_string_value (b, (*scalar)->key);
  json_builder_end_array (b);
  json_builder_begin_array (json_builder_set_member_name (b, "parameters"));
  for (const fovea_parameter *const *p = op->parameters; *p; p++)
    json_parameter (b, *p);
  json_builder_end_array (b);
  json_builder_end_object (b);
}

JsonBuilder *
reference_json (const fovea_operation *const *operations)
{
  JsonBuilder *b = json_builder_new ();
  json_builder_begin_array (b);
  for (; *operations; operations++)
    json_operation (b, *operations);
  json_builder_end_array (b);
  return b;
}
