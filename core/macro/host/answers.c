/* SPDX-License-Identifier: MIT
 *
 * A field's name is its label, with '_' for blanks.
 */
#include "core/macro/host/answers.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <string.h>

struct Answers {
  const char *const *all;
  gboolean *asked;
};

Answers *
answers_new (const char *const *all)
{
  static const char *const none[] = {NULL};
  Answers *answers = g_new (Answers, 1);
  all = all ? all : none;
  *answers = (Answers){all, g_new0 (gboolean, g_strv_length ((char **) all) + 1)};
  return answers;
}

void
answers_free (Answers *answers)
{
  g_free (answers->asked);
  g_free (answers);
}

static char *
name_of (const MacroField *field)
{
  return g_strdelimit (g_strstrip (g_strdup (field->label)), " \t\n", '_');
}

static gboolean
set (MacroField *field, const char *name, const char *value, GError **error)
{
  double number;
  const gboolean yes = !strcmp (value, "yes") || !strcmp (value, "true");
  if (field->kind == MACRO_NUMBER && !text_to_number (value, &number))
    step_error_set (error, FV_BAD_ARGUMENT, name, "--arg %s: '%s' is not a number.", name, value);
  else if (field->kind == MACRO_CHECKBOX && !yes && strcmp (value, "no") && strcmp (value, "false"))
    step_error_set (error, FV_BAD_ARGUMENT, name, "--arg %s must be yes or no, not '%s'.", name, value);
  else if (field->kind == MACRO_CHOICE && !g_strv_contains ((const char *const *) field->choices, value)) {
    g_autofree char *choices = g_strjoinv (", ", field->choices);
    step_error_set (error, FV_BAD_ARGUMENT, name, "--arg %s must be one of %s, not '%s'.", name, choices, value);
  } else {
    g_free (field->value);
    field->value = field->kind == MACRO_CHECKBOX ? g_strdup (yes ? "yes" : "no") : g_strdup (value);
    return TRUE;
  }
  return FALSE;
}

/* The field that the answer names, or NULL. */
static MacroField *
field_of (GPtrArray *fields, const char *answer)
{
  gsize n = strcspn (answer, "=");
  for (guint i = 0; i < fields->len; i++) {
    g_autofree char *name = name_of (fields->pdata[i]);
    if (strlen (name) == n && !g_ascii_strncasecmp (name, answer, n))
      return fields->pdata[i];
  }
  return NULL;
}

static gboolean
fail_unknown (GPtrArray *fields, const char *title, const char *answer, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < fields->len; i++) {
    g_autofree char *name = name_of (fields->pdata[i]);
    g_string_append_printf (names, "%s%s", i ? ", " : "", name);
  }
  step_error_set (error, FV_BAD_ARGUMENT, NULL, "--arg %.*s: '%s' has no such field; it has %s.",
                  (int) strcspn (answer, "="), answer, title, names->str);
  return FALSE;
}

gboolean
answers_give (Answers *answers, const char *title, GPtrArray *fields, GError **error)
{
  for (guint i = 0; answers->all[i]; i++) {
    const char *answer = answers->all[i];
    MacroField *field = field_of (fields, answer);
    g_autofree char *name = g_strndup (answer, strcspn (answer, "="));
    if (!field && !answers->asked[i])
      return fail_unknown (fields, title, answer, error);
    answers->asked[i] = TRUE;
    if (field && !set (field, name, answer + strlen (name) + 1, error))
      return FALSE;
  }
  return TRUE;
}

char *
answers_unasked (const Answers *answers)
{
  for (guint i = 0; answers->all[i]; i++)
    if (!answers->asked[i])
      return g_strndup (answers->all[i], strcspn (answers->all[i], "="));
  return NULL;
}
