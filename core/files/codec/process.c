/* SPDX-License-Identifier: MIT
 *
 * The other process has the packed bytes and the pixels in memory that both share, so that nothing of them is sent.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/files/codec/process.h"

#include "core/base/progress.h"
#include "core/ops/module_path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
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

codec_end
files_codec_process (const char *path, char *const *words, int file, double seconds)
{
  const gint64 until = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);
  posix_spawn_file_actions_t actions;
  int status = 0;
  pid_t process, ended;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (file >= 0)
    posix_spawn_file_actions_adddup2 (&actions, file, CODEC_FILE);
  const int fault = posix_spawn (&process, path, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy (&actions);
  if (fault)
    return CODEC_LOST;
  if (!await (process, until, &status, &ended) || (WIFSIGNALED (status) && WTERMSIG (status) == SIGXCPU))
    return CODEC_LATE;
  if (ended < 0)
    return CODEC_LOST;
  return WIFEXITED (status) ? (codec_end) WEXITSTATUS (status) : CODEC_DAMAGED;
}

/* Runs the program, on the file if there is one. */
static codec_end
run (const FilesCodec *codec, int file)
{
  g_autofree char *folder = module_path_shipped (), *path = g_build_filename (folder, codec->program, NULL);
  char *const words[] = {(char *) codec->program, file < 0 ? NULL : "decode", NULL};
  return files_codec_process (path, words, file, CODEC_SECONDS);
}

gboolean
files_codec_can (FilesCodec *codec)
{
  enum { ABSENT = 1, THERE };
  int state = g_atomic_int_get (&codec->state);
  if (
    !state) { /* threads that are first together look each: a child of fork() would wait for one that it does not have */
    state = run (codec, -1) == CODEC_DONE ? THERE : ABSENT;
    g_atomic_int_set (&codec->state, state);
  }
  return state == THERE;
}

static codec_end
decode (const FilesCodec *codec, int file, const codec_job *job, const guint8 *packed, guint8 *to)
{
  if (posix_fallocate (file, 0, (off_t) job->whole))
    return CODEC_LOST;
  guint8 *memory = mmap (NULL, job->whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return CODEC_LOST;
  memcpy (memory, job, sizeof *job);
  memcpy (memory + CODEC_PACKED, packed, job->packed);
  const codec_end end = run (codec, file);
  if (end == CODEC_DONE)
    memcpy (to, memory + job->pixels, job->whole - job->pixels);
  munmap (memory, job->whole);
  return end;
}

const char *
files_codec_decode (const FilesCodec *codec, const guint8 *packed, gsize n, const codec_job *wanted, guint8 *to)
{
  codec_job job = *wanted;
  job.packed = n;
  job.pixels = (CODEC_PACKED + n + CODEC_PACKED - 1) / CODEC_PACKED * CODEC_PACKED;
  job.whole = job.pixels + (guint64) job.columns * (guint64) job.rows * job.bytes * job.samples;
  const int file = memfd_create (codec->program, MFD_CLOEXEC);
  const codec_end end = file < 0 ? CODEC_LOST : decode (codec, file, &job, packed, to);
  if (file >= 0)
    close (file);
  return codec->faults[end < CODEC_ENDS ? end : CODEC_DAMAGED];
}
