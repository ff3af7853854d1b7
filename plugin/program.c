/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "plugin/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_FREE_FILE = 10 };

bool
program_path (const char *name, char path[PATH_MAX])
{
#ifdef FOVEA_PROGRAMS
  return snprintf (path, PATH_MAX, "%s/%s", FOVEA_PROGRAMS, name) < PATH_MAX;
#else
  static const char here;
  Dl_info about;
  char module[PATH_MAX];
  if (!dladdr (&here, &about) || !about.dli_fname || !realpath (about.dli_fname, module))
    return false;
  *strrchr (module, '/') = 0;
  if (strlen (module) + 1 + strlen (name) >= PATH_MAX)
    return false;
  strcpy (path, module);
  strcat (path, "/");
  strcat (path, name);
  return true;
#endif
}

int
program_move_up (int file)
{
  const int up = file < 0 ? -1 : fcntl (file, F_DUPFD_CLOEXEC, FIRST_FREE_FILE);
  const int fault = errno;
  if (file >= 0)
    close (file);
  errno = fault;
  return up;
}

int
program_start (const char *path, char *const *words, const program_file *files, int n, pid_t *process)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset (&none);
  sigfillset (&all);
  posix_spawn_file_actions_init (&actions);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (int i = 0; i < n; i++)
    posix_spawn_file_actions_adddup2 (&actions, files[i].from, files[i].to);
  const int fault = posix_spawn (process, path, &actions, &attributes, words, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  if (fault)
    *process = 0;
  return fault;
}

void
program_end (pid_t process, int *status)
{
  kill (-process, SIGKILL);
  kill (process, SIGKILL); /* when it has not got its group yet */
  while (waitpid (process, status, 0) < 0 && errno == EINTR)
    ;
}
