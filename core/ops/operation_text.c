/* SPDX-License-Identifier: MIT
 */
#include "core/ops/operation_text.h"

#include "core/ops/args.h"

#include <string.h>

const fv_param *
operation_text_formula (const Op *op)
{
  const fv_param *p = args_param (op, "expression");
  return p && p->type == FV_TEXT ? p : NULL;
}

static char *
pattern_of (const char *name)
{
  return g_strdup_printf ("\\b%s\\b", name);
}

gboolean
operation_text_uses (const char *formula, const char *name)
{
  g_autofree char *pattern = pattern_of (name);
  return g_regex_match_simple (pattern, formula, 0, 0);
}

char *
operation_text_key (const char *label)
{
  GString *key = g_string_new (NULL);
  gboolean gap = FALSE;
  for (const char *c = label; *c; c++) {
    if (!g_ascii_isalnum (*c)) {
      gap = key->len > 0;
      continue;
    }
    if (gap || (!key->len && g_ascii_isdigit (*c)))
      g_string_append_c (key, key->len ? '_' : 'n');
    g_string_append_c (key, g_ascii_tolower (*c));
    gap = FALSE;
  }
  return g_string_free (key, FALSE);
}

/* The formula with its numbers under their new names; all at once, as one may have been the name of another. */
static char *
rename_numbers (const char *formula, const OperationNumber *numbers, guint n)
{
  g_autoptr (GRegex) word = g_regex_new ("[A-Za-z_][A-Za-z0-9_]*|[0-9.][A-Za-z0-9_.]*|.", G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  GString *s = g_string_new (NULL);
  for (g_regex_match (word, formula, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL)) {
    g_autofree char *token = g_match_info_fetch (match, 0), *key = NULL;
    for (guint i = 0; i < n && !key; i++)
      if (!strcmp (token, numbers[i].was))
        key = operation_text_key (numbers[i].label);
    g_string_append (s, key ? key : token);
  }
  return g_string_free (s, FALSE);
}

static void
add_number (GString *s, const OperationNumber *number)
{
  g_autofree char *key = operation_text_key (number->label);
  char def[G_ASCII_DTOSTR_BUF_SIZE], min[G_ASCII_DTOSTR_BUF_SIZE], max[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_printf (s, "\n[parameter %s]\nlabel=%s\ndefault=%s\nslider_min=%s\nslider_max=%s\n", key,
                          number->label, g_ascii_dtostr (def, sizeof def, number->def),
                          g_ascii_dtostr (min, sizeof min, number->min), g_ascii_dtostr (max, sizeof max, number->max));
}

char *
operation_text (const Op *op, gconstpointer args, const char *label, const OperationNumber *numbers, guint n)
{
  static const char *const others[] = {"border", "value", "output"};
  const fv_param *formula = operation_text_formula (op);
  g_autofree char *was = args_get (args, formula), *is = rename_numbers (was, numbers, n);
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "[operation]\nlabel=%s\nexpression=%s\n", label, g_strdelimit (is, "\r\n\t", ' '));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    const fv_param *p = args_param (op, others[i]);
    g_autofree char *value = args_get (args, p), *usual = args_default (p);
    if (strcmp (value, usual))
      g_string_append_printf (s, "%s=%s\n", p->key, value);
  }
  for (guint i = 0; i < op->n_inputs; i++)
    if (i == 0 || operation_text_uses (was, op->fv.inputs[i].key))
      g_string_append_printf (s, "\n[input %s]\nlabel=%s\n", op->fv.inputs[i].key, op->fv.inputs[i].label);
  for (guint i = 0; i < n; i++)
    add_number (s, &numbers[i]);
  return g_string_free (s, FALSE);
}
