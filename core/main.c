/* SPDX-License-Identifier: MIT
 *
 * The `fovea` command: finds the subcommand and what they share.
 */
#include "command.h"
#include "report.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *name, *arguments, *help;
  int (*run) (int argc, char **argv);
} commands[] = {
  {"run", "'STEP | STEP | ...' INPUT", "run steps on an image and save what they make", command_run},
  {"info", "FILE...", "say what is in image files", command_info},
  {"convert", "INPUT OUTPUT", "write an image in the format of another extension", command_convert},
  {"ops", "", "list the operations", command_ops},
  {"help", "OPERATION", "explain an operation and its parameters", command_help},
  {"devices", "", "list the devices that work can run on", command_devices},
};

static gboolean no_plugins;

/* Options of every command. */
static const GOptionEntry common_entries[] = {
  {"no-plugins", 0, 0, G_OPTION_ARG_NONE, &no_plugins, "Load no plugin but the one that Fovea comes with", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static void
print_help (FILE *to)
{
  fputs (
    "Usage: fovea COMMAND [OPTION...] [ARGUMENT...]\n       fovea [FILE...]   opens the window\n\nMicroscopy image "
    "analysis: from a file to a table.\n\nCommands:\n",
    to);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (to, "  %-8s %-27s %s\n", commands[i].name, commands[i].arguments, commands[i].help);
  fputs ("\nOptions:\n  --version  print the version\n  --help     print this\n"
         "\n'fovea COMMAND --help' explains a command. A step is OPERATION NAME=VALUE ..., for example:\n"
         "  fovea run 'gaussian sigma=2 | otsu | label | regionprops' cells.tif --table cells.csv\n",
         to);
}

gboolean
command_parse (int *argc, char ***argv, const char *arguments, const char *summary, const GOptionEntry *entries)
{
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_strdup_printf ("fovea %s", (*argv)[0]);
  g_set_prgname (program);
  g_option_context_set_summary (context, summary);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_main_entries (context, common_entries, NULL);
  if (g_option_context_parse (context, argc, argv, &error))
    return TRUE;
  command_wrong_use ((*argv)[0], "%s.", error->message);
  return FALSE;
}

int
command_fail (const GError *error)
{
  fprintf (stderr, "fovea: %s\n", error->message);
  return COMMAND_FAILED;
}

int
command_wrong_use (const char *command, const char *format, ...)
{
  va_list ap;
  fputs ("fovea: ", stderr);
  va_start (ap, format);
  vfprintf (stderr, format, ap);
  va_end (ap);
  fprintf (stderr, "\nTry 'fovea %s --help'.\n", command);
  return COMMAND_WRONG_USE;
}

Modules *
command_modules (void)
{
  Modules *modules = no_plugins ? modules_new_shipped () : modules_new ();
  for (const char *const *refused = modules_refused (modules); *refused; refused++)
    fprintf (stderr, "fovea: a plugin is not used: %s\n", *refused);
  return modules;
}

void
command_print_json (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = report_json (root);
  puts (text);
  g_object_unref (builder);
}

/* Replaces this program by the window, with the files that are given; comes back when there is none, or no display. */
static void
start_window (char **argv)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL), *folder = self ? g_path_get_dirname (self) : NULL;
  if (!folder || !(g_getenv ("DISPLAY") || g_getenv ("WAYLAND_DISPLAY")))
    return;
  g_autofree char *installed = g_build_filename (folder, "fovea-gtk", NULL);
  g_autofree char *built = g_build_filename (folder, "..", "ui", "fovea-gtk", NULL);
  execv (installed, argv);
  execv (built, argv);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  if (argc < 2 || g_file_test (argv[1], G_FILE_TEST_IS_REGULAR))
    start_window (argv);
  if (argc < 2) {
    print_help (stderr);
    return COMMAND_WRONG_USE;
  }
  if (!strcmp (argv[1], "--help") || !strcmp (argv[1], "-h")) {
    print_help (stdout);
    return COMMAND_DONE;
  }
  if (!strcmp (argv[1], "--version")) {
    puts ("fovea " FOVEA_VERSION);
    return COMMAND_DONE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (!strcmp (argv[1], commands[i].name))
      return commands[i].run (argc - 1, argv + 1);
  fprintf (stderr, "fovea: there is no command '%s'.\nTry 'fovea --help'.\n", argv[1]);
  return COMMAND_WRONG_USE;
}
