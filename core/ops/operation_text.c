/* SPDX-License-Identifier: MIT
 */
#include "core/ops/operation_text.h"

#include "core/ops/args.h"

#include <string.h>

/* Of in_params: a name, and the value of what is a number. */
#define DECLARATION "(\\w+)\\s*(?:=\\s*([^,\\s]+)\\s*)?(?:,|$)"

static char *
text_of (const Op *op, gconstpointer args, const char *key)
{
  return args_get (args, args_param (op, key));
}

static gboolean
is_kernel (const Op *op)
{
  return !strcmp (op->fv.key, "kernel");
}

gboolean
operation_text_can (const Op *op)
{
  return is_kernel (op) || !strcmp (op->fv.key, "expression");
}

/* ---- Names ---- */

static gboolean
uses (const char *formula, const char *name)
{
  g_autofree char *pattern = g_strdup_printf ("\\b%s\\b", name);
  return g_regex_match_simple (pattern, formula, 0, 0);
}

/* What in_params calls the first of that value; "" is that of images. */
static char *
declared (const char *in_params, const char *value)
{
  g_autoptr (GRegex) declaration = g_regex_new (DECLARATION, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  for (g_regex_match (declaration, in_params, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL)) {
    g_autofree char *is = g_match_info_fetch (match, 2);
    if (!g_strcmp0 (is, value))
      return g_match_info_fetch (match, 1);
  }
  return NULL;
}

char *
operation_text_number (const Op *op, gconstpointer args, const char *number)
{
  g_autofree char *body = text_of (op, args, is_kernel (op) ? "in_params" : "expression");
  if (is_kernel (op))
    return declared (body, number);
  return uses (body, number) ? g_strdup (number) : NULL;
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

/* ---- Numbers ---- */

static char *
new_name (const char *was, const OperationNumber *numbers, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!strcmp (was, numbers[i].was))
      return operation_text_key (numbers[i].label);
  return g_strdup (was);
}

typedef struct {
  const OperationNumber *numbers;
  guint n;
} Numbers;

static gboolean
rename_one (const GMatchInfo *match, GString *to, gpointer data)
{
  const Numbers *names = data;
  g_autofree char *was = g_match_info_fetch (match, 0), *is = new_name (was, names->numbers, names->n);
  g_string_append (to, is);
  return FALSE;
}

/* All at once, as a new name may have been the name of another. pattern: what may be a name. In one line. Free with g_free(). */
static char *
rename_numbers (const char *text, const char *pattern, const OperationNumber *numbers, guint n)
{
  g_autoptr (GRegex) word = g_regex_new (pattern, 0, 0, NULL);
  Numbers names = {numbers, n};
  return g_strdelimit (g_regex_replace_eval (word, text, -1, 0, 0, rename_one, &names, NULL), "\r\n\t", ' ');
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

/* ---- Bodies ---- */

/* Parameters that are not as they always are. */
static void
add_others (GString *s, const Op *op, gconstpointer args, const char *const *keys)
{
  for (; *keys; keys++) {
    const fv_param *p = args_param (op, *keys);
    g_autofree char *value = args_get (args, p), *usual = args_default (p);
    if (strcmp (value, usual))
      g_string_append_printf (s, "%s=%s\n", p->key, g_strdelimit (value, "\r\n\t", ' '));
  }
}

static void
add_formula (GString *s, const Op *op, gconstpointer args, const OperationNumber *numbers, guint n)
{
  static const char *const others[] = {"border", "value", "output", NULL};
  g_autofree char *was = text_of (op, args, "expression"),
                  *is = rename_numbers (was, "[A-Za-z_][A-Za-z0-9_]*|[0-9.][A-Za-z0-9_.]*", numbers, n);
  g_string_append_printf (s, "expression=%s\n", is);
  add_others (s, op, args, others);
  for (guint i = 0; i < op->n_inputs; i++)
    if (i == 0 || uses (was, op->fv.inputs[i].key))
      g_string_append_printf (s, "\n[input %s]\nlabel=%s\n", op->fv.inputs[i].key, op->fv.inputs[i].label);
}

/* Each line behind two blanks. */
static void
add_code (GString *s, const char *key, const char *code)
{
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);
  if (!*code)
    return;
  g_string_append_printf (s, "%s=\n", key);
  for (char **line = lines; *line; line++)
    g_string_append_printf (s, "  %s\n", *line);
}

/* Its images stay a, b, ... */
static void
add_kernel (GString *s, const Op *op, gconstpointer args, const OperationNumber *numbers, guint n)
{
  static const char *const others[] = {"out_params", "size", "check", NULL};
  g_autofree char *in = text_of (op, args, "in_params"), *preamble = text_of (op, args, "preamble"),
                  *operation = text_of (op, args, "operation"),
                  *is = rename_numbers (in, "(?<==)\\s*\\K[A-Za-z_]\\w*", numbers, n);
  g_string_append_printf (s, "in_params=%s\n", is);
  add_others (s, op, args, others);
  add_code (s, "preamble", preamble);
  add_code (s, "kernel", operation);
}

char *
operation_text (const Op *op, gconstpointer args, const char *label, const OperationNumber *numbers, guint n)
{
  GString *s = g_string_new (NULL);
  g_string_append_printf (s, "[operation]\nlabel=%s\n", label);
  (is_kernel (op) ? add_kernel : add_formula) (s, op, args, numbers, n);
  for (guint i = 0; i < n; i++)
    add_number (s, &numbers[i]);
  return g_string_free (s, FALSE);
}
