/* SPDX-License-Identifier: MIT
 */
#include "command/steps_option.h"

#include "command/command.h"
#include "command/streams.h"
#include "command/volume_options.h"

#include <string.h>

char *steps_path;

/* Whether standard input would be the steps and something else, too. */
static gboolean
are_both_input (char **arguments)
{
  return steps_path && !strcmp (steps_path, "-") && g_strv_contains ((const char *const *) arguments, "-");
}

/* Whether the argument is steps rather than the name of an input. */
static gboolean
are_steps (fovea_context *context, const char *argument)
{
  if (!argument || !*argument || !g_utf8_validate (argument, -1, NULL) || g_file_test (argument, G_FILE_TEST_EXISTS))
    return FALSE;
  g_autoptr (fovea_recipe) recipe = fovea_recipe_parse (context, argument, NULL);
  return recipe != NULL;
}

static fovea_recipe *
read_steps (fovea_context *context, const char *first, fovea_error **error)
{
  const char *path = steps_path ? streams_input (steps_path, error) : NULL;
  if (steps_path)
    return path ? fovea_recipe_load (context, path, error) : NULL;
  return fovea_recipe_parse (context, first, error);
}

/* Says what is wrong with the steps, and how to take them from a file that was given instead. */
static void
say_fault (const char *command, const char *first, const char *fault)
{
  if (!steps_path && g_file_test (first, G_FILE_TEST_IS_REGULAR))
    command_wrong_use (command, "%s '--steps %s' takes steps from that file.", fault, first);
  else
    command_wrong_use (command, "%s", fault);
}

fovea_recipe *
steps_recipe (const char *command, fovea_context *context, char **arguments)
{
  g_autoptr (fovea_error) error = NULL;
  const char *first = *arguments;
  fovea_recipe *recipe = NULL;
  if (are_both_input (arguments))
    command_wrong_use (command, "standard input (-) can be the steps or an input, not both.");
  else if (steps_path && are_steps (context, first))
    command_wrong_use (command, "the steps are given twice, by --steps and as '%s'.", first);
  else if (!steps_path && !g_utf8_validate (first, -1, NULL))
    command_wrong_use (command, "the steps are not UTF-8 text: %s", first);
  else if (!(recipe = read_steps (context, first, &error)))
    say_fault (command, first, fovea_error_message (error));
  else if (!(recipe = volume_options (recipe)))
    command_wrong_use (command, VOLUME_OPTIONS_BOTH);
  return recipe;
}
