/* SPDX-License-Identifier: MIT
 *
 * The steps of commands that run some: their first argument, or the file of --steps.
 */
#ifndef COMMAND_STEPS_OPTION_H
#define COMMAND_STEPS_OPTION_H

#include "library/fovea.h"

#include <glib.h>

extern char *steps_path;

/* For a command's table of options. */
#define STEPS_OPTION                                                                                                   \
  {                                                                                                                    \
    "steps", 0, 0, G_OPTION_ARG_FILENAME, &steps_path,                                                                 \
      "Take the steps from FILE, one per line, as the app saves them; they are then not an argument", "FILE"           \
  }

/* The recipe of a command, with what its options say about volumes. arguments: all, of which the first is the steps unless there is --steps; ends with
 * NULL. NULL after a message about wrong use. */
fovea_recipe *steps_recipe (const char *command, fovea_context *context, char **arguments);

#endif
