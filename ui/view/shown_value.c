/* SPDX-License-Identifier: MIT
 *
 * Converts in both directions through strings, as the forms do. A string that is not a number stays unchanged, so
 * that its error reports it.
 */
#include "ui/view/shown_value.h"

#include "core/data/pixel_type.h"
#include "core/ops/args.h"
#include "core/base/text.h"
#include "ui/widgets/words.h"

#include <glib/gi18n.h>
#include <string.h>

static char *
counted (const fv_param *p, const char *text, double by)
{
  double number;
  return p->ordinal && text_to_number (text, &number) ? text_from_number (number + by) : g_strdup (text);
}

char *
shown_from_value (const fv_param *param, const char *value)
{
  return counted (param, value, 1);
}

char *
shown_to_value (const fv_param *param, const char *shown)
{
  return counted (param, shown, -1);
}

char *
shown_set (const fv_param *param, const char *value)
{
  g_auto (GStrv) keys = g_strsplit (value, ",", -1);
  guint n = 0;
  while (param->choices[n].key)
    n++;
  return g_strdup_printf (_ ("%u of %u chosen"), g_strv_length (keys), n);
}

/* "Disk", "7 of 55 chosen", or the number with its unit. */
static char *
words_of (const fv_param *p, const char *value)
{
  if (p->type == FV_SET)
    return shown_set (p, value);
  for (const fv_choice *c = p->choices; c && c->key; c++)
    if (!strcmp (c->key, value))
      return g_strdup (words_shown (c->label));
  g_autofree char *shown = shown_from_value (p, value);
  return p->unit ? g_strdup_printf ("%s %s", shown, words_shown (p->unit)) : g_steal_pointer (&shown);
}

static void
append_param (GString *s, const fv_param *p, const char *value)
{
  g_autofree char *words = words_of (p, value);
  g_string_append (s, s->len ? ", " : "");
  if (p->type == FV_BOOL)
    g_string_append_printf (s, !strcmp (value, "yes") ? "%s" : _ ("not %s"), words_shown (p->label));
  else
    g_string_append_printf (s, "%s %s", words_shown (p->label), words);
}

/* The number that the step is about, such as the sigma of a blur: the first one with a slider that is not 0 unless it is wanted. NULL: none. */
static const fv_param *
main_param (const Op *op, gconstpointer args, gconstpointer defaults)
{
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autofree char *usual = args_get (defaults, p);
    if (!p->advanced && p->soft_max > p->soft_min && *usual && strcmp (usual, "0") && args_enabled (op, args, p))
      return p;
  }
  return NULL;
}

char *
shown_step (const Step *step)
{
  const Op *op = step->op;
  gconstpointer args = step->args;
  GString *s = g_string_new (NULL);
  g_autofree gpointer defaults = args_new (op, NULL);
  const fv_param *about = main_param (op, args, defaults);
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    const Derived *derived = step_derived (step, p);
    g_autofree char *value = derived ? g_strdup (derived_text (derived)) : args_get (args, p),
                    *usual = args_get (defaults, p);
    const gboolean first =
      i == 0 && !p->advanced && (p->ordinal || (p->choices && p->type != FV_SET)); /* such as a method, or a channel */
    if ((first || p == about || strcmp (value, usual)) && args_enabled (op, args, p))
      append_param (s, p, value);
  }
  return g_string_free (s, FALSE);
}

static void
append_several (GString *s, gint64 n, char *text)
{
  if (n > 1)
    g_string_append_printf (s, ", %s", text);
  g_free (text);
}

char *
shown_image (const ImageInfo *info)
{
  GString *s = g_string_new (NULL);
  g_autofree char *sizes = image_info_sizes (info);
  g_string_append_printf (s, "%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " %s", info->columns, info->rows,
                          words_shown (pixel_type (info->type)->words));
  append_several (s, info->channels, words_count (info->channels, "channel", "channels"));
  append_several (s, info->depth, words_count (info->depth, "slice", "slices"));
  append_several (s, info->frames, words_count (info->frames, "frame", "frames"));
  if (sizes)
    g_string_append_printf (s, ", %s", sizes);
  return g_string_free (s, FALSE);
}
