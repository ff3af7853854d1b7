/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/files/czi/jpeg_xr_process.h"

#include "core/base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  OFTEN = 20 /* ms between looks at what else may end the process */,
  RARELY = 2 /* the same where the system cannot tell of its end */
};

extern char **environ;

/* Waits for the end of the process, which is killed when its time is over. FALSE: it was. */
static gboolean
await (pid_t process, gint64 until, int *status, pid_t *ended)
{
  const int descriptor = (int) syscall (SYS_pidfd_open, process, 0);
  gboolean in_time = TRUE;
  while (!(*ended = waitpid (process, status, in_time ? WNOHANG : 0)) || (*ended < 0 && errno == EINTR)) {
    struct pollfd end = {.fd = descriptor, .events = POLLIN};
    if (in_time && (g_get_monotonic_time () >= until || progress_stopped (NULL))) {
      kill (process, SIGKILL);
      in_time = FALSE;
    } else if (in_time)
      poll (&end, 1, descriptor < 0 ? RARELY : OFTEN);
  }
  if (descriptor >= 0)
    close (descriptor);
  return in_time;
}

jpeg_xr_end
files_czi_jpeg_xr_process (const char *path, char *const *words, int file, double seconds)
{
  const gint64 until = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);
  posix_spawn_file_actions_t actions;
  int status = 0;
  pid_t process, ended;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (file >= 0)
    posix_spawn_file_actions_adddup2 (&actions, file, JPEG_XR_FILE);
  const int fault = posix_spawn (&process, path, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy (&actions);
  if (fault)
    return JPEG_XR_LOST;
  if (!await (process, until, &status, &ended) || (WIFSIGNALED (status) && WTERMSIG (status) == SIGXCPU))
    return JPEG_XR_LATE;
  if (ended < 0)
    return JPEG_XR_LOST;
  return WIFEXITED (status) ? (jpeg_xr_end) WEXITSTATUS (status) : JPEG_XR_DAMAGED;
}
