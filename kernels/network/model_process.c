/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "kernels/network/model_process.h"

#include "kernels/network/model_file.h"
#include "plugin/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOMENT = 20 /* ms */, LONGEST = 300 /* s, to read a file */, SOCKET = 0, ANSWER = 1 };

struct model_process {
  pid_t owner, id;
  int socket, file, threads;
  float *memory;
  size_t bytes;
  bool on_gpu;
  char says[sizeof ((model_reply *) NULL)->text];
};

static fv_status
cannot_start (fv_error *error, int fault)
{
  if (fault == ENOENT)
    return fail (error, FV_UNSUPPORTED, "model", "%s, which reads other networks, is missing: install Fovea again.",
                 MODEL_PROGRAM);
  return fail (error, fault == ENOMEM ? FV_NO_MEMORY : FV_UNSUPPORTED, "model", "%s cannot be started: %s.",
               MODEL_PROGRAM, strerror (fault));
}

static int
start (char *const *words, const program_file *files, int n, pid_t *id)
{
  char path[PATH_MAX];
  if (!program_path (MODEL_PROGRAM, path) || access (path, X_OK))
    return ENOENT;
  return program_start (path, words, files, n, id);
}

/* ---- Reading a file ---- */

/* What the program says until it closes its end. FALSE: that takes too long. */
static bool
listen_to (int from, char *text, size_t size)
{
  size_t n = 0;
  int waited = 0;
  while (waited < LONGEST * 1000) {
    struct pollfd end = {from, POLLIN, 0};
    const int ready = poll (&end, 1, MOMENT);
    char byte;
    waited += ready ? 0 : MOMENT;
    if (ready <= 0)
      continue;
    const ssize_t got = read (from, &byte, 1);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    if (n + 1 < size)
      text[n++] = byte;
  }
  text[n] = 0;
  return waited < LONGEST * 1000;
}

fv_status
model_process_read (const char *file, const char *folder, fv_error *error)
{
  char *const words[] = {MODEL_PROGRAM, "read", (char *) file, (char *) folder, NULL};
  char text[sizeof error->text] = "";
  int ends[2], status = 0;
  pid_t id;
  if (pipe2 (ends, O_CLOEXEC))
    return cannot_start (error, errno);
  const int up = program_move_up (ends[1]);
  const program_file files[] = {{up, ANSWER}};
  const int fault = up < 0 ? errno : start (words, files, 1, &id);
  close (up);
  if (fault) {
    close (ends[0]);
    return cannot_start (error, fault);
  }
  if (!listen_to (ends[0], text, sizeof text))
    kill (id, SIGKILL);
  close (ends[0]);
  while (waitpid (id, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFEXITED (status) && !WEXITSTATUS (status))
    return FV_OK;
  return fail (error, FV_BAD_ARGUMENT, "model", "%s", *text ? text : "It cannot be read; it is probably damaged.");
}

/* ---- Computing ---- */

void
model_process_free (model_process *p)
{
  if (p->id > 0 && p->owner == getpid ())
    program_end (p->id, NULL);
  if (p->memory)
    munmap (p->memory, p->bytes);
  if (p->socket >= 0)
    close (p->socket);
  if (p->file >= 0)
    close (p->file);
  free (p);
}

/* The process that does not answer any more. */
static fv_status
give_up (model_process *p, fv_error *error)
{
  int status = 0;
  if (p->id > 0)
    program_end (p->id, &status);
  p->id = 0;
  if (WIFSIGNALED (status) && WTERMSIG (status) != SIGKILL)
    return fail (error, FV_BAD_ARGUMENT, "model", "ONNX Runtime crashed with this network (%s).",
                 strsignal (WTERMSIG (status)));
  return fail (error, FV_NO_MEMORY, "model",
               "The process of ONNX Runtime ended, probably since memory is short. Smaller tiles need less: tile=256.");
}

/* Its next message. */
static fv_status
await (const fv_call *call, model_process *p, fv_error *error)
{
  model_reply reply;
  for (size_t n = 0; n < sizeof reply;) {
    struct pollfd socket = {p->socket, POLLIN, 0};
    const int ready = poll (&socket, 1, MOMENT);
    if (call->host->tick (call, 0, 1)) {
      program_end (p->id, NULL);
      p->id = 0;
      return cancelled (error);
    }
    const ssize_t got = ready > 0 ? recv (p->socket, (char *) &reply + n, sizeof reply - n, 0) : -1;
    if (ready <= 0 || (got < 0 && errno == EINTR))
      continue;
    if (got <= 0)
      return give_up (p, error);
    n += (size_t) got;
  }
  reply.text[sizeof reply.text - 1] = 0;
  if (reply.failed)
    return fail (error, FV_BAD_ARGUMENT, "model", "%s", reply.text);
  if (!*p->says)
    memcpy (p->says, reply.text, sizeof p->says);
  p->on_gpu = reply.on_gpu;
  return FV_OK;
}

static int
connect_to (model_process *p, const char *folder, int gpu)
{
  char threads[16], device[16];
  char *const words[] = {MODEL_PROGRAM, "run", (char *) folder, threads, device, NULL};
  int sockets[2];
  snprintf (threads, sizeof threads, "%d", p->threads);
  snprintf (device, sizeof device, "%d", gpu);
  p->file = program_move_up (memfd_create ("fovea-model", MFD_CLOEXEC));
  if (p->file < 0 || socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
    return errno;
  p->socket = program_move_up (sockets[0]);
  const int other = program_move_up (sockets[1]);
  const program_file files[] = {{other, SOCKET}, {p->file, MODEL_MEMORY}};
  const int fault = p->socket < 0 || other < 0 ? errno : start (words, files, 2, &p->id);
  if (other >= 0)
    close (other);
  return fault;
}

model_process *
model_process_start (const fv_call *call, const char *folder, int threads, int gpu, fv_error *error)
{
  model_process *p = calloc (1, sizeof *p);
  if (!p) {
    cannot_start (error, ENOMEM);
    return NULL;
  }
  *p = (model_process){.owner = getpid (), .socket = -1, .file = -1, .threads = threads};
  const int fault = connect_to (p, folder, gpu);
  if (fault)
    cannot_start (error, fault);
  if (!fault && !await (call, p, error))
    return p;
  model_process_free (p);
  return NULL;
}

const char *
model_process_says (const model_process *p)
{
  return p->says;
}

bool
model_process_is_on_gpu (const model_process *p)
{
  return p->on_gpu;
}

bool
model_process_is_usable (const model_process *p, int threads)
{
  return p->id > 0 && p->owner == getpid () && p->threads == threads;
}

float *
model_process_memory (model_process *p, int64_t floats, fv_error *error)
{
  const size_t bytes = (size_t) floats * sizeof (float);
  if (bytes <= p->bytes)
    return p->memory;
  const int fault = posix_fallocate (p->file, 0, (off_t) bytes);
  void *memory = fault ? MAP_FAILED : mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, p->file, 0);
  if (memory == MAP_FAILED) {
    fail (error, FV_NO_MEMORY, "",
          "Memory is short: a tile with its results needs %.1f MiB. Smaller tiles need less: "
          "tile=256.",
          (double) bytes / 1048576);
    return NULL;
  }
  if (p->memory)
    munmap (p->memory, p->bytes);
  p->memory = memory;
  p->bytes = bytes;
  return memory;
}

fv_status
model_process_run (const fv_call *call, model_process *p, int64_t rows, int64_t columns, fv_error *error)
{
  const model_request request = {rows, columns, (int64_t) p->bytes};
  if (p->id <= 0 || send (p->socket, &request, sizeof request, MSG_NOSIGNAL) != (ssize_t) sizeof request)
    return give_up (p, error);
  return await (call, p, error);
}
