/* SPDX-License-Identifier: MIT
 *
 * fovea-kernel-worker: the process in which compiled code of users runs. It is started by kernels/native/worker.c, with a socket and the arena as
 * its only files, and ends with the process that started it. What a kernel prints goes to standard error.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "kernels/native/worker_arena.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <ucontext.h>

enum { STACK = 8 << 20, GUARD = 1 << 20, SIGNAL_STACK = 64 << 10 };

typedef void (*kernel_function) (const kernel_task *, int64_t plane, int64_t row, int64_t begin, int64_t end);

static struct {
  worker_arena *arena;
  char *whole;
  size_t whole_bytes;
  pid_t parent;
  int threads; /* that were started */
  struct {
    int file; /* which stays open, so that its name stays that of this library */
    void *handle;
    kernel_function run;
  } libraries[WORKER_LIBRARIES];
  kernel_function run; /* of the call */
} worker;

/* ---- A crash ---- */

static __thread worker_slot *current;
static __thread uintptr_t stack_end, stack_bytes; /* of this thread's stack, the lowest address */

/* Where the stack had grown to. */
static uintptr_t
stack_pointer (const ucontext_t *context)
{
#if defined(__x86_64__)
  return (uintptr_t) context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t) context->uc_mcontext.sp;
#else
  (void) context;
  return stack_end;
#endif
}

static int
crash_reason (int number, const siginfo_t *about, const ucontext_t *context)
{
  const uintptr_t at = (uintptr_t) about->si_addr;
  if (number == SIGFPE && about->si_code == FPE_INTDIV)
    return CRASH_INTEGER_DIVISION;
  if (number == SIGSEGV && (at - (stack_end - GUARD) < GUARD || stack_pointer (context) - stack_end >= stack_bytes))
    return CRASH_STACK;
  return CRASH_OTHER;
}

static void
crashed (int number, siginfo_t *about, void *context)
{
  worker.arena->crash_reason = crash_reason (number, about, context);
  worker.arena->crash_signal = number;
  if (current)
    slot_set (current, SLOT_CRASHED);
  _exit (128 + number);
}

/* Comes whenever a thread of the parent has ended, too. */
static void
parent_ended (int number)
{
  (void) number;
  if (getppid () != worker.parent)
    _exit (0);
}

static void
catch_signals (void)
{
  static const int numbers[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  struct sigaction crash = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
  struct sigaction ended = {.sa_handler = parent_ended, .sa_flags = SA_RESTART};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction (numbers[i], &crash, NULL);
  sigaction (SIGHUP, &ended, NULL);
  prctl (PR_SET_PDEATHSIG, SIGHUP);
}

/* ---- Threads ---- */

static void
lay_out_arrays (kernel_task *task, const worker_slot *slot)
{
  for (int k = 0; k < WORKER_ARRAYS; k++) {
    const uintptr_t offset = (uintptr_t) task->arrays[k].data;
    char *at = offset < WORKER_WHOLE ? (char *) worker.arena + offset : worker.whole + (offset - WORKER_WHOLE);
    task->arrays[k].data = (void *) ((uintptr_t) at - (uintptr_t) slot->shift[k]);
  }
}

static void
run_slot (worker_slot *slot)
{
  kernel_task task = slot->task;
  lay_out_arrays (&task, slot);
  task.fault = slot->fault;
  for (int64_t row = slot->row; row < slot->row + slot->rows; row++)
    if (!slot->one_by_one)
      worker.run (&task, slot->plane, row, slot->begin, slot->end);
    else
      for (int64_t column = slot->begin; column < slot->end; column++) {
        *(volatile int64_t *) &slot->element[0] = row;
        *(volatile int64_t *) &slot->element[1] = column;
        worker.run (&task, slot->plane, row, column, column + 1);
      }
}

static void
use_signal_stack (void)
{
  pthread_attr_t about;
  void *stack = NULL;
  size_t bytes = 0;
  const stack_t own = {.ss_sp = mmap (NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                       .ss_size = SIGNAL_STACK};
  if (own.ss_sp != MAP_FAILED)
    sigaltstack (&own, NULL);
  if (!pthread_getattr_np (pthread_self (), &about)) {
    if (!pthread_attr_getstack (&about, &stack, &bytes))
      stack_end = (uintptr_t) stack, stack_bytes = bytes;
    pthread_attr_destroy (&about);
  }
}

static void *
work (void *thread)
{
  worker_slot *ring = &worker.arena->slots[(intptr_t) thread * WORKER_RING];
  use_signal_stack ();
  for (unsigned n = 0;; n = (n + 1) % WORKER_RING) {
    current = &ring[n];
    for (uint32_t state; (state = slot_state (current)) != SLOT_READY;)
      futex_wait (&current->state, state, NULL);
    run_slot (current);
    slot_set (current, SLOT_DONE);
  }
  return NULL;
}

static int
start_threads (int n)
{
  pthread_attr_t about;
  pthread_t thread;
  int fault = 0;
  pthread_attr_init (&about);
  pthread_attr_setstacksize (&about, STACK);
  pthread_attr_setguardsize (&about, GUARD);
  for (; worker.threads < n && !fault; worker.threads += !fault)
    fault = pthread_create (&thread, &about, work, (void *) (intptr_t) worker.threads);
  pthread_attr_destroy (&about);
  return fault;
}

/* ---- Messages ---- */

static int
fail_reply (worker_reply *reply, const char *text)
{
  reply->failed = 1;
  snprintf (reply->text, sizeof reply->text, "%.250s", text);
  return -1;
}

static int
load (int index, int file, worker_reply *reply)
{
  char path[64];
  void *symbol, *handle;
  if (worker.libraries[index].handle) {
    dlclose (worker.libraries[index].handle);
    close (worker.libraries[index].file);
    worker.libraries[index].handle = NULL;
  }
  snprintf (path, sizeof path, "/proc/self/fd/%d", file);
  if (!(handle = dlopen (path, RTLD_NOW | RTLD_LOCAL)) || !(symbol = dlsym (handle, "fovea_kernel"))) {
    close (file);
    return fail_reply (reply, dlerror ());
  }
  worker.libraries[index].handle = handle;
  worker.libraries[index].file = file;
  memcpy (&worker.libraries[index].run, &symbol, sizeof symbol);
  return 0;
}

static int
map_whole (size_t bytes)
{
  if (bytes == worker.whole_bytes)
    return 0;
  if (worker.whole_bytes)
    munmap (worker.whole, worker.whole_bytes);
  worker.whole_bytes = 0;
  worker.whole = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_FILE, (off_t) WORKER_WHOLE);
  if (worker.whole == MAP_FAILED)
    return -1;
  worker.whole_bytes = bytes;
  return 0;
}

static void
prepare (const worker_request *request, int file, worker_reply *reply)
{
  int fault;
  if (request->load && load (request->library, file, reply))
    return;
  if (map_whole ((size_t) request->whole))
    fail_reply (reply, "there are no addresses for the images");
  else if ((fault = start_threads (request->threads)))
    fail_reply (reply, strerror (fault));
  worker.run = worker.libraries[request->library].run;
}

/* False: the parent has ended, or wants no more. */
static bool
receive (worker_request *request, int *file)
{
  union {
    char bytes[CMSG_SPACE (sizeof (int))];
    struct cmsghdr align;
  } control;
  struct iovec part = {request, sizeof *request};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t n;
  do
    n = recvmsg (WORKER_SOCKET, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  const struct cmsghdr *head = CMSG_FIRSTHDR (&message);
  *file = -1;
  if (head && head->cmsg_type == SCM_RIGHTS)
    memcpy (file, CMSG_DATA (head), sizeof *file);
  return n == sizeof *request;
}

int
main (void)
{
  worker_request request;
  int file;
  worker.parent = getppid ();
  catch_signals ();
  syscall (SYS_close_range, (unsigned) WORKER_FILE + 1, ~0u, 0);
  if (dup2 (STDERR_FILENO, STDOUT_FILENO) < 0)
    close (STDOUT_FILENO);
  setvbuf (stdout, NULL, _IOLBF, 0);
  worker.arena = mmap (NULL, WORKER_WHOLE, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_FILE, 0);
  if (worker.arena == MAP_FAILED)
    return 1;
  use_signal_stack ();
  while (receive (&request, &file)) {
    worker_reply reply = {0};
    prepare (&request, file, &reply);
    if (send (WORKER_SOCKET, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply)
      break;
  }
  _exit (0);
}
