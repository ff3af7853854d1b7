/* SPDX-License-Identifier: MIT
 *
 * Programs that lie beside this module, as processes of their own: in a group of their own, so that Ctrl-C in a terminal reaches their owner alone.
 */
#ifndef PLUGIN_PROGRAM_H
#define PLUGIN_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* FALSE: the path cannot be found. */
bool program_path (const char *name, char path[PATH_MAX]);

/* A descriptor of the owner, and the one that the program has it under. */
typedef struct program_file {
  int from, to;
} program_file;

/* Above the descriptors that programs have files under; the other one is closed. -1 with errno. */
int program_move_up (int file);
/* words: of its command, ended by NULL. files: at program_move_up() descriptors. Returns 0 or an errno. */
int program_start (const char *path, char *const *words, const program_file *files, int n, pid_t *process);
/* Kills it and waits for its end. *status: as waitpid() has it, or NULL. */
void program_end (pid_t process, int *status);

#endif
