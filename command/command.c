/* SPDX-License-Identifier: MIT
 *
 * What the subcommands share.
 */
#include "command/command.h"

#include "command/arguments.h"
#include "command/print.h"

#include <stdlib.h>

gboolean command_native;
static gboolean no_plugins, help;

/* Options of every command. */
static const GOptionEntry common_entries[] = {
  {"no-plugins", 0, 0, G_OPTION_ARG_NONE, &no_plugins, "Load only the plugin that comes with Fovea", NULL},
  {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Print this", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

int
command_parse (int *argc, char ***argv, const char *arguments, const char *summary, const GOptionEntry *entries)
{
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_strdup_printf ("fovea %s", (*argv)[0]);
  g_set_prgname (program);
  g_option_context_set_summary (context, summary);
  g_option_context_set_help_enabled (context, FALSE); /* that would end the program on its own */
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_main_entries (context, common_entries, NULL);
  if (!arguments_parse (context, (const GOptionEntry *const[]){entries, common_entries, NULL}, argc, argv, &error))
    return command_wrong_use ((*argv)[0], "%s.", error->message);
  if (help) {
    g_autofree char *text = g_option_context_get_help (context, TRUE, NULL);
    print_text (text);
    return COMMAND_DONE;
  }
  return COMMAND_GO_ON;
}

int
command_fail (const char *message)
{
  print_error ("%s", message);
  return COMMAND_FAILED;
}

int
command_wrong_use (const char *command, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  print_error ("%s\nTry 'fovea%s%s --help'.", text, *command ? " " : "", command);
  return COMMAND_WRONG_USE;
}

/* Ends the program where the environment allows none. */
fovea_context *
command_context (void)
{
  g_autoptr (fovea_error) error = NULL;
  fovea_context *context = fovea_context_new (no_plugins ? FOVEA_NO_PLUGINS : FOVEA_DEFAULT, &error);
  if (!context)
    exit (command_fail (fovea_error_message (error)));
  for (const char *const *refused = fovea_context_refused (context); *refused; refused++)
    print_error ("not loaded: %s", *refused);
  if (command_native)
    fovea_context_allow_native (context);
  return context;
}
