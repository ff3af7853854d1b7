/* SPDX-License-Identifier: MIT
 *
 * Every block has a header of one line before what is given out.
 */
#include "plugin/pool.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  size_t bytes; /* without the header */
} block_header;

static block_header *
header_of (void *memory)
{
  return (block_header *) (void *) ((char *) memory - POOL_LINE);
}

/* The smallest kept block that holds `bytes` without wasting more than a quarter, or NULL. */
static void *
take_kept (pool *p, size_t bytes)
{
  int best = -1;
  void *memory = NULL;
  pthread_mutex_lock (&p->lock);
  for (int i = 0; i < POOL_KEPT; i++) {
    size_t size = p->kept[i] ? header_of (p->kept[i])->bytes : 0;
    if (size >= bytes && size / 4 * 3 <= bytes && (best < 0 || size < header_of (p->kept[best])->bytes))
      best = i;
  }
  if (best >= 0) {
    memory = p->kept[best];
    p->bytes -= header_of (memory)->bytes;
    p->kept[best] = NULL;
  }
  pthread_mutex_unlock (&p->lock);
  return memory;
}

void *
pool_take (pool *p, size_t bytes)
{
  void *memory = bytes >= p->least ? take_kept (p, bytes) : NULL;
  char *base;
  if (memory)
    return memory;
  if (bytes > SIZE_MAX - POOL_LINE || !(base = p->make (bytes + POOL_LINE)))
    return NULL;
  *(block_header *) (void *) base = (block_header){bytes};
  return base + POOL_LINE;
}

/* Keeps a block for later; false when there is no room for it. */
static bool
keep (pool *p, void *memory)
{
  size_t bytes = header_of (memory)->bytes;
  bool done = false;
#ifdef __SANITIZE_ADDRESS__
  return false; /* so that use after free is seen */
#endif
  if (bytes < p->least)
    return false;
  pthread_mutex_lock (&p->lock);
  for (int i = 0; i < POOL_KEPT && !done && p->bytes + bytes <= p->most; i++)
    if (!p->kept[i]) {
      p->kept[i] = memory;
      p->bytes += bytes;
      done = true;
    }
  pthread_mutex_unlock (&p->lock);
  return done;
}

void
pool_give (pool *p, void *memory)
{
  if (!keep (p, memory))
    p->drop (header_of (memory));
}

void
pool_clear (pool *p)
{
  void *kept[POOL_KEPT];
  pthread_mutex_lock (&p->lock);
  memcpy (kept, p->kept, sizeof kept);
  memset (p->kept, 0, sizeof p->kept);
  p->bytes = 0;
  pthread_mutex_unlock (&p->lock);
  for (int i = 0; i < POOL_KEPT; i++)
    if (kept[i])
      p->drop (header_of (kept[i]));
}
