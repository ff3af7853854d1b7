/* SPDX-License-Identifier: MIT
 *
 * fovea macro: a macro on a thread of its own, while this one waits until it ends or its time is over.
 */
#include "command/background.h"
#include "command/command.h"
#include "command/opened.h"
#include "command/print.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 16 << 20, LATE_MS = 600 };

static char **arguments, **folders;
static char *device_key;
static int memory;
static double seconds;
static gboolean overwrite, reference;

static const GOptionEntry entries[] = {
  {"arg", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &arguments,
   "Set a field of the macro's dialog; without a name, set what getArgument() returns. May "
   "be repeated",
   "NAME=VALUE"},
  {"allow", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &folders,
   "Allow reading and writing in this folder too, in addition to the macro's and the "
   "inputs' own. May be repeated",
   "DIR"},
  NATIVE_OPTION,
  {"device", 'd', 0, G_OPTION_ARG_STRING, &device_key, "Where steps run: auto, cpu, cuda or cuda:N", "DEVICE"},
  {"memory", 0, 0, G_OPTION_ARG_INT, &memory, "Memory limit for the macro's values (1024)", "MiB"},
  {"time", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "Time limit", "SECONDS"},
  {"overwrite", 0, 0, G_OPTION_ARG_NONE, &overwrite, "Allow it to replace existing files that it did not create", NULL},
  {"reference", 0, 0, G_OPTION_ARG_NONE, &reference, "Print all macro functions as Markdown", NULL},
  {NULL, 0, 0, 0, NULL, NULL, NULL},
};

typedef struct {
  fovea_context *context;
  const char *path; /* NULL: standard input, of which this is the text: */
  const char *text;
  fovea_macro_options options;
} Job;

/* ---- On the thread that works ---- */

static void
on_print (void *user, const char *line)
{
  (void) user;
  if (isatty (STDERR_FILENO) && !print_quiet)
    print_progress (NULL);
  g_autofree char *text = g_strconcat (line, "\n", NULL);
  print_text (text);
  fflush (stdout);
}

static void
on_progress (void *user, double done)
{
  (void) user;
  if (isatty (STDERR_FILENO)) {
    g_autofree char *text = g_strdup_printf ("%d %%", (int) lround (100 * done));
    print_progress (done < 1 ? text : NULL);
  }
}

static void
on_status (void *user, const char *text)
{
  (void) user;
  if (isatty (STDERR_FILENO))
    print_progress (text);
}

static void
on_note (void *user, const char *text)
{
  (void) user;
  if (isatty (STDERR_FILENO) && !print_quiet)
    print_progress (NULL);
  print_note ("%s", text);
}

static char *
work (gpointer data)
{
  Job *job = data;
  g_autoptr (fovea_error) error = NULL;
  if (!fovea_macro_run (job->context, job->path, job->text, &job->options, &error))
    return NULL;
  return g_strdup (fovea_error_message (error));
}

/* ---- On the main thread ---- */

/* When its time is over it ends by itself; what is stuck in one call, which looks at no clock, ends with the program. */
static void
end_late (Background *background, gint64 end)
{
  if (background_wait (background, end + LATE_MS * G_TIME_SPAN_MILLISECOND))
    return;
  fovea_abandon_files ();
  print_error ("It took longer than the limit of %g s.", seconds);
  _exit (COMMAND_FAILED);
}

static int
run_and_wait (Job *job)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *fault = NULL;
  gint64 end = g_get_monotonic_time () + (gint64) (seconds * G_TIME_SPAN_SECOND);
  Background *background = background_start ("fovea-macro", work, job, &error);
  if (!background)
    return command_fail (error->message);
  if (seconds > 0)
    end_late (background, end);
  fault = background_end (background);
  if (!print_quiet && isatty (STDERR_FILENO))
    print_progress (NULL);
  return fault ? command_fail (fault) : COMMAND_DONE;
}

/* All of standard input; NULL after a message. */
static char *
read_input (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char part[4096];
  gssize n;
  while ((n = read (STDIN_FILENO, part, sizeof part)) > 0 && text->len + (gsize) n <= LARGEST)
    g_string_append_len (text, part, n);
  if (n < 0)
    print_error ("Standard input cannot be read: %s.", g_strerror (errno));
  else if (n > 0)
    print_error ("Standard input is too large for a macro: 16 MiB at most.");
  return n ? NULL : g_string_free (g_steal_pointer (&text), FALSE);
}

/* The exit status after an error. */
static int
check_options (void)
{
  int nameless = 0;
  for (char **argument = arguments; argument && *argument; argument++)
    nameless += !strchr (*argument, '=');
  if (nameless > 1)
    return command_wrong_use ("macro", "only one --arg can be without a name, not %d; others are NAME=VALUE.",
                              nameless);
  if (memory < 0 || !(seconds >= 0) || seconds > 1e9)
    return command_wrong_use ("macro", "--memory and --time must be above 0.");
  for (char **folder = folders; folder && *folder; folder++)
    if (!g_file_test (*folder, G_FILE_TEST_IS_DIR))
      return command_wrong_use ("macro", "--allow %s: this folder does not exist.", *folder);
  return COMMAND_GO_ON;
}

static int
run_macro (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  int status = check_options ();
  if (status != COMMAND_GO_ON)
    return status;
  if (reference) {
    char *page = fovea_macro_reference ();
    print_text (page);
    fovea_text_free (page);
    return COMMAND_DONE;
  }
  if (argc < 2)
    return command_wrong_use ("macro", "Usage: fovea macro FILE [INPUT...]; FILE is a macro, or - for standard input.");
  if (!opened_exist ((const char *const *) argv + 1, &error))
    return command_wrong_use ("macro", "%s", error->message);
  if (!strcmp (argv[1], "-") && !(text = read_input ()))
    return COMMAND_FAILED;
  context = command_context ();
  if (!command_has_device ("macro", context, device_key))
    return COMMAND_WRONG_USE;
  Job job = {.context = context, .path = text ? NULL : argv[1], .text = text};
  job.options = (fovea_macro_options){.size = sizeof job.options,
                                      .inputs = (const char *const *) argv + 2,
                                      .arguments = (const char *const *) arguments,
                                      .folders = (const char *const *) folders,
                                      .device = device_key,
                                      .memory = (int64_t) memory << 20,
                                      .seconds = seconds,
                                      .overwrite = overwrite,
                                      .print = on_print,
                                      .progress = print_quiet ? NULL : on_progress,
                                      .status = print_quiet ? NULL : on_status,
                                      .note = on_note};
  return run_and_wait (&job);
}

const Command command_macro = {
  .name = "macro",
  .arguments = "FILE|- [INPUT...]",
  .help = "run a macro, such as the app records",
  .description = "Runs a macro: a Lua program such as the app records. '-' reads standard input. INPUT "
                 "images are opened before it\n"
                 "starts. A macro can only use files in its own folder, in those of the inputs and in "
                 "those of --allow.",
  .options = entries,
  .run = run_macro,
};
