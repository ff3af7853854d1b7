/* SPDX-License-Identifier: MIT
 *
 * Writes the texts that the window shows and that are no calls of gettext in its source, as a template for those who translate: what the
 * shipped operations and formats declare, and words of core. Each text once, with the operations that have it first.
 */
#include "core/data/pixel_type.h"
#include "core/figure/choices.h"
#include "core/files/formats.h"
#include "core/files/options.h"
#include "core/files/plate/sequence.h"
#include "core/files/raw.h"
#include "core/ops/models.h"
#include "core/recipe/step.h"
#include "core/selection/selection.h"

#include <stdio.h>
#include <string.h>

static char *
quoted (const char *text)
{
  g_autoptr (GString) s = g_string_new (text);
  g_string_replace (s, "\\", "\\\\", 0);
  g_string_replace (s, "\"", "\\\"", 0);
  g_string_replace (s, "\n", "\\n", 0);
  return g_strdup (s->str);
}

/* where: for people. many: of what is counted, or NULL. */
static void
add_counted (GHashTable *known, const char *where, const char *text, const char *many)
{
  if (!text || !*text || !g_hash_table_add (known, g_strdup (text)))
    return;
  g_autofree char *one = quoted (text), *several = many ? quoted (many) : NULL;
  printf ("#. %s\nmsgid \"%s\"\n", where, one);
  if (many)
    printf ("msgid_plural \"%s\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n", several);
  else
    printf ("msgstr \"\"\n\n");
}

static void
add (GHashTable *known, const char *where, const char *text)
{
  add_counted (known, where, text, NULL);
}

static void
add_param (GHashTable *known, const char *op, const fv_param *p)
{
  g_autofree char *where = g_strdup_printf ("%s %s", op, p->key);
  add (known, where, p->label);
  add (known, where, p->help);
  add (known, where, p->unit);
  for (const fv_choice *c = p->choices; c && c->key; c++) {
    add (known, where, c->label);
    add (known, where, c->help);
  }
}

static void
add_scalar (GHashTable *known, const char *op, const fv_scalar *s)
{
  gboolean counted = s->type == FV_COLUMN_INTEGER && g_str_has_suffix (s->key, "s");
  g_autofree char *one = g_strndup (s->key, strlen (s->key) - counted);
  add_counted (known, op, one, counted ? s->key : NULL);
}

static void
add_operation (GHashTable *known, const Op *op)
{
  g_auto (GStrv) menu = g_strsplit (op->fv.menu ? op->fv.menu : "", "/", -1);
  for (char **part = menu; *part; part++)
    add (known, "menu", *part);
  add (known, op->fv.key, op->fv.label);
  add (known, op->fv.key, op->fv.help);
  for (guint i = 0; i < op->n_inputs; i++) {
    add (known, op->fv.key, op->fv.inputs[i].label);
    add (known, op->fv.key, op->fv.inputs[i].help);
  }
  for (guint i = 0; i < step_results (op); i++)
    add (known, op->fv.key, step_result_label (op, i));
  for (guint i = 0; i < op->n_scalars; i++)
    add_scalar (known, op->fv.key, &op->fv.scalars[i]);
  for (guint i = 0; i < op->n_params; i++)
    add_param (known, op->fv.key, &op->fv.params[i]);
}

int
main (void)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (Modules) modules = modules_new_shipped ();
  const GPtrArray *ops = modules_ops (modules);
  for (guint i = 0; i < ops->len; i++)
    add_operation (known, ops->pdata[i]);
  add_operation (known, figure_op ());
  for (const FileFormat *const *format = formats_all (); *format; format++) {
    const Op options = options_op (*format);
    add_operation (known, &options);
  }
  add_operation (known, files_raw_op ());
  add_operation (known, plate_sequence_op ());
  add (known, "menu", "Own Operations");
  for (int shape = 0; shape <= SELECTION_COMPOSITE; shape++)
    add (known, "selection", selection_shape_name ((SelectionShape) shape));
  for (int i = 0; i < PIXEL_TYPES; i++) {
    add (known, "type of pixels", pixel_types[i].words);
    add (known, "type of pixels", pixel_types[i].values);
  }
  for (const ModelLabel *label = model_labels; label->key; label++)
    add (known, "card of a model", label->label);
  return 0;
}
