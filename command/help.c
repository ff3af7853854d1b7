/* SPDX-License-Identifier: MIT
 *
 * fovea help: of all commands, of one, or of an operation.
 */
#include "command/command.h"
#include "command/print.h"
#include "command/reference.h"

/* A name may be that of a command and of an operation. */
static int
run_help (int argc, char **argv)
{
  g_autoptr (fovea_context) context = NULL;
  g_autoptr (fovea_error) error = NULL;
  const Command *command = argc > 1 ? command_find (argv[1]) : NULL;
  g_autofree char *text = NULL, *declared = NULL;
  if (argc > 2)
    return command_wrong_use ("help", "Usage: fovea help [COMMAND|OPERATION]");
  if (argc == 1 || command) {
    text = command ? command_help_text (command) : command_list_text ();
    print_text (text);
  }
  if (argc == 1)
    return COMMAND_DONE;
  context = command_context ();
  const fovea_operation *operation = fovea_context_operation (context, argv[1], &error);
  if (!operation)
    return command ? COMMAND_DONE
                   : command_wrong_use ("", "no command is called '%s'. %s", argv[1], fovea_error_message (error));
  declared = reference_text (operation);
  print_text (declared);
  return COMMAND_DONE;
}

const Command command_help = {
  .name = "help",
  .arguments = "[COMMAND|OPERATION]",
  .help = "explain a command, or an operation and its parameters",
  .description = "Explains a command, as its --help does, or an operation. Without a name it lists the commands.",
  .run = run_help,
};
