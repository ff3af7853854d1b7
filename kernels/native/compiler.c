/* SPDX-License-Identifier: MIT
 *
 * The first of these names in $PATH, as a process of its own, in a group that can be ended with all that it has started. Those
 * of C only where there is none of C++; tcc last, for its code is the slowest. It ignores options that it does not know.
 */
#include "kernels/native/compiler.h"

#include "kernels/native/complaint.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct {
  const char *name;
  kernel_language language;
} compilers[] = {{"c++", KERNEL_CPP}, {"g++", KERNEL_CPP}, {"clang++", KERNEL_CPP}, {"cc", KERNEL_C},
                 {"gcc", KERNEL_C},   {"clang", KERNEL_C}, {"tcc", KERNEL_C}};
enum { N_COMPILERS = sizeof compilers / sizeof *compilers };

/* The widest vectors that this machine has. */
static const char *
vectors (void)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512dq")
      && __builtin_cpu_supports ("avx512vl") && __builtin_cpu_supports ("avx512cd"))
    return "-march=x86-64-v4";
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && __builtin_cpu_supports ("bmi2"))
    return "-march=x86-64-v3";
#endif
  return "-fPIC"; /* which is among the options anyway */
}

/* A frame of any size touches each page of the stack, and so ends where the stack does. */
#if defined(__x86_64__)
#define PROBES "-fstack-clash-protection"
#else
#define PROBES "-fPIC" /* not every compiler knows the other one here */
#endif

static bool
find_program (const char *name, char path[PATH_MAX])
{
  const char *at = getenv ("PATH");
  char found[PATH_MAX];
  for (; at && *at; at += *at == ':') {
    int n = (int) strcspn (at, ":");
    if (*at == '/' && snprintf (found, sizeof found, "%.*s/%s", n, at, name) < PATH_MAX && !access (found, X_OK)) {
      memcpy (path, found, strlen (found) + 1);
      return true;
    }
    at += n;
  }
  return false;
}

fv_status
compiler_find (compiler *c, fv_error *error)
{
  struct stat s;
  int n = 0;
  while (n < N_COMPILERS && !find_program (compilers[n].name, c->path))
    n++;
  if (n == N_COMPILERS || stat (c->path, &s))
    return fail (error, FV_UNSUPPORTED, "",
                 "On the CPU a kernel needs a compiler, and there is none in $PATH: install g++ or clang, or tcc with "
                 "libc6-dev, which knows C alone, or run the step on a GPU.");
  c->language = compilers[n].language;
  c->vectors = vectors ();
  snprintf (c->identity, sizeof c->identity, "// %s %lld %lld " PROBES " %s\n", c->path, (long long) s.st_size,
            (long long) s.st_mtime, c->vectors);
  return FV_OK;
}

/* The environment with messages in English, to be freed. NULL: no memory. */
static char **
plain_environment (void)
{
  static char english[] = "LC_ALL=C";
  size_t n = 0;
  char **env;
  while (environ[n])
    n++;
  if (!(env = malloc ((n + 2) * sizeof *env)))
    return NULL;
  n = 0;
  env[n++] = english;
  for (char **at = environ; *at; at++)
    if (strncmp (*at, "LC_ALL=", 7) && strncmp (*at, "LANGUAGE=", 9))
      env[n++] = *at;
  env[n] = NULL;
  return env;
}

/* In the folder, its words into the log. 0, or an error number. */
static int
start (const compiler *c, const char *folder, char **environment, pid_t *process)
{
  const char *const cpp[] = {"-xc++", "-std=c++17", "-w", "-fno-exceptions"};
  /* C++ refuses what C only warns of, such as a function that is not declared. Columns would be those of a text that was changed. */
  const char *const plain[] = {"-xc", "-fgnu89-inline", "-Werror", "-fno-show-column"};
  const char *const *own = c->language == KERNEL_CPP ? cpp : plain;
  const char *const words[] = {c->path,
                               own[0],
                               own[1],
                               own[2],
                               own[3],
                               "-O3",
                               c->vectors,
                               "-ffp-contract=off",
                               "-fno-math-errno",
                               "-Wno-pass-failed",
                               PROBES,
                               "-fPIC",
                               "-shared",
                               "-o",
                               COMPILER_LIBRARY,
                               COMPILER_SOURCE,
                               "-lm",
                               NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  int fault;
  posix_spawn_file_actions_init (&files);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_addchdir_np (&files, folder);
  posix_spawn_file_actions_addopen (&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen (&files, 2, COMPILER_LOG, O_WRONLY | O_CREAT, 0600);
  fault = posix_spawn (process, c->path, &files, &attributes, (char *const *) words, environment);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&files);
  return fault;
}

/* The status of the process; -1: stopped by the host, and ended. */
static int
wait_for (pid_t process, const fv_call *call)
{
  const struct timespec moment = {.tv_nsec = 5000000};
  int status = 0;
  while (waitpid (process, &status, WNOHANG) == 0) {
    if (call->host->tick (call, 0, 1)) {
      kill (-process, SIGKILL);
      waitpid (process, &status, 0);
      return -1;
    }
    nanosleep (&moment, NULL);
  }
  return status;
}

static fv_status
complain (const compiler *c, const char *folder, fv_error *error)
{
  char path[PATH_MAX], log[16384];
  FILE *file;
  size_t n = 0;
  snprintf (path, sizeof path, "%s/" COMPILER_LOG, folder);
  if ((file = fopen (path, "r"))) {
    n = fread (log, 1, sizeof log - 1, file);
    fclose (file);
  }
  log[n] = 0;
  kernel_complaint (log, error);
  n = strlen (error->text);
  if (c->language == KERNEL_C)
    snprintf (error->text + n, sizeof error->text - n, " (%s compiles C alone: for C++ install g++ or clang)",
              strrchr (c->path, '/') + 1);
  return error->code;
}

fv_status
compiler_run (const compiler *c, const char *folder, const fv_call *call, fv_error *error)
{
  char **environment = plain_environment ();
  pid_t process;
  int fault = environment ? start (c, folder, environment, &process) : ENOMEM, status;
  free (environment);
  if (fault)
    return fail (error, FV_UNSUPPORTED, "", "The compiler %s cannot be started: %s.", c->path, strerror (fault));
  if ((status = wait_for (process, call)) == -1)
    return cancelled (error);
  return status ? complain (c, folder, error) : FV_OK;
}
