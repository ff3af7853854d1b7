/* SPDX-License-Identifier: MIT
 */
#include "command/arguments.h"

#include <string.h>

static gboolean
takes_value (const GOptionEntry *entry)
{
  return entry->arg != G_OPTION_ARG_NONE;
}

static const GOptionEntry *
find_short (const GOptionEntry *const *entries, char name)
{
  for (; *entries; entries++)
    for (const GOptionEntry *entry = *entries; entry->long_name; entry++)
      if (entry->short_name == name)
        return entry;
  return NULL;
}

static const GOptionEntry *
find_long (const GOptionEntry *const *entries, const char *name)
{
  for (; *entries; entries++)
    for (const GOptionEntry *entry = *entries; entry->long_name; entry++)
      if (!strcmp (entry->long_name, name))
        return entry;
  return NULL;
}

const GOptionEntry *
arguments_pending (const GOptionEntry *const *entries, const char *argument)
{
  if (g_str_has_prefix (argument, "--")) {
    const GOptionEntry *entry = find_long (entries, argument + 2);
    return entry && takes_value (entry) ? entry : NULL;
  }
  for (gsize i = 1; *argument == '-' && argument[i]; i++) {
    const GOptionEntry *entry = find_short (entries, argument[i]);
    if (!entry || takes_value (entry))
      return argument[i + 1] ? NULL : entry;
  }
  return NULL;
}

/* Adds an argument that begins with one dash, in two where a value is attached. */
static void
add_short (GPtrArray *to, const GOptionEntry *const *entries, char *argument)
{
  const GOptionEntry *entry;
  for (gsize i = 1; argument[i] && (entry = find_short (entries, argument[i])); i++)
    if (takes_value (entry) && argument[i + 1]) {
      g_autofree char *option = g_strndup (argument, i + 1);
      g_ptr_array_add (to, (char *) g_intern_string (option));
      g_ptr_array_add (to, argument + i + 1);
      return;
    }
  g_ptr_array_add (to, argument);
}

/* Adds the arguments up to "--", or all; how many of argv these are. */
static int
add_options (GPtrArray *to, const GOptionEntry *const *entries, int argc, char **argv)
{
  gboolean value = FALSE;
  int i = 0;
  for (; i < argc && (value || strcmp (argv[i], "--")); i++) {
    if (value || argv[i][0] != '-' || argv[i][1] == '-')
      g_ptr_array_add (to, argv[i]);
    else
      add_short (to, entries, argv[i]);
    value = !value && arguments_pending (entries, argv[i]);
  }
  return i;
}

gboolean
arguments_parse (GOptionContext *context, const GOptionEntry *const *entries, int *argc, char ***argv, GError **error)
{
  static GPtrArray *words; /* kept as long as the program runs, like the strings, which are argv's or interned */
  words = g_ptr_array_new ();
  int n = add_options (words, entries, *argc, *argv), left = (int) words->len;
  g_ptr_array_add (words, NULL);
  char **parsed = (char **) words->pdata;
  if (!g_option_context_parse (context, &left, &parsed, error))
    return FALSE;
  g_ptr_array_set_size (words, left);
  for (int i = n + 1; i < *argc; i++)
    g_ptr_array_add (words, (*argv)[i]);
  *argc = (int) words->len;
  g_ptr_array_add (words, NULL);
  *argv = (char **) words->pdata;
  return TRUE;
}
