/* SPDX-License-Identifier: MIT
 *
 * What the subcommands share.
 */
#include "command/command.h"

#include "command/arguments.h"
#include "command/print.h"

#include <stdlib.h>
#include <string.h>

gboolean command_native;
static gboolean no_plugins, help;

const GOptionEntry command_options[] = {
  {"no-plugins", 0, 0, G_OPTION_ARG_NONE, &no_plugins, "Load only the plugin that comes with Fovea", NULL},
  {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Print this", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

const Command *const *commands;

const Command *
command_find (const char *name)
{
  const Command *const *command = commands;
  while (*command && strcmp ((*command)->name, name))
    command++;
  return *command;
}

static GOptionContext *
options_of (const Command *command)
{
  GOptionContext *context = g_option_context_new (command->arguments);
  g_autofree char *program = g_strdup_printf ("fovea %s", command->name);
  g_set_prgname (program);
  g_option_context_set_summary (context, command->description);
  g_option_context_set_help_enabled (context, FALSE); /* that would end the program on its own */
  if (command->options)
    g_option_context_add_main_entries (context, command->options, NULL);
  g_option_context_add_main_entries (context, command_options, NULL);
  return context;
}

char *
command_help_text (const Command *command)
{
  g_autoptr (GOptionContext) context = options_of (command);
  return g_option_context_get_help (context, TRUE, NULL);
}

char *
command_list_text (void)
{
  GString *s = g_string_new ("Usage: fovea COMMAND [OPTION...] [ARGUMENT...]\n"
                             "       fovea [--no-plugins] [FILE...]   opens the app\n"
                             "\nMicroscopy image analysis: from a file to a table.\n\nCommands:\n");
  for (const Command *const *c = commands; *c; c++)
    g_string_append_printf (s, "  %-8s %-35s %s\n", (*c)->name, (*c)->arguments, (*c)->help);
  g_string_append (s,
                   "\n"
                   "Options:\n"
                   "  --version  print the version, and what this build and machine have\n"
                   "  --help     print this help\n"
                   "\n"
                   "'fovea help COMMAND' explains a command, 'fovea help OPERATION' an operation. A step is OPERATION "
                   "NAME=VALUE ..., for example:\n"
                   "  fovea run 'gaussian sigma=2 | otsu | label | regionprops' cells.tif --table "
                   "cells.csv\n");
  return g_string_free (s, FALSE);
}

int
command_call (const Command *command, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = options_of (command);
  g_autoptr (GError) error = NULL;
  if (command->before)
    command->before (&argc, argv);
  if (!arguments_parse (context, (const GOptionEntry *const[]){command_options, command->options, NULL}, &argc, &argv,
                        &error))
    return command_wrong_use (command->name, "%s.", error->message);
  if (help) {
    g_autofree char *text = command_help_text (command);
    print_text (text);
    return COMMAND_DONE;
  }
  return command->run (argc, argv);
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
