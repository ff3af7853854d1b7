/* SPDX-License-Identifier: MIT
 *
 * The functions that clang calls for the kernels' OpenMP, instead of LLVM's libomp, built on those that GCC calls.
 * Names and types are those of libomp's binary interface (kmp.h of LLVM). They are hidden, so that another libomp in
 * the process is unaffected. A construct that is missing here fails to link.
 */
#include "plugin/openmp_gcc.h"

#include <omp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct ident ident; /* a line of the source */

/* ---- Regions ---- */

enum { MAX_ARGUMENTS = 32 };

/* The variables of a region are arguments of its function, each an address or a number of its size. */
typedef void (*micro) (int32_t *thread, int32_t *bound, ...);
typedef struct call {
  micro work;
  void *at[MAX_ARGUMENTS];
} call;

static _Thread_local int32_t pushed; /* how many threads the next region wants; 0: as many as there may be */

int32_t
__kmpc_global_thread_num (ident *where)
{
  (void) where;
  return omp_get_thread_num ();
}

void
__kmpc_push_num_threads (ident *where, int32_t thread, int32_t threads)
{
  (void) where, (void) thread;
  pushed = threads > 0 ? threads : 0;
}

/* More arguments than a function takes do no harm in the calling conventions of Linux. */
static void
work_on (void *data)
{
  void **a = ((call *) data)->at;
  int32_t thread = omp_get_thread_num ();
  ((call *) data)
    ->work (&thread, &thread, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13],
            a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28],
            a[29], a[30], a[31]);
}

void
__kmpc_fork_call (ident *where, int32_t n, micro work, ...)
{
  call c = {.work = work};
  const unsigned threads = (unsigned) pushed;
  va_list arguments;
  (void) where;
  if (n > MAX_ARGUMENTS)
    abort ();
  va_start (arguments, work);
  for (int32_t i = 0; i < n; i++)
    c.at[i] = va_arg (arguments, void *);
  va_end (arguments);
  pushed = 0;
  GOMP_parallel (work_on, &c, threads, 0);
}

/* Between these the caller calls the function of the region itself: it has an if() that is false. */
void
__kmpc_serialized_parallel (ident *where, int32_t thread)
{
  (void) where, (void) thread;
  pushed = 0;
  openmp_alone_begin ();
}

void
__kmpc_end_serialized_parallel (ident *where, int32_t thread)
{
  (void) where, (void) thread;
  openmp_alone_end ();
}

void
__kmpc_barrier (ident *where, int32_t thread)
{
  (void) where, (void) thread;
  GOMP_barrier ();
}

/* ---- Static loops: each thread has its indices, known at once. clang counts all loops from 0 by 1 ---- */

enum { STATIC_CHUNKED = 33 };

/* From the first and last index of the loop to those of the thread's first chunk, with the way to its next one. */
#define STATIC_INIT(NAME, INT, SIGNED)                                                                                 \
  void NAME (ident *where, int32_t thread, int32_t schedule, int32_t *last, INT *lower, INT *upper, SIGNED *stride,    \
             SIGNED step, SIGNED chunk)                                                                                \
  {                                                                                                                    \
    const INT me = (INT) omp_get_thread_num (), size = (INT) omp_get_num_threads (), count = *upper - *lower + 1;      \
    const bool chunked = (schedule & 0xff) == STATIC_CHUNKED;                                                          \
    const INT each = !chunked ? count / size : chunk > 0 ? (INT) chunk : 1, more = chunked ? 0 : count % size;         \
    const INT owner = chunked ? (count - 1) / each % size : count < size ? count - 1 : size - 1;                       \
    (void) where, (void) thread, (void) step;                                                                          \
    *last = me == owner;                                                                                               \
    *lower += me * each + (me < more ? me : more);                                                                     \
    *upper = *lower + each + (me < more) - 1;                                                                          \
    *stride = (SIGNED) (chunked ? each * size : count);                                                                \
  }
STATIC_INIT (__kmpc_for_static_init_4, int32_t, int32_t)
STATIC_INIT (__kmpc_for_static_init_4u, uint32_t, int32_t)
STATIC_INIT (__kmpc_for_static_init_8, int64_t, int64_t)
STATIC_INIT (__kmpc_for_static_init_8u, uint64_t, int64_t)

void
__kmpc_for_static_fini (ident *where, int32_t thread)
{
  (void) where, (void) thread;
}

/* ---- Dynamic loops: each thread takes the next chunk ---- */

/* What the thread has from the beginning of a loop until it asks for its first chunk. */
static _Thread_local struct {
  bool is_new, any;
  long begin, end;
} loop;

static bool
next (void)
{
  const bool any = loop.is_new ? loop.any : GOMP_loop_nonmonotonic_dynamic_next (&loop.begin, &loop.end);
  loop.is_new = false;
  if (!any)
    GOMP_loop_end_nowait (); /* a barrier, if there is one, is called for itself */
  return any;
}

#define DYNAMIC(BITS, INT, SIGNED)                                                                                     \
  void __kmpc_dispatch_init_##BITS (ident *where, int32_t thread, int32_t schedule, INT lower, INT upper, SIGNED step, \
                                    SIGNED chunk)                                                                      \
  {                                                                                                                    \
    (void) where, (void) thread, (void) schedule, (void) step;                                                         \
    loop.any = GOMP_loop_nonmonotonic_dynamic_start ((long) lower, (long) upper + 1, 1, chunk > 0 ? chunk : 1,         \
                                                     &loop.begin, &loop.end);                                          \
    loop.is_new = true;                                                                                                \
  }                                                                                                                    \
  int32_t __kmpc_dispatch_next_##BITS (ident *where, int32_t thread, int32_t *last, INT *lower, INT *upper,            \
                                       SIGNED *step)                                                                   \
  {                                                                                                                    \
    (void) where, (void) thread;                                                                                       \
    if (!next ())                                                                                                      \
      return 0;                                                                                                        \
    *lower = (INT) loop.begin, *upper = (INT) (loop.end - 1), *step = 1;                                               \
    *last = openmp_is_end (loop.end);                                                                                  \
    return 1;                                                                                                          \
  }
DYNAMIC (4, int32_t, int32_t)
DYNAMIC (4u, uint32_t, int32_t)
DYNAMIC (8, int64_t, int64_t)
DYNAMIC (8u, uint64_t, int64_t)

/* From clang 19 on. */
void
__kmpc_dispatch_deinit (ident *where, int32_t thread)
{
  (void) where, (void) thread;
}

/* ---- One thread at a time ---- */

void
__kmpc_critical (ident *where, int32_t thread, void *name)
{
  (void) where, (void) thread;
  GOMP_critical_name_start (name);
}

void
__kmpc_end_critical (ident *where, int32_t thread, void *name)
{
  (void) where, (void) thread;
  GOMP_critical_name_end (name);
}

/* 1: the caller adds its part to the variables, until the end. */
int32_t
__kmpc_reduce_nowait (ident *where, int32_t thread, int32_t n, size_t bytes, void *parts,
                      void (*reduce) (void *, void *), void *name)
{
  (void) where, (void) thread, (void) n, (void) bytes, (void) parts, (void) reduce;
  GOMP_critical_name_start (name);
  return 1;
}

void
__kmpc_end_reduce_nowait (ident *where, int32_t thread, void *name)
{
  (void) where, (void) thread;
  GOMP_critical_name_end (name);
}

int32_t
__kmpc_reduce (ident *where, int32_t thread, int32_t n, size_t bytes, void *parts, void (*reduce) (void *, void *),
               void *name)
{
  return __kmpc_reduce_nowait (where, thread, n, bytes, parts, reduce, name);
}

void
__kmpc_end_reduce (ident *where, int32_t thread, void *name)
{
  __kmpc_end_reduce_nowait (where, thread, name);
  GOMP_barrier ();
}
