/* SPDX-License-Identifier: MIT
 *
 * The `fovea` command: finds the subcommand, or opens the app.
 */
#include "command/command.h"

#include "command/complete.h"
#include "command/print.h"
#include "command/stop.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COMPLETE "complete" /* not for people, so no help has it */

static const Command *const all[] = {
  &command_run,     &command_macro, &command_batch,  &command_compare, &command_figure, &command_score,   &command_info,
  &command_convert, &command_ops,   &command_models, &command_formats, &command_help,   &command_devices, NULL,
};

/* Replaces this program by the window, with the files that are given; comes back when it is not installed, or there is neither a file nor
 * a display. It is beside this program, or in a build tree, which has a folder of meson's, beside its folder. */
static void
start_window (char **argv)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL), *folder = g_path_get_dirname (self ? self : ".");
  g_autofree char *mark = g_build_filename (folder, "..", "meson-private", NULL);
  gboolean built = g_file_test (mark, G_FILE_TEST_IS_DIR);
  g_autofree char *window = g_build_filename (folder, built ? "../ui/fovea-gtk" : "fovea-gtk", NULL);
  if (argv[1] || g_getenv ("DISPLAY") || g_getenv ("WAYLAND_DISPLAY"))
    execv (window, argv);
}

/* Nothing but files or URLs, and an option that the window takes, too. Names of commands are no files. */
static gboolean
is_for_window (char **argv)
{
  const char *first = argv[1] && !strcmp (argv[1], "--no-plugins") ? argv[2] : argv[1];
  return !first || strstr (first, "://")
         || (!command_find (first) && strcmp (first, COMPLETE) && g_file_test (first, G_FILE_TEST_IS_REGULAR));
}

/* Where no plugin can be loaded the reason follows, and the rest is printed. */
static void
print_version (void)
{
  g_autoptr (fovea_error) error = NULL;
  g_autoptr (fovea_context) context = fovea_context_new (FOVEA_DEFAULT, &error);
  char *about = fovea_context_about (context);
  print_line ("fovea %s", fovea_version ());
  print_text (about);
  if (error)
    print_line ("Plugins: %s", fovea_error_message (error));
  for (const char *const *refused = fovea_context_refused (context); refused && *refused; refused++)
    print_line ("Not loaded: %s", *refused);
  fovea_text_free (about);
}

static int
run_command (int argc, char **argv)
{
  if (argc > 1 && (!strcmp (argv[1], "--help") || !strcmp (argv[1], "-h"))) {
    g_autofree char *text = command_list_text ();
    print_text (text);
    return COMMAND_DONE;
  }
  if (argc > 1 && !strcmp (argv[1], "--version")) {
    print_version ();
    return COMMAND_DONE;
  }
  if (argc > 1 && !strcmp (argv[1], COMPLETE))
    return complete (argc - 1, argv + 1);
  const Command *command = argc > 1 ? command_find (argv[1]) : NULL;
  if (command)
    return command_call (command, argc - 1, argv + 1);
  if (argc > 1 && is_for_window (argv))
    return command_wrong_use ("", "the app, fovea-gtk, is not installed; 'fovea info FILE' describes a file.");
  if (argc > 1)
    return command_wrong_use ("", "unknown command '%s', and no file has that name.", argv[1]);
  g_autofree char *text = command_list_text ();
  fputs (text, stderr);
  return COMMAND_WRONG_USE;
}

int
main (int argc, char **argv)
{
  int status;
  commands = all;
  print_begin ();
  setlocale (LC_ALL, "");
  signal (SIGXFSZ, SIG_IGN); /* a file that may not grow is an error as any other */
  stop_catch ();
  if (is_for_window (argv))
    start_window (argv);
  status = run_command (argc, argv);
  if (!print_end () && status == COMMAND_DONE)
    status = COMMAND_FAILED;
  print_logged ("exit status %d", status);
  return status;
}
