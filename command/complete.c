/* SPDX-License-Identifier: MIT
 */
#include "command/complete.h"

#include "command/arguments.h"
#include "command/command.h"
#include "command/complete_steps.h"
#include "command/print.h"
#include "command/save_options.h"

#include <string.h>

/* The end of a command line. */
typedef struct {
  fovea_context *context;
  const Command *command;
  GPtrArray *words;   /* without quotes; the last one is being typed */
  gboolean quoted;    /* a quote is open */
  const char *word;   /* what is typed of an argument or a value */
  gsize cut;          /* bytes of it, at its beginning, that the shell does not replace */
  const char *before; /* what the shell replaces before it: "--device=" */
  guint offered;      /* candidates */
} Line;

/* ---- The line ---- */

/* Ends a word, if one has begun. */
static void
end_word (GPtrArray *words, GString *word, gboolean *begun)
{
  if (*begun)
    g_ptr_array_add (words, g_strdup (word->str));
  g_string_truncate (word, 0);
  *begun = FALSE;
}

/* As a shell does, but for expansions. The last word may be empty, and its quote open. */
static GPtrArray *
split (const char *text, gboolean *quoted)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) word = g_string_new (NULL);
  gboolean begun = FALSE;
  char quote = 0;
  for (; *text; text++) {
    const gboolean blank = !quote && g_ascii_isspace (*text);
    if (blank)
      end_word (words, word, &begun);
    else if (quote ? *text == quote : *text == '"' || *text == '\'')
      quote = quote ? 0 : *text;
    else if (*text == '\\' && text[1] && (!quote || (quote == '"' && strchr ("$`\"\\", text[1]))))
      g_string_append_c (word, *++text);
    else
      g_string_append_c (word, *text);
    begun = begun || !blank;
  }
  g_ptr_array_add (words, g_strdup (word->str));
  *quoted = quote != 0;
  return words;
}

/* ---- Candidates ---- */

static void
print_candidate (Line *line, const char *text, const char *shown, const char *help)
{
  g_autofree char *about = g_strdelimit (g_strdup (help ? help : ""), "\t\n", ' ');
  g_autofree char *row = g_strdup_printf ("%s%s\t%s\t%s\n", line->before, text, shown, about);
  print_text (row);
  line->offered++;
}

static void
offer (Line *line, const char *candidate, const char *help)
{
  g_autofree char *text = g_strconcat (candidate, " ", NULL);
  if (g_str_has_prefix (candidate, line->word))
    print_candidate (line, text + line->cut, candidate, help);
}

/* A part of a quoted text, whose quote is opened where it is not. */
static void
offer_part (gpointer data, const char *before, const char *candidate, const char *end, const char *help)
{
  Line *line = data;
  g_autofree char *text = g_strconcat (before, candidate, end, NULL),
                  *shown = g_strconcat (candidate, strcmp (end, " ") ? end : "", NULL),
                  *whole = g_strconcat (line->quoted || line->cut ? "" : "'", text + line->cut, NULL);
  print_candidate (line, whole, shown, help);
}

static void
offer_each (Line *line, const char *const *candidates)
{
  for (; *candidates; candidates++)
    offer (line, *candidates, NULL);
}

static void
offer_commands (Line *line)
{
  for (const Command *const *c = commands; *c; c++)
    offer (line, (*c)->name, (*c)->help);
}

static void
offer_operations (Line *line)
{
  for (const fovea_operation *const *op = fovea_context_operations (line->context); op && *op; op++)
    offer (line, (*op)->key, (*op)->help);
}

static void
offer_groups (Line *line)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  for (const fovea_operation *const *op = fovea_context_operations (line->context); op && *op; op++)
    if ((*op)->menu && g_hash_table_add (known, (gpointer) (*op)->menu))
      offer (line, (*op)->menu, NULL);
}

/* What is left to the shell; only where nothing else was offered. */
static void
offer_names (const Line *line, gboolean folders)
{
  if (!line->offered)
    print_text (folders ? ":folders\n" : ":files\n");
}

/* ---- Options and arguments ---- */

static void
offer_options (Line *line, const GOptionEntry *const *lists)
{
  for (; *lists; lists++)
    for (const GOptionEntry *entry = *lists; entry->long_name; entry++) {
      g_autofree char *name = g_strconcat ("--", entry->long_name, NULL);
      offer (line, name, entry->description);
    }
}

static void
offer_values (Line *line, const GOptionEntry *entry)
{
  const char *takes = entry->arg_description ? entry->arg_description : "";
  if (!strcmp (takes, "DEVICE"))
    offer_each (line, (const char *const[]){"auto", "cpu", "cuda", NULL});
  else if (!strcmp (takes, "METHOD"))
    offer_each (line, save_methods);
  else if (!strcmp (takes, "VERSION"))
    offer_each (line, save_versions);
  else if (g_str_has_prefix (takes, "'STEP"))
    complete_steps (line->context, line->word, offer_part, line);
  else if (entry->arg == G_OPTION_ARG_FILENAME || entry->arg == G_OPTION_ARG_FILENAME_ARRAY)
    offer_names (line, !strcmp (takes, "DIR"));
}

/* Argument n of the command, from 0, as its declaration calls it: "INPUT"; the last one may be any number: "INPUT...". Free with g_free(). */
static char *
argument_name (const Command *command, guint n)
{
  gboolean quoted;
  g_autofree char *plain = g_strdup (command->arguments);
  char *to = plain;
  for (const char *from = plain; *from; from++)
    if (*from != '[' && *from != ']')
      *to++ = *from;
  *to = '\0';
  g_autoptr (GPtrArray) names = split (plain, &quoted);
  const char *last = names->pdata[names->len - 1];
  return g_strdup (n < names->len ? names->pdata[n] : g_str_has_suffix (last, "...") ? last : "");
}

/* Of an action, such as "list|card". */
static void
offer_actions (Line *line, const char *name)
{
  g_auto (GStrv) actions = g_strsplit (name, "|", -1);
  offer_each (line, (const char *const *) actions);
}

static void
offer_models (Line *line)
{
  g_autoptr (fovea_models) models = fovea_models_new (line->context, NULL);
  for (size_t i = 0; fovea_models_name (models, i); i++)
    offer (line, fovea_models_name (models, i), fovea_models_path (models, i));
}

static void
offer_arguments (Line *line, guint n)
{
  static const char *const none[] = {NULL};
  g_autofree char *name = argument_name (line->command, n);
  gboolean files = *name && strcmp (name, "STEP | STEP | ...");
  if (g_str_has_prefix (name, "STEP"))
    complete_steps (line->context, line->word, offer_part, line);
  else if (g_str_has_prefix (name, "NAME=VALUE")) {
    complete_value (line->context, fovea_context_figure (line->context), "", line->word, none, offer_part, line);
    files = FALSE;
  } else if (g_str_has_prefix (name, "list|")) {
    offer_actions (line, name);
    files = FALSE;
  } else if (!strcmp (name, "MODEL|FILE")) {
    files = g_ptr_array_find_with_equal_func (line->words, "add", g_str_equal, NULL);
    if (!files)
      offer_models (line);
  } else if (strstr (name, "OPERATION") || strstr (name, "WORD")) {
    (strstr (name, "OPERATION") ? offer_commands : offer_groups) (line);
    offer_operations (line);
    files = FALSE;
  }
  if (files)
    offer_names (line, FALSE);
}

/* From the command's word on, which is the first one. */
static void
complete_command (Line *line, guint first)
{
  const GOptionEntry *const lists[] = {command_options, line->command->options, NULL}, *pending = NULL;
  const guint last = line->words->len - 1;
  const gboolean takes_steps = g_str_has_prefix (line->command->arguments, "'STEP");
  gboolean options = TRUE; /* until "--" */
  guint arguments = 0;
  for (guint i = first + 1; i < last; i++) {
    const char *word = line->words->pdata[i];
    const GOptionEntry *before = pending;
    pending = options && !before ? arguments_pending (lists, word) : NULL;
    if (!before && options && !strcmp (word, "--"))
      options = FALSE;
    else if (!before && !(options && *word == '-'))
      arguments++;
    else if (!before && (!strcmp (word, "--steps") || g_str_has_prefix (word, "--steps=")) && takes_steps)
      arguments++; /* the option replaces the argument */
  }
  const char *equals = g_str_has_prefix (line->word, "--") ? strchr (line->word, '=') : NULL;
  g_autofree char *option = equals ? g_strndup (line->word, (gsize) (equals - line->word)) : NULL,
                  *assigned = equals ? g_strconcat (option, "=", NULL) : NULL;
  if (pending)
    offer_values (line, pending);
  else if (options && equals && (pending = arguments_pending (lists, option))) {
    const gsize n = strlen (assigned);
    line->word += n;
    line->before = line->cut >= n ? "" : assigned + line->cut;
    line->cut = line->cut >= n ? line->cut - n : 0;
    offer_values (line, pending);
  } else if (options && *line->word == '-')
    offer_options (line, lists);
  else
    offer_arguments (line, arguments);
}

/* A command, or files for the app. */
static void
complete_first (Line *line)
{
  offer_commands (line);
  if (*line->word == '-')
    offer_each (line, (const char *const[]){"--help", "--version", "--no-plugins", NULL});
  offer_names (line, FALSE);
}

int
complete (int argc, char **argv)
{
  if (argc < 2)
    return COMMAND_WRONG_USE;
  g_autoptr (fovea_context) context = fovea_context_new (FOVEA_DEFAULT, NULL);
  Line line = {.context = context, .before = ""};
  g_autoptr (GPtrArray) words = line.words = split (argv[1], &line.quoted);
  line.word = words->pdata[words->len - 1];
  const char *tail = argc > 2 ? argv[2] : line.word;
  const guint first = words->len > 2 && !strcmp (words->pdata[1], "--no-plugins") ? 2 : 1;
  if (words->len < 2 || !g_str_has_suffix (line.word, tail))
    return COMMAND_DONE;
  line.cut = strlen (line.word) - strlen (tail);
  if (first == words->len - 1)
    complete_first (&line);
  else if ((line.command = command_find (words->pdata[first])))
    complete_command (&line, first);
  else
    offer_names (&line, FALSE);
  return COMMAND_DONE;
}
