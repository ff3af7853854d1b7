/* SPDX-License-Identifier: MIT
 */
#include "command/complete_steps.h"

#include <string.h>

typedef struct {
  fovea_context *context;
  const char *before, *typed; /* what stays of the text, and the beginning of candidates */
  CompleteAdd add;
  gpointer data;
} Candidates;

static void
offer (const Candidates *c, const char *candidate, const char *end, const char *help)
{
  if (g_str_has_prefix (candidate, c->typed))
    c->add (c->data, c->before, candidate, end, help);
}

static void
offer_choices (const Candidates *c, const fovea_parameter *p)
{
  if (p->type == FOVEA_BOOLEAN) {
    offer (c, "yes", " ", NULL);
    offer (c, "no", " ", NULL);
  }
  for (const fovea_choice *const *choice = p->choices; choice && *choice; choice++)
    offer (c, (*choice)->key, p->type == FOVEA_SET ? "" : " ", (*choice)->help ? (*choice)->help : (*choice)->label);
}

static void
offer_models (const Candidates *c)
{
  fovea_models *models = fovea_models_new (c->context, NULL);
  for (size_t n = 0; fovea_models_name (models, n); n++)
    offer (c, fovea_models_name (models, n), " ", fovea_models_path (models, n));
  fovea_models_free (models);
}

/* The values of a name; of a set those after the last comma. */
static void
offer_values (Candidates c, const fovea_operation *op, const char *name, const char *const *results)
{
  gboolean is_input = !strcmp (name, "from");
  for (const fovea_input *const *input = op->inputs; *input; input++)
    is_input |= !strcmp ((*input)->key, name);
  for (; is_input && *results; results++)
    offer (&c, *results, " ", NULL);
  for (const fovea_parameter *const *p = op->parameters; *p; p++) {
    if (strcmp ((*p)->key, name))
      continue;
    const char *comma = (*p)->type == FOVEA_SET ? strrchr (c.typed, ',') : NULL;
    g_autofree char *before =
      comma ? g_strdup_printf ("%s%.*s", c.before, (int) (comma + 1 - c.typed), c.typed) : g_strdup (c.before);
    Candidates last = {c.context, before, comma ? comma + 1 : c.typed, c.add, c.data};
    offer_choices (&last, *p);
    if ((*p)->models)
      offer_models (&last);
  }
}

static void
offer_names (const Candidates *c, const fovea_operation *op)
{
  for (const fovea_parameter *const *p = op->parameters; *p; p++)
    offer (c, (*p)->key, "=", (*p)->help);
  for (guint i = 0; op->inputs[i]; i++)
    offer (c, i ? op->inputs[i]->key : "from", "=", op->inputs[i]->help ? op->inputs[i]->help : op->inputs[i]->label);
}

void
complete_value (fovea_context *context, const fovea_operation *operation, const char *before, const char *word,
                const char *const *results, CompleteAdd add, gpointer data)
{
  const char *equals = strchr (word, '=');
  if (!equals) {
    offer_names (&(Candidates){context, before, word, add, data}, operation);
    return;
  }
  g_autofree char *name = g_strndup (word, (gsize) (equals - word)), *upto = g_strdup_printf ("%s%s=", before, name);
  offer_values ((Candidates){context, upto, equals + 1, add, data}, operation, name, results);
}

/* ---- Steps ---- */

/* Where the last step and its last word begin; quotes hold blanks and pipes together. */
static void
find_last (const char *steps, const char **step, const char **word)
{
  char quote = 0;
  *step = *word = steps;
  for (const char *at = steps; *at; at++)
    if (quote && *at == quote)
      quote = 0;
    else if (quote == '"' && *at == '\\' && at[1])
      at++;
    else if (!quote && (*at == '"' || *at == '\''))
      quote = *at;
    else if (!quote && (*at == '|' || g_ascii_isspace (*at))) {
      if (*at == '|')
        *step = at + 1;
      *word = at + 1;
    }
}

/* "source", and what steps before call their results; ends with NULL. */
static GPtrArray *
results_of (const char *steps, const char *end)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = g_strndup (steps, (gsize) (end - steps));
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n|", -1);
  g_ptr_array_add (names, g_strdup ("source"));
  for (char **word = words; *word; word++) {
    g_auto (GStrv) given = g_strsplit (g_str_has_prefix (*word, "as=") ? *word + strlen ("as=") : "", ",", -1);
    for (char **name = given; *name; name++)
      if (**name)
        g_ptr_array_add (names, g_strdup (*name));
  }
  g_ptr_array_add (names, NULL);
  return names;
}

void
complete_steps (fovea_context *context, const char *steps, CompleteAdd add, gpointer data)
{
  const char *step, *word;
  find_last (steps, &step, &word);
  g_autofree char *before = g_strndup (steps, (gsize) (word - steps)),
                  *head = g_strstrip (g_strndup (step, (gsize) (word - step)));
  const Candidates c = {context, before, word, add, data};
  if (!*head) {
    for (const fovea_operation *const *op = fovea_context_operations (context); op && *op; op++)
      offer (&c, (*op)->key, " ", (*op)->help);
    return;
  }
  head[strcspn (head, " \t\n")] = '\0';
  const fovea_operation *op = fovea_context_operation (context, head, NULL);
  if (!op)
    return;
  g_autoptr (GPtrArray) results = results_of (steps, step);
  complete_value (context, op, before, word, (const char *const *) results->pdata, add, data);
  if (!strchr (word, '=')) {
    offer (&c, "as", "=", "Names the result for later steps");
    offer (&c, "skip", "=", "yes: the step does nothing");
  }
}
