/* SPDX-License-Identifier: MIT
 *
 * Strings have only escapes that both languages know. The writer looks whether its line does what it shall, and else says all steps.
 */
#include "core/recipe/macro_text.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ops/args.h"
#include "core/recipe/imagej.h"

#include <string.h>

/* ---- Strings and values ---- */

char *
macro_text_string (const char *text)
{
  static const char plain[] = "\\\"\n\r\t", escaped[] = "\\\"nrt";
  GString *s = g_string_new ("\"");
  while (*text) {
    const char *special = strchr (plain, *text);
    gunichar c = g_utf8_get_char_validated (text, -1);
    if (special)
      g_string_append_printf (s, "\\%c", escaped[special - plain]);
    else if (c == (gunichar) -1 || c == (gunichar) -2)
      g_string_append_printf (s, "\\x%02x", (guint8) *text);
    else
      g_string_append_unichar (s, c);
    text = special || (gint32) c < 0 ? text + 1 : g_utf8_next_char (text);
  }
  g_string_append_c (s, '"');
  return g_string_free (s, FALSE);
}

/* The bracket that closes the one at `text`; NULL: there is none. */
static const char *
closing (const char *text)
{
  int depth = 0;
  for (; *text; text++) {
    depth += (*text == '[') - (*text == ']');
    if (!depth)
      return text;
  }
  return NULL;
}

void
macro_text_append (GString *arguments, const char *key, const char *value)
{
  g_autofree char *quoted = text_quote (value), *bracketed = g_strdup_printf ("[%s]", value);
  const char *end = closing (bracketed);
  if (arguments->len)
    g_string_append_c (arguments, ' ');
  g_string_append_printf (arguments, "%s=", key);
  if (!strcmp (quoted, value) && *value != '[')
    g_string_append (arguments, value);
  else if (end && !end[1])
    g_string_append (arguments, bracketed);
  else if (strcmp (quoted, value))
    g_string_append (arguments, quoted);
  else
    g_string_append_printf (arguments, "\"%s\"", value);
}

char *
macro_text_run (const char *command, const char *arguments)
{
  g_autofree char *name = macro_text_string (command), *rest = macro_text_string (arguments);
  return *arguments ? g_strdup_printf ("run(%s, %s);", name, rest) : g_strdup_printf ("run(%s);", name);
}

/* As a step writes it: values in brackets are in quotes. */
static char *
unbracket (const char *arguments, GError **error)
{
  g_autoptr (GString) s = g_string_new (NULL);
  char quote = 0;
  gboolean value = FALSE; /* behind the first '=' of a word */
  for (const char *c = arguments; *c; c++) {
    if (!quote && !value && c[0] == '=' && c[1] == '[') {
      const char *end = closing (c + 1);
      if (!end) {
        step_error_set (error, FV_BAD_ARGUMENT, NULL, "Unclosed bracket: %s", arguments);
        return NULL;
      }
      g_autofree char *inside = g_strndup (c + 2, (gsize) (end - c - 2)), *quoted = text_quote (inside);
      g_string_append_printf (s, "=%s", quoted);
      c = end;
      continue;
    }
    value = (value || *c == '=') && (quote || !g_ascii_isspace (*c));
    g_string_append_c (s, *c);
    if (quote == '"' && *c == '\\' && c[1])
      g_string_append_c (s, *++c);
    else if (quote)
      quote = *c == quote ? 0 : quote;
    else if (*c == '"' || *c == '\'')
      quote = *c;
  }
  return g_string_free (g_steal_pointer (&s), FALSE);
}

char **
macro_text_words (const char *arguments, GError **error)
{
  g_autofree char *plain = unbracket (arguments, error);
  return plain ? text_words (plain, error) : NULL;
}

/* ---- Operations ---- */

const Op *
macro_text_op (const Modules *modules, const char *name)
{
  const GPtrArray *ops = modules_ops (modules);
  const Op *found = NULL;
  guint n = 0;
  for (guint i = 0; i < ops->len; i++) {
    const Op *op = ops->pdata[i];
    g_autofree char *title = op_title (op);
    if (!strcmp (op->fv.label, name) || !strcmp (title, name)) {
      found = op;
      n++;
    }
  }
  return n == 1 ? found : n ? NULL : modules_op (modules, name, NULL);
}

static void
unknown (const Modules *modules, const char *command, const char *const *others, GError **error)
{
  const GPtrArray *ops = modules_ops (modules);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *hint = NULL;
  for (guint i = 0; i < 2 * ops->len; i++) {
    const Op *op = ops->pdata[i / 2];
    g_ptr_array_add (names, (gpointer) (i % 2 ? op->fv.key : op->fv.label));
  }
  for (; *others; others++)
    g_ptr_array_add (names, (gpointer) *others);
  g_ptr_array_add (names, NULL);
  hint = text_nearest (command, (const char *const *) names->pdata);
  if (hint)
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "Unknown command '%s'. Did you mean '%s'?", command, hint);
  else
    step_error_set (error, FV_BAD_ARGUMENT, NULL, "Unknown command '%s'. See 'fovea ops' for the operations.", command);
}

/* ---- Reading ---- */

/* The words of a step, which may be none of its own. */
static char *
own_step (const Op *op, char *const *words)
{
  GString *text = g_string_new (op->fv.key);
  for (; *words; words++) {
    const char *equals = strchr (*words, '=');
    gsize n = equals ? (gsize) (equals + 1 - *words) : 0;
    g_autofree char *quoted = text_quote (*words + n);
    g_string_append_printf (text, " %.*s%s", (int) n, *words, quoted);
  }
  return g_string_free (text, FALSE);
}

/* As ImageJ reads the line, where all of it is ImageJ's, or else as the operation does. */
static Recipe *
add_steps (const Modules *modules, const Recipe *recipe, const char *command, const char *arguments,
           const char *const *others, GError **error)
{
  g_auto (GStrv) words = macro_text_words (arguments, error);
  const Op *op = macro_text_op (modules, command);
  GError *wrong = NULL;
  if (!words)
    return NULL;
  g_autofree char *text = imagej_steps (modules, command, words, op != NULL, &wrong);
  if (wrong) {
    g_propagate_error (error, wrong);
    return NULL;
  }
  if (!text && !op) {
    unknown (modules, command, others, error);
    return NULL;
  }
  if (!text)
    text = own_step (op, words);
  return recipe_with_parsed (recipe, recipe_length (recipe), 0, modules, text, error);
}

static Recipe *
set_steps (const Modules *modules, const char *arguments, GError **error)
{
  g_auto (GStrv) words = macro_text_words (arguments, error);
  if (!words)
    return NULL;
  if (!words[0] || words[1] || !g_str_has_prefix (words[0], "steps=")) {
    step_error_set (error, FV_BAD_ARGUMENT, "steps", "%s accepts steps=[STEP | STEP | …] only.", MACRO_SET_STEPS);
    return NULL;
  }
  const char *text = words[0] + strlen ("steps=");
  return *text ? recipe_parse (modules, text, error) : recipe_new ();
}

static Recipe *
change_step (const Recipe *recipe, const char *arguments, GError **error)
{
  g_auto (GStrv) words = macro_text_words (arguments, error);
  g_autoptr (Recipe) with = recipe_ref (recipe);
  guint64 index;
  if (!words)
    return NULL;
  if (!recipe_length (recipe) || !words[0] || !g_str_has_prefix (words[0], "step=")
      || !g_ascii_string_to_unsigned (words[0] + strlen ("step="), 10, 1, recipe_length (recipe), &index, NULL)) {
    step_error_set (error, FV_BAD_ARGUMENT, "step",
                    "%s begins with step=N, from 1 to the number of steps, which is %u.", MACRO_CHANGE_STEP,
                    recipe_length (recipe));
    return NULL;
  }
  for (char **word = words + 1; *word; word++) {
    char *equals = strchr (*word, '=');
    if (!equals) {
      step_error_set (error, FV_BAD_ARGUMENT, NULL, "%s: '%s' is not NAME=VALUE.", MACRO_CHANGE_STEP, *word);
      return NULL;
    }
    *equals = 0;
    Recipe *next = recipe_with_text (with, (guint) index - 1, *word, equals + 1, error);
    if (!next)
      return NULL;
    recipe_unref (with);
    with = next;
  }
  return g_steal_pointer (&with);
}

Recipe *
macro_text_apply (const Modules *modules, const Recipe *recipe, const char *command, const char *arguments,
                  const char *const *others, GError **error)
{
  if (!strcmp (command, MACRO_SET_STEPS))
    return set_steps (modules, arguments, error);
  if (!strcmp (command, MACRO_CHANGE_STEP))
    return change_step (recipe, arguments, error);
  return add_steps (modules, recipe, command, arguments, others, error);
}

/* ---- Writing ---- */

/* What a step says, {key=value, …}. Free with g_strfreev(). */
static char **
words_of (const Step *step)
{
  g_autofree char *text = step_format (step);
  char **words = text_words (text, NULL);
  g_free (words[0]); /* the operation */
  memmove (words, words + 1, g_strv_length (words + 1) * sizeof *words + sizeof *words);
  return words;
}

static void
append_word (GString *s, const char *word)
{
  const char *equals = strchr (word, '=');
  g_autofree char *key = g_strndup (word, (gsize) (equals - word));
  macro_text_append (s, key, equals + 1);
}

static const char *
write_added (const Modules *modules, const Step *step, GString *arguments)
{
  g_auto (GStrv) words = words_of (step);
  for (char **word = words; *word; word++)
    append_word (arguments, *word);
  return macro_text_op (modules, step->op->fv.label) == step->op ? step->op->fv.label : step->op->fv.key;
}

/* The word of the list that is about the same key; NULL: none is. */
static const char *
word_like (char *const *words, const char *word)
{
  gsize n = strcspn (word, "=") + 1;
  for (; *words; words++)
    if (!strncmp (*words, word, n))
      return *words;
  return NULL;
}

/* The default of a key. Free with g_free(). */
static char *
value_unsaid (const Op *op, const char *key)
{
  const fv_param *param = args_param (op, key);
  return param ? args_default (param) : g_strdup (strcmp (key, "skip") ? "" : "no");
}

static const char *
write_changed (const Step *before, const Step *after, guint index, GString *arguments)
{
  g_auto (GStrv) old = words_of (before), new = words_of (after);
  g_string_printf (arguments, "step=%u", index + 1);
  for (char **word = old; *word; word++)
    if (!word_like (new, *word)) {
      g_autofree char *key = g_strndup (*word, strcspn (*word, "=")), *value = value_unsaid (after->op, key);
      macro_text_append (arguments, key, value);
    }
  for (char **word = new; *word; word++)
    if (g_strcmp0 (word_like (old, *word), *word))
      append_word (arguments, *word);
  return MACRO_CHANGE_STEP;
}

/* The first index at which they differ. */
static guint
difference (const Recipe *a, const Recipe *b)
{
  guint n = MIN (recipe_length (a), recipe_length (b)), i = 0;
  while (i < n && step_equal (recipe_step (a, i), recipe_step (b, i)))
    i++;
  return i;
}

/* The command, and its arguments, of a line that may do; NULL: there is none. */
static const char *
write_short (const Modules *modules, const Recipe *before, const Recipe *after, GString *arguments)
{
  guint n = recipe_length (before), index = difference (before, after);
  if (index == n && recipe_length (after) == n + 1)
    return write_added (modules, recipe_step (after, n), arguments);
  if (index < n && recipe_length (after) == n && recipe_step (before, index)->op == recipe_step (after, index)->op)
    return write_changed (recipe_step (before, index), recipe_step (after, index), index, arguments);
  return NULL;
}

static gboolean
makes (const Modules *modules, const Recipe *before, const Recipe *after, const char *command, const char *arguments)
{
  static const char *const none[] = {NULL};
  g_autoptr (Recipe) made = macro_text_apply (modules, before, command, arguments, none, NULL);
  return made && recipe_equal (made, after);
}

char *
macro_text_change (const Modules *modules, const Recipe *before, const Recipe *after)
{
  guint n = recipe_length (before);
  g_autoptr (GString) arguments = g_string_new (NULL);
  const char *command = write_short (modules, before, after, arguments);
  gboolean done = command && makes (modules, before, after, command, arguments->str);
  if (command && !done && recipe_length (after) == n + 1) { /* the label and these words may be ImageJ's */
    command = recipe_step (after, n)->op->fv.key;
    done = makes (modules, before, after, command, arguments->str);
  }
  if (!done) {
    g_autofree char *steps = recipe_format (after);
    g_string_truncate (arguments, 0);
    command = MACRO_SET_STEPS;
    macro_text_append (arguments, "steps", steps);
  }
  return macro_text_run (command, arguments->str);
}
