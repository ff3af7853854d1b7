/* SPDX-License-Identifier: MIT
 *
 * What Fovea and a worker process share: a file in memory, mapped by both, and a socket for the few messages.
 *
 *   arena:  worker_arena | pixels of the slots | from WORKER_WHOLE on: whole arrays, mapped separately, for raw parameters
 *
 * Each thread of a worker has a ring of WORKER_RING slots. Fovea fills a slot with a piece of the images and sets READY, the worker runs the
 * kernel on it and sets DONE, Fovea copies the results out. `state` is a futex. The code of the user can write anything into the arena,
 * so Fovea trusts nothing that it reads there.
 */
#ifndef KERNELS_NATIVE_WORKER_ARENA_H
#define KERNELS_NATIVE_WORKER_ARENA_H

#include "kernels/native/kernel_args.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WORKER_PROGRAM "fovea-kernel-worker"

enum {
  WORKER_THREADS = 256, /* at most */
  WORKER_RING = 2,
  WORKER_SLOTS = WORKER_THREADS * WORKER_RING,
  WORKER_LIBRARIES = 32,
  WORKER_ARRAYS = KERNEL_IMAGES + KERNEL_RESULTS,
  WORKER_PIXELS = 256 << 10, /* bytes of a slot's pixels */
  WORKER_SOCKET = 3,         /* file descriptors of the worker */
  WORKER_FILE = 4,
};

enum { SLOT_EMPTY, SLOT_READY, SLOT_DONE, SLOT_CRASHED };

/* Why a thread crashed, where the number of the signal does not say it. */
enum { CRASH_OTHER, CRASH_INTEGER_DIVISION, CRASH_STACK };

typedef struct worker_slot {
  _Alignas(64) uint32_t state;
  bool one_by_one;          /* element by element, `element` says which */
  int64_t plane, row, rows; /* the piece: columns begin to end of these rows */
  int64_t begin, end;
  int64_t element[2];           /* row and column */
  kernel_task task;             /* data: offsets in the file */
  int64_t shift[WORKER_ARRAYS]; /* bytes from the piece's first element back to where element 0 of the plane would be */
  int64_t fault[FAULT_VALUES];
} worker_slot;

typedef struct worker_arena {
  int32_t crash_signal, crash_reason; /* 0: none */
  worker_slot slots[WORKER_SLOTS];
} worker_arena;

#define WORKER_PAGE ((size_t) 65536)
#define WORKER_FIRST_PIXELS ((sizeof (worker_arena) + WORKER_PAGE - 1) / WORKER_PAGE * WORKER_PAGE)
#define WORKER_WHOLE (WORKER_FIRST_PIXELS + (size_t) WORKER_SLOTS * WORKER_PIXELS)

/* Makes everything ready for one call; with the file descriptor of the library when `load`. */
typedef struct worker_request {
  int32_t library; /* which of WORKER_LIBRARIES is run */
  int32_t load;
  int32_t threads;
  int64_t whole; /* bytes of whole arrays that the file has */
} worker_request;

typedef struct worker_reply {
  int32_t failed;
  char text[256]; /* why */
} worker_reply;

static inline void
futex_wake (uint32_t *word)
{
  syscall (SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Returns when the word may have changed from `value`, or after the time; NULL: none. */
static inline void
futex_wait (uint32_t *word, uint32_t value, const struct timespec *time)
{
  syscall (SYS_futex, word, FUTEX_WAIT, value, time, NULL, 0);
}

static inline uint32_t
slot_state (const worker_slot *slot)
{
  return __atomic_load_n (&slot->state, __ATOMIC_ACQUIRE);
}

static inline void
slot_set (worker_slot *slot, uint32_t state)
{
  __atomic_store_n (&slot->state, state, __ATOMIC_RELEASE);
  futex_wake (&slot->state);
}

#endif
