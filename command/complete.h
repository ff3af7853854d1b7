/* SPDX-License-Identifier: MIT
 *
 * What the scripts of bash and zsh ask at each press of Tab: `fovea complete LINE [TAIL]`. So they never need a change.
 */
#ifndef COMMAND_COMPLETE_H
#define COMMAND_COMPLETE_H

/* Prints what can follow at the end of a command line, and ignores errors. The line, argv[1], goes up to the cursor, as it was typed. The shell replaces
 * the end of its last word, argv[2], which is without quotes; without argv[2] it replaces the word. A line of the output has the new text, what a list
 * shows, and help, with tabs between them. ":files" and ":folders" are names that the shell knows. Returns the exit status. */
int complete (int argc, char **argv);

#endif
