/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "kernels/native/worker.h"

#include "plugin/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { MOMENT = 5 /* ms */ };

typedef struct known {
  char *source;
  uint64_t used; /* in which call, for the last time */
} known;

struct worker {
  pid_t owner, process;
  int socket, file;
  worker_arena *arena;
  char *whole;
  size_t whole_bytes;
  int threads; /* that have memory for their slots */
  uint64_t calls;
  known libraries[WORKER_LIBRARIES];
  uint8_t at[WORKER_THREADS]; /* of each ring */
};

static fv_status
no_worker (fv_error *error, const char *what, int fault)
{
  return fail (error, fault == ENOMEM || fault == ENOSPC ? FV_NO_MEMORY : FV_UNSUPPORTED, "",
               "A process for a kernel cannot be started: %s: %s.", what, strerror (fault));
}

/* ---- Starting ---- */

static fv_status
start_process (worker *w, fv_error *error)
{
  char *const words[] = {WORKER_PROGRAM, NULL};
  char path[PATH_MAX];
  int sockets[2], fault;
  if (!program_path (WORKER_PROGRAM, path))
    return no_worker (error, WORKER_PROGRAM, ENOENT);
  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
    return no_worker (error, "socket", errno);
  w->socket = program_move_up (sockets[0]);
  const int other = program_move_up (sockets[1]);
  const program_file files[] = {{other, WORKER_SOCKET}, {w->file, WORKER_FILE}};
  fault = w->socket < 0 || other < 0 ? errno : program_start (path, words, files, 2, &w->process);
  close (other);
  return fault ? no_worker (error, path, fault) : FV_OK;
}

static fv_status
make_arena (worker *w, fv_error *error)
{
  w->file = program_move_up (memfd_create ("fovea-kernel", MFD_CLOEXEC));
  if (w->file < 0 || ftruncate (w->file, (off_t) WORKER_WHOLE))
    return no_worker (error, "memory", errno);
  const int fault = posix_fallocate (w->file, 0, (off_t) sizeof (worker_arena));
  if (fault)
    return no_worker (error, "memory", fault);
  void *arena = mmap (NULL, WORKER_WHOLE, PROT_READ | PROT_WRITE, MAP_SHARED, w->file, 0);
  if (arena == MAP_FAILED)
    return no_worker (error, "memory", errno);
  w->arena = arena;
  return FV_OK;
}

worker *
worker_start (fv_error *error)
{
  worker *w = calloc (1, sizeof *w);
  if (!w) {
    no_worker (error, "memory", ENOMEM);
    return NULL;
  }
  w->owner = getpid ();
  w->file = w->socket = -1;
  if (!make_arena (w, error) && !start_process (w, error))
    return w;
  worker_free (w);
  return NULL;
}

void
worker_free (worker *w)
{
  if (w->process > 0 && w->owner == getpid ())
    program_end (w->process, NULL);
  if (w->arena)
    munmap (w->arena, WORKER_WHOLE);
  if (w->whole)
    munmap (w->whole, w->whole_bytes);
  if (w->socket >= 0)
    close (w->socket);
  if (w->file >= 0)
    close (w->file);
  for (int i = 0; i < WORKER_LIBRARIES; i++)
    free (w->libraries[i].source);
  free (w);
}

bool
worker_is_usable (const worker *w)
{
  return w->owner == getpid () && !worker_has_ended (w);
}

/* ---- Memory ---- */

worker_arena *
worker_shared (const worker *w)
{
  return w->arena;
}

char *
worker_pixels (const worker *w, int slot, size_t *offset)
{
  *offset = WORKER_FIRST_PIXELS + (size_t) slot * WORKER_PIXELS;
  return (char *) w->arena + *offset;
}

char *
worker_whole (worker *w, size_t bytes, fv_error *error)
{
  if (bytes <= w->whole_bytes)
    return w->whole;
  bytes = (bytes + WORKER_PAGE - 1) / WORKER_PAGE * WORKER_PAGE;
  const int fault = posix_fallocate (w->file, (off_t) WORKER_WHOLE, (off_t) bytes);
  void *whole =
    fault ? MAP_FAILED : mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, w->file, (off_t) WORKER_WHOLE);
  if (whole == MAP_FAILED) {
    fail (error, FV_NO_MEMORY, "", "Not enough memory: the raw arrays of a kernel need %.1f MiB of shared memory.",
          (double) bytes / 1048576);
    return NULL;
  }
  if (w->whole)
    munmap (w->whole, w->whole_bytes);
  w->whole = whole;
  w->whole_bytes = bytes;
  return whole;
}

/* ---- Libraries ---- */

int
worker_library (worker *w, const char *source, bool *known)
{
  int oldest = 0;
  w->calls++;
  for (int i = 0; i < WORKER_LIBRARIES; i++) {
    if (w->libraries[i].source && !strcmp (w->libraries[i].source, source)) {
      w->libraries[i].used = w->calls;
      *known = true;
      return i;
    }
    if (w->libraries[i].used < w->libraries[oldest].used)
      oldest = i;
  }
  *known = false;
  return oldest;
}

static bool
send_request (const worker *w, const worker_request *request, int file)
{
  union {
    char bytes[CMSG_SPACE (sizeof (int))];
    struct cmsghdr align;
  } control = {{0}};
  struct iovec part = {(void *) request, sizeof *request};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (file >= 0) {
    control.align = (struct cmsghdr){CMSG_LEN (sizeof file), SOL_SOCKET, SCM_RIGHTS};
    memcpy (CMSG_DATA (&control.align), &file, sizeof file);
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
  }
  return sendmsg (w->socket, &message, MSG_NOSIGNAL) == sizeof *request;
}

static bool
receive_reply (const worker *w, worker_reply *reply, int (*stop) (void *), void *data)
{
  struct pollfd socket = {w->socket, POLLIN, 0};
  ssize_t n;
  while (poll (&socket, 1, MOMENT) <= 0)
    if (stop (data))
      return false;
  do
    n = recv (w->socket, reply, sizeof *reply, 0);
  while (n < 0 && errno == EINTR);
  return n == sizeof *reply;
}

/* Memory for the slots of so many threads. */
static fv_status
reserve_slots (worker *w, int threads, fv_error *error)
{
  const size_t each = (size_t) WORKER_RING * WORKER_PIXELS;
  if (threads <= w->threads)
    return FV_OK;
  const int fault = posix_fallocate (w->file, (off_t) (WORKER_FIRST_PIXELS + (size_t) w->threads * each),
                                     (off_t) ((size_t) (threads - w->threads) * each));
  if (fault)
    return no_worker (error, "memory", fault);
  w->threads = threads;
  return FV_OK;
}

fv_status
worker_prepare (worker *w, int library, const char *source, int file, int threads, int (*stop) (void *), void *data,
                fv_error *error)
{
  const worker_request request = {library, file >= 0, threads, (int64_t) w->whole_bytes};
  worker_reply reply;
  if (reserve_slots (w, threads, error))
    return error->code;
  if (!send_request (w, &request, file) || !receive_reply (w, &reply, stop, data))
    return FV_CANCELLED;
  reply.text[sizeof reply.text - 1] = 0;
  if (reply.failed)
    return fail (error, FV_UNSUPPORTED, "", "A compiled kernel cannot be loaded: %s.", reply.text);
  if (file >= 0) {
    free (w->libraries[library].source);
    w->libraries[library] = (known){strdup (source), w->calls};
  }
  return FV_OK;
}

/* ---- Rings ---- */

int
worker_slot_of (const worker *w, int thread)
{
  return thread * WORKER_RING + w->at[thread];
}

void
worker_next_slot (worker *w, int thread)
{
  w->at[thread] = (uint8_t) ((w->at[thread] + 1) % WORKER_RING);
}

/* ---- The end ---- */

bool
worker_has_ended (const worker *w)
{
  siginfo_t about = {0};
  return waitid (P_PID, (id_t) w->process, &about, WEXITED | WNOHANG | WNOWAIT) < 0 || about.si_pid;
}

static const char *
signal_name (int number)
{
  switch (number) {
  case SIGABRT: return "SIGABRT";
  case SIGBUS: return "SIGBUS";
  case SIGFPE: return "SIGFPE";
  case SIGILL: return "SIGILL";
  case SIGKILL: return "SIGKILL";
  case SIGPIPE: return "SIGPIPE";
  case SIGSEGV: return "SIGSEGV";
  case SIGSYS: return "SIGSYS";
  case SIGTERM: return "SIGTERM";
  case SIGTRAP: return "SIGTRAP";
  default: return NULL;
  }
}

static const char *
signal_meaning (int number, int reason)
{
  switch (number) {
  case SIGABRT: return "abort";
  case SIGBUS: return "bus error";
  case SIGFPE: return reason == CRASH_INTEGER_DIVISION ? "integer division that has no result" : "arithmetic error";
  case SIGILL: return "illegal instruction";
  case SIGKILL: return "killed from outside, perhaps because memory was short";
  case SIGPIPE: return "a pipe that it prints to is closed";
  case SIGSEGV: return reason == CRASH_STACK ? "stack overflow" : "invalid memory access";
  case SIGSYS: return "system call that is not allowed";
  case SIGTRAP: return "trap instruction";
  default: return "signal";
  }
}

void
worker_how (worker *w, char *text, size_t bytes)
{
  int number = w->arena->crash_signal, status = 0;
  pid_t ended;
  do
    ended = waitpid (w->process, &status, 0);
  while (ended < 0 && errno == EINTR);
  w->process = 0;
  if (!number && ended > 0 && WIFSIGNALED (status))
    number = WTERMSIG (status);
  if (number && signal_name (number))
    snprintf (text, bytes, "crashed with %s (%s)", signal_name (number),
              signal_meaning (number, w->arena->crash_reason));
  else if (number)
    snprintf (text, bytes, "crashed with signal %d", number);
  else
    snprintf (text, bytes, "ended its process with exit status %d", ended > 0 ? WEXITSTATUS (status) : 0);
}
