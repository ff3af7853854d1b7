/* SPDX-License-Identifier: MIT
 *
 * The subcommands of `fovea`. Each takes its own arguments (argv[0] is its name) and returns the exit status: 0 done,
 * 1 failed, 2 wrong use.
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
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_recipe, fovea_recipe_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_run, fovea_run_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_table, fovea_table_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (fovea_task, fovea_task_free)

enum { COMMAND_GO_ON = -1, COMMAND_DONE = 0, COMMAND_FAILED = 1, COMMAND_WRONG_USE = 2 };

int command_run (int argc, char **argv);
int command_macro (int argc, char **argv);
int command_batch (int argc, char **argv);
int command_compare (int argc, char **argv);
int command_figure (int argc, char **argv);
int command_info (int argc, char **argv);
int command_convert (int argc, char **argv);
int command_ops (int argc, char **argv);
int command_formats (int argc, char **argv);
int command_help (int argc, char **argv);
int command_devices (int argc, char **argv);

/* Parses the options; what is left are the arguments. COMMAND_GO_ON, or the exit status after an error or --help. */
int command_parse (int *argc, char ***argv, const char *arguments, const char *summary, const GOptionEntry *entries);
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
/* The plugins; says on standard error which were refused. Ends the program, with a sentence, where a variable of the environment
 * holds what it must not. */
fovea_context *command_context (void);

#endif
