/* SPDX-License-Identifier: MIT
 *
 * A child of fork() has none of the processes: it closes its copies of their sockets. A process ends when all copies are
 * closed.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "readers/process/process.h"

#include "plugin/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAMS = 4, CLOSINGS = 64 };

struct process {
  const process_program *program;
  pthread_mutex_t lock;
  pid_t id; /* 0: it does not run */
  int socket, memory;
  uint8_t *pixels;
  uint64_t generation;
  char *command; /* that it was started with */
  bool answered;
  uint32_t closings[CLOSINGS]; /* handles; under `list_lock` */
  int n_closings;
};

typedef struct {
  const process_program *program;
  process slots[PROCESS_MOST];
} pool;

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER; /* held for moments */
static pool *pools[PROGRAMS];
static uint64_t generations;

fv_status
process_fail (fv_error *error, fv_status code, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  vsnprintf (error->text, sizeof error->text, format, ap);
  va_end (ap);
  return error->code = code;
}

int
process_count (const process_program *program)
{
  cpu_set_t set;
  const int processors = sched_getaffinity (0, sizeof set, &set) ? 1 : CPU_COUNT (&set);
  return processors < program->most ? processors : program->most;
}

/* ---- Starting and ending ---- */

static void
lock_list (void)
{
  pthread_mutex_lock (&list_lock);
}

static void
unlock_list (void)
{
  pthread_mutex_unlock (&list_lock);
}

/* In a child of fork(): threads that it does not have may hold the locks of the processes, so that new ones are made. */
static void
forget (void)
{
  for (int i = 0; i < PROGRAMS; i++) {
    for (int slot = 0; pools[i] && slot < PROCESS_MOST; slot++)
      if (pools[i]->slots[slot].id)
        close (pools[i]->slots[slot].socket);
    pools[i] = NULL;
  }
  unlock_list ();
}

static void
prepare_fork (void)
{
  pthread_atfork (lock_list, unlock_list, forget);
}

static pool *
pool_new (const process_program *program)
{
  pool *made = calloc (1, sizeof *made);
  if (!made)
    return NULL;
  made->program = program;
  for (int slot = 0; slot < PROCESS_MOST; slot++) {
    made->slots[slot].program = program;
    made->slots[slot].socket = made->slots[slot].memory = -1;
    pthread_mutex_init (&made->slots[slot].lock, NULL);
  }
  return made;
}

/* NULL: no memory. */
static pool *
pool_of (const process_program *program)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pool *found = NULL;
  pthread_once (&once, prepare_fork);
  lock_list ();
  for (int i = 0; i < PROGRAMS && !found; i++) {
    if (!pools[i])
      pools[i] = pool_new (program);
    if (!pools[i] || pools[i]->program == program)
      found = pools[i];
  }
  unlock_list ();
  return found;
}

static int
make_memory (process *p)
{
  p->memory = program_move_up (memfd_create ("fovea-reader", MFD_CLOEXEC));
  if (p->memory < 0)
    return errno;
  const int fault = posix_fallocate (p->memory, 0, PROCESS_PIXELS);
  void *pixels = fault ? MAP_FAILED : mmap (NULL, PROCESS_PIXELS, PROT_READ, MAP_SHARED, p->memory, 0);
  if (pixels == MAP_FAILED)
    return fault ? fault : errno;
  p->pixels = pixels;
  return 0;
}

/* Without a library's own messages. */
static int
spawn (process *p, char *const *words, int socket)
{
  const int silence = program_move_up (open ("/dev/null", O_WRONLY | O_CLOEXEC));
  if (silence < 0)
    return errno;
  const program_file files[] = {
    {socket, STDIN_FILENO}, {socket, STDOUT_FILENO}, {silence, STDERR_FILENO}, {p->memory, PROCESS_MEMORY}};
  const int fault = program_start (words[0], words, files, sizeof files / sizeof *files, &p->id);
  close (silence);
  return fault;
}

static int
start_with (process *p, char *const *words)
{
  int sockets[2], fault = make_memory (p);
  if (fault)
    return fault;
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
    return errno;
  p->socket = program_move_up (sockets[0]);
  const int other = program_move_up (sockets[1]);
  fault = p->socket < 0 || other < 0 ? errno : spawn (p, words, other);
  if (other >= 0)
    close (other);
  return fault;
}

/* What it had is closed, too. Returns its status as waitpid() has it, or -1. */
static int
end (process *p)
{
  int status = -1;
  if (p->id > 0)
    program_end (p->id, &status);
  if (p->pixels)
    munmap (p->pixels, PROCESS_PIXELS);
  if (p->socket >= 0)
    close (p->socket);
  if (p->memory >= 0)
    close (p->memory);
  lock_list ();
  p->id = p->n_closings = 0;
  p->generation = 0;
  unlock_list ();
  free (p->command);
  p->command = NULL;
  p->pixels = NULL;
  p->socket = p->memory = -1;
  return status;
}

static fv_status
start (process *p, fv_error *error)
{
  char *words[PROCESS_WORDS] = {NULL};
  fv_status status = p->program->words (words, error);
  const int fault = status ? 0 : start_with (p, words);
  if (fault)
    status = process_fail (error, fault == ENOMEM ? FV_NO_MEMORY : FV_UNSUPPORTED, "%s cannot be started as %s: %s.",
                           p->program->library, words[0], strerror (fault));
  p->command = words[0];
  p->answered = false;
  for (int i = 1; i < PROCESS_WORDS; i++)
    free (words[i]);
  if (status) {
    end (p);
    return status;
  }
  lock_list ();
  p->generation = ++generations;
  unlock_list ();
  return FV_OK;
}

process *
process_take (const process_program *program, int slot, fv_error *error)
{
  pool *of = pool_of (program);
  if (!of) {
    process_fail (error, FV_NO_MEMORY, "Not enough memory to start a process.");
    return NULL;
  }
  process *p = &of->slots[slot];
  pthread_mutex_lock (&p->lock);
  if (p->id || !start (p, error))
    return p;
  pthread_mutex_unlock (&p->lock);
  return NULL;
}

uint64_t
process_generation (const process *p)
{
  return p->generation;
}

const uint8_t *
process_pixels (const process *p)
{
  return p->pixels;
}

void
process_end_all (void)
{
  lock_list ();
  pool *all[PROGRAMS];
  memcpy (all, pools, sizeof all);
  memset (pools, 0, sizeof pools);
  unlock_list ();
  for (int i = 0; i < PROGRAMS; i++) {
    for (int slot = 0; all[i] && slot < PROCESS_MOST; slot++)
      end (&all[i]->slots[slot]);
    free (all[i]);
  }
}

/* ---- Asking ---- */

static int64_t
now_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool
send_all (const process *p, const void *bytes, size_t n)
{
  for (const char *from = bytes; n;) {
    const ssize_t sent = send (p->socket, from, n, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    from += sent;
    n -= (size_t) sent;
  }
  return true;
}

static bool
send_request (const process *p, process_kind kind, const void *bytes, size_t n)
{
  const process_request request = {(uint32_t) kind, (uint32_t) n};
  return send_all (p, &request, sizeof request) && send_all (p, bytes, n);
}

/* 0: all is there; ETIMEDOUT: it is too late; else it has ended. */
static int
receive (const process *p, void *to, size_t n, int64_t until)
{
  for (char *at = to; n;) {
    struct pollfd socket = {p->socket, POLLIN, 0};
    const int64_t left = until - now_ms ();
    const int ready = left > 0 ? poll (&socket, 1, (int) left) : 0;
    if (ready == 0)
      return ETIMEDOUT;
    const ssize_t got = ready < 0 ? -1 : recv (p->socket, at, n, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return EPIPE;
    at += got;
    n -= (size_t) got;
  }
  return 0;
}

/* It has ended, or must. */
static fv_status
give_up (process *p, int fault, fv_error *error)
{
  const char *library = p->program->library;
  char command[200] = "";
  const bool answered = p->answered;
  snprintf (command, sizeof command, "%s", p->command ? p->command : "");
  const int status = end (p);
  if (fault == ETIMEDOUT)
    return process_fail (error, FV_BAD_INPUT, "%s had no answer after %d s and was ended.", library,
                         p->program->seconds);
  if (fault == EBADMSG)
    return process_fail (error, FV_BAD_INPUT, "%s gave an answer that cannot be true.", library);
  if (status >= 0 && WIFSIGNALED (status) && WTERMSIG (status) != SIGKILL)
    return process_fail (error, FV_BAD_INPUT, "%s crashed (%s). The file is probably damaged.", library,
                         strsignal (WTERMSIG (status)));
  if (!answered && status >= 0 && WIFEXITED (status) && WEXITSTATUS (status))
    return process_fail (error, FV_UNSUPPORTED, "%s cannot be started: %s ends with the status %d.", library, command,
                         WEXITSTATUS (status));
  return process_fail (error, FV_BAD_INPUT, "%s ended unexpectedly. The file is probably damaged.", library);
}

/* Tells it which files are not needed any more. */
static void
flush_closings (process *p)
{
  uint32_t handles[CLOSINGS];
  lock_list ();
  const int n = p->n_closings;
  memcpy (handles, p->closings, (size_t) n * sizeof *handles);
  p->n_closings = 0;
  unlock_list ();
  for (int i = 0; i < n && p->id; i++)
    send_request (p, PROCESS_CLOSE, &handles[i], sizeof handles[i]);
}

void
process_put (process *p)
{
  flush_closings (p);
  pthread_mutex_unlock (&p->lock);
}

void
process_close_file (const process_program *program, int slot, uint64_t generation, uint32_t handle)
{
  pool *of = pool_of (program);
  if (!of)
    return;
  process *p = &of->slots[slot];
  lock_list ();
  /* A process that is not asked for long keeps what is too much open. */
  if (p->generation == generation && p->n_closings < CLOSINGS)
    p->closings[p->n_closings++] = handle;
  unlock_list ();
  if (!pthread_mutex_trylock (&p->lock))
    process_put (p);
}

/* Its bytes are the sentence of an error. */
static void
take_error (const process *p, uint32_t status, process_answer *answer, fv_error *error)
{
  process_fail (error, status <= FV_UNSUPPORTED ? (fv_status) status : FV_BAD_INPUT, "%.*s", (int) answer->n,
                (const char *) answer->bytes);
  if (!*error->text)
    process_fail (error, error->code, "%s does not say why.", p->program->library);
  free (answer->bytes);
  answer->bytes = NULL;
}

fv_status
process_ask (process *p, process_kind kind, const void *request, size_t n, process_answer *answer, fv_error *error)
{
  const int64_t until = now_ms () + (int64_t) p->program->seconds * 1000;
  process_reply reply = {0};
  *answer = (process_answer){0};
  int fault = n <= PROCESS_MAX_REQUEST && send_request (p, kind, request, n) ? 0 : EPIPE;
  if (!fault)
    fault = receive (p, &reply, sizeof reply, until);
  if (!fault && reply.bytes > PROCESS_MAX_ANSWER)
    fault = EBADMSG;
  if (!fault && !(answer->bytes = malloc (reply.bytes + 1)))
    fault = EBADMSG;
  if (!fault)
    fault = receive (p, answer->bytes, reply.bytes, until);
  if (fault) {
    free (answer->bytes);
    answer->bytes = NULL;
    return give_up (p, fault, error);
  }
  answer->n = reply.bytes;
  p->answered = true;
  if (!reply.status)
    return FV_OK;
  take_error (p, reply.status, answer, error);
  if (p->program->once_damaged && error->code == FV_BAD_INPUT)
    end (p);
  return error->code;
}
