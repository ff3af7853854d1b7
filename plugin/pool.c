/* SPDX-License-Identifier: MIT
 *
 * Every block has a header of one line before what is given out.
 */
#include "plugin/pool.h"

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

/* The lock is held. */
static void *
remove_at (pool *p, int i)
{
  void *memory = p->kept[i];
  p->n--;
  p->bytes -= header_of (memory)->bytes;
  memmove (&p->kept[i], &p->kept[i + 1], (size_t) (p->n - i) * sizeof p->kept[0]);
  return memory;
}

/* The smallest kept block that holds `bytes` without wasting more than a quarter, or NULL. */
static void *
take_kept (pool *p, size_t bytes)
{
  int best = -1;
  void *memory = NULL;
  pthread_mutex_lock (&p->lock);
  for (int i = 0; i < p->n; i++) {
    size_t size = header_of (p->kept[i])->bytes;
    if (size >= bytes && size / 4 * 3 <= bytes && (best < 0 || size < header_of (p->kept[best])->bytes))
      best = i;
  }
  if (best >= 0)
    memory = remove_at (p, best);
  pthread_mutex_unlock (&p->lock);
  return memory;
}

void *
pool_take (pool *p, size_t bytes)
{
  void *memory = bytes >= p->min ? take_kept (p, bytes) : NULL;
  char *base;
  if (memory)
    return memory;
  if (bytes > SIZE_MAX - POOL_LINE)
    return NULL;
  if (!(base = p->make (bytes + POOL_LINE))) {
    pool_clear (p); /* unused memory must not cause a shortage */
    if (!(base = p->make (bytes + POOL_LINE)))
      return NULL;
  }
  *(block_header *) (void *) base = (block_header){bytes};
  return base + POOL_LINE;
}

void
pool_give (pool *p, void *memory)
{
  size_t bytes = header_of (memory)->bytes;
  void *gone[POOL_KEPT];
  int n = 0;
  if (bytes < p->min || bytes > p->max) {
    p->drop (header_of (memory));
    return;
  }
  pthread_mutex_lock (&p->lock);
  while (p->n == POOL_KEPT || p->bytes + bytes > p->max)
    gone[n++] = remove_at (p, 0);
  p->kept[p->n++] = memory;
  p->bytes += bytes;
  pthread_mutex_unlock (&p->lock);
  while (n)
    p->drop (header_of (gone[--n]));
}

void
pool_clear (pool *p)
{
  void *gone[POOL_KEPT];
  int n;
  pthread_mutex_lock (&p->lock);
  memcpy (gone, p->kept, sizeof gone);
  n = p->n;
  p->n = 0;
  p->bytes = 0;
  pthread_mutex_unlock (&p->lock);
  while (n)
    p->drop (header_of (gone[--n]));
}

void
pool_forget (pool *p)
{
  pthread_mutex_init (&p->lock, NULL);
  p->n = 0;
  p->bytes = 0;
}
