/* SPDX-License-Identifier: MIT
 *
 * The subcommands of `fovea`. Each declares itself in one struct, from which its help is made and its options are parsed.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "library/fovea.h"

#include <json-glib/json-glib.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_batch, fovea_batch_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_context, fovea_context_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_error, fovea_error_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_file, fovea_file_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_image, fovea_image_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_models, fovea_models_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_recipe, fovea_recipe_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_run, fovea_run_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_table, fovea_table_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_task, fovea_task_free)

/* The exit status. Wrong use is what the command line shows by itself, with the files and folders that it names, before an image is opened. All else
 * that goes wrong is a failure. docs/reference/environment.md lists cases. */
enum { COMMAND_GO_ON = -1, COMMAND_DONE = 0, COMMAND_FAILED = 1, COMMAND_WRONG_USE = 2 };

typedef struct Command {
  const char *name;                        /* "run" */
  const char *arguments;                   /* "INPUT OUTPUT"; "": none */
  const char *help;                        /* a few words, for the list of commands */
  const char *description;                 /* sentences, for its own help */
  const GOptionEntry *options;             /* the last one has no name; NULL: none of its own */
  void (*before) (int *argc, char **argv); /* sees the arguments before options are parsed; may be NULL */
  int (*run) (int argc, char **argv);      /* with the arguments that are left (argv[0] is the name); the exit status */
} Command;

extern const Command command_run, command_macro, command_batch, command_compare, command_figure, command_info,
  command_convert, command_score, command_ops, command_formats, command_models, command_help, command_devices;

/* All commands, in the order of the help; ends with NULL. main() sets it first. */
extern const Command *const *commands;
/* The file of --log, or NULL. */
extern char *command_log;
/* The options of every command; the last one has no name. */
extern const GOptionEntry command_options[];
/* NULL: no command has that name. */
const Command *command_find (const char *name);
/* Parses the options and runs the command, or prints its help; the exit status. */
int command_call (const Command *command, int argc, char **argv);
/* The help of a command, as --help prints it. Free with g_free(). */
char *command_help_text (const Command *command);
/* The help of `fovea` itself, which lists the commands. Free with g_free(). */
char *command_list_text (void);
/* "fovea: message" on standard error; returns COMMAND_FAILED. */
int command_fail (const char *message);
/* "fovea: message", and how to get help about the command or, for "", about all; returns COMMAND_WRONG_USE. */
int command_wrong_use (const char *command, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* An option of commands that run steps: whether these may carry code of this machine. */
extern gboolean command_native;
#define NATIVE_OPTION                                                                                                  \
  {                                                                                                                    \
    "allow-native", 0, 0, G_OPTION_ARG_NONE, &command_native,                                                          \
      "Allow steps that contain code, such as kernel; it runs with your permissions", NULL                             \
  }
/* The exit status after an error of the library that came before an image was opened: wrong use where an argument was at fault. */
int command_fault (const char *command, const fovea_error *error);
/* Whether the name of a device, or NULL, is one that this or another machine has: auto, cpu, cuda, cuda:N, or a device of a plugin. FALSE after a message
 * about wrong use. */
gboolean command_has_device (const char *command, const fovea_context *context, const char *device);
/* The plugins; says on standard error which were refused. Ends the program, with a sentence, where a variable of the environment
 * holds what it must not. */
fovea_context *command_context (void);

#endif
