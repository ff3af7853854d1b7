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

/* Adds an argument that begins with one dash, in two where a value is attached. TRUE: the next argument is the value. */
static gboolean
add_short (GPtrArray *to, const GOptionEntry *const *entries, const char *argument)
{
  for (gsize i = 1; argument[i]; i++) {
    const GOptionEntry *entry = find_short (entries, argument[i]);
    if (!entry || (takes_value (entry) && !argument[i + 1])) {
      g_ptr_array_add (to, g_strdup (argument));
      return entry != NULL;
    }
    if (takes_value (entry)) {
      g_ptr_array_add (to, g_strndup (argument, i + 1));
      g_ptr_array_add (to, g_strdup (argument + i + 1));
      return FALSE;
    }
  }
  g_ptr_array_add (to, g_strdup (argument));
  return FALSE;
}

/* Adds the arguments up to "--", or all; how many of argv these are. */
static int
add_options (GPtrArray *to, const GOptionEntry *const *entries, int argc, char **argv)
{
  gboolean value = FALSE;
  int i = 0;
  for (; i < argc && (value || strcmp (argv[i], "--")); i++)
    if (value || argv[i][0] != '-') {
      g_ptr_array_add (to, g_strdup (argv[i]));
      value = FALSE;
    } else if (argv[i][1] == '-') {
      const GOptionEntry *entry = find_long (entries, argv[i] + 2);
      g_ptr_array_add (to, g_strdup (argv[i]));
      value = entry && takes_value (entry);
    } else
      value = add_short (to, entries, argv[i]);
  return i;
}

gboolean
arguments_parse (GOptionContext *context, const GOptionEntry *const *entries, int *argc, char ***argv, GError **error)
{
  GPtrArray *options = g_ptr_array_new (), *all;
  int n = add_options (options, entries, *argc, *argv), left = (int) options->len;
  g_ptr_array_add (options, NULL);
  static char **all_parsed; /* kept as long as the program runs, like argv */
  char **parsed = all_parsed = (char **) g_ptr_array_free (options, FALSE);
  if (!g_option_context_parse (context, &left, &parsed, error))
    return FALSE;
  all = g_ptr_array_new ();
  for (int i = 0; i < left; i++)
    g_ptr_array_add (all, parsed[i]);
  for (int i = n + 1; i < *argc; i++)
    g_ptr_array_add (all, (*argv)[i]);
  *argc = (int) all->len;
  g_ptr_array_add (all, NULL);
  *argv = (char **) g_ptr_array_free (all, FALSE);
  return TRUE;
}
