/* SPDX-License-Identifier: MIT
 *
 * Large blocks of memory that are kept when they are freed and given out again to a request of nearly their size, because
 * making them is slow. Those that were given back longest ago are dropped for newer ones, and all of them before a request fails. Any
 * thread may call.
 */
#ifndef PLUGIN_POOL_H
#define PLUGIN_POOL_H

#include <pthread.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { POOL_LINE = 64, POOL_KEPT = 256 };

typedef struct pool {
  void *(*make) (size_t bytes); /* aligned to POOL_LINE, or NULL */
  void (*drop) (void *block);
  size_t min, max; /* smaller blocks are not kept, and no more bytes than `max` in all */
  pthread_mutex_t lock;
  void *kept[POOL_KEPT]; /* [n], the oldest first */
  int n;
  size_t bytes; /* of them */
} pool;

#define POOL_LOCK PTHREAD_MUTEX_INITIALIZER

/* Memory aligned to POOL_LINE, contents undefined, or NULL. */
void *pool_take (pool *p, size_t bytes);
void pool_give (pool *p, void *memory);
/* In a forked process: forgets what is kept, which another thread may have been changing. */
void pool_forget (pool *p);
/* Drops what is kept. */
void pool_clear (pool *p);

#ifdef __cplusplus
}
#endif
#endif
