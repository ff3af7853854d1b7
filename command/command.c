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
char *command_log;
static gboolean no_plugins, help;

const GOptionEntry command_options[] = {
  {"no-plugins", 0, 0, G_OPTION_ARG_NONE, &no_plugins, "Load only the plugin that comes with Fovea", NULL},
  {"quiet", 'q', 0, G_OPTION_ARG_NONE, &print_quiet, "Print only results and errors", NULL},
  {"log", 0, 0, G_OPTION_ARG_FILENAME, &command_log,
   "Add all output, also with --quiet, to FILE, each line with its time", "FILE"},
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

/* A message of the library that is not an error. */
static void
add_message (void *user, const char *text)
{
  (void) user;
  print_logged ("%s", text);
}

/* The command line, as a shell reads it. Free with g_free(). */
static char *
quoted (int argc, char **argv)
{
  g_autoptr (GString) s = g_string_new (NULL);
  for (int i = 0; i < argc; i++) {
    g_autofree char *word = g_shell_quote (argv[i]);
    const gboolean plain = *argv[i] && !argv[i][strspn (argv[i], G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_./=,:@%+")];
    g_string_append_printf (s, "%s%s", i ? " " : "", plain ? argv[i] : word);
  }
  return g_string_free (g_steal_pointer (&s), FALSE);
}

int
command_call (const Command *command, int argc, char **argv)
{
  g_autofree char *line = quoted (argc, argv);
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
  if (command_log && !print_log_to (command_log, &error))
    return command_wrong_use (command->name, "%s", error->message);
  if (command_log)
    fovea_log_to (add_message, NULL);
  print_logged ("fovea %s: %s", fovea_version (), line);
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

int
command_fault (const char *command, const fovea_error *error)
{
  if (fovea_error_code (error) == FOVEA_BAD_ARGUMENT && *fovea_error_field (error))
    return command_wrong_use (command, "%s", fovea_error_message (error));
  return command_fail (fovea_error_message (error));
}

gboolean
command_has_device (const char *command, const fovea_context *context, const char *device)
{
  static const char *const known[] = {"auto", "cpu", "cuda", NULL};
  g_autoptr (GString) keys = g_string_new (NULL);
  if (!device || g_strv_contains (known, device) || g_regex_match_simple ("^cuda:[0-9]+$", device, 0, 0))
    return TRUE;
  for (const fovea_device *const *d = fovea_context_devices (context); *d; d++) {
    const gsize n = strlen (device);
    if (!strcmp ((*d)->key, device) || (g_str_has_prefix ((*d)->key, device) && (*d)->key[n] == ':'))
      return TRUE;
    g_string_append_printf (keys, "%s%s", keys->len ? ", " : "", (*d)->key);
  }
  command_wrong_use (command, "--device: device '%s' does not exist: this machine has %s.", device, keys->str);
  return FALSE;
}

/* Ends the program where the environment allows none. */
fovea_context *
command_context (void)
{
  g_autoptr (fovea_error) error = NULL;
  fovea_context *context = fovea_context_new (no_plugins ? FOVEA_NO_PLUGINS : FOVEA_DEFAULT, &error);
  if (!context) {
    command_fail (fovea_error_message (error));
    exit (COMMAND_WRONG_USE);
  }
  for (const char *const *refused = fovea_context_refused (context); *refused; refused++)
    print_error ("not loaded: %s", *refused);
  if (command_native)
    fovea_context_allow_native (context);
  return context;
}
