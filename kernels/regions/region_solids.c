/* SPDX-License-Identifier: MIT
 *
 * Objects are taken by size, the largest first, so that no thread is left with a large one at the end. Each thread has memory of its own for all that
 * it takes. The k-th thread finds k objects taken, so that it gets none larger than the k-th largest. All threads together need no more memory than
 * the largest objects do, one for each thread.
 */
#include "kernels/regions/region_solids.h"

#include "kernels/regions/region_hull.h"

enum { STEPS = 4, CLASSES = 64 * STEPS /* sizes: STEPS for each power of two */ };

typedef struct solids {
  const region *items;
  const region_table *t;
  int64_t *order, n, next, threads, begun;
  char **memory; /* of each thread */
  bool feret;
} solids;

/* ---- The order ---- */

/* Number of a size among all; larger sizes have a smaller one. */
static int
class_of (size_t bytes)
{
  int power = 63 - __builtin_clzll (bytes | STEPS);
  return CLASSES - 1 - power * STEPS - (int) (bytes >> (power - 2) & (STEPS - 1));
}

/* Bytes for the largest object of its class. */
static size_t
bytes_of_class (int class)
{
  int number = CLASSES - class; /* of the next larger class */
  return (size_t) (STEPS + number % STEPS) << (number / STEPS - 2);
}

static fv_status
sort_by_size (solids *s, const fv_call *call, fv_error *error)
{
  int64_t at[CLASSES + 1] = {0};
  size_t all = 0;
  char *memory;
  for (int64_t i = 0; i < s->n; i++) {
    if (hull3_check (s->items + i, error))
      return error->code;
    at[class_of (hull3_bytes (s->items + i)) + 1]++;
  }
  for (int i = 0; i < CLASSES; i++)
    at[i + 1] += at[i];
  for (int64_t i = 0; i < s->n; i++)
    s->order[at[class_of (hull3_bytes (s->items + i))]++] = i;
  for (int pass = 0; pass < 2; pass++) {
    if (pass && host_items (call, 1, all, &memory, error))
      return error->code;
    for (int64_t k = 0; k < s->threads; k++) {
      size_t bytes = bytes_of_class (class_of (hull3_bytes (s->items + s->order[k])));
      if (pass)
        s->memory[k] = memory, memory += (bytes + 127) / 128 * 128;
      else
        all += (bytes + 127) / 128 * 128;
    }
  }
  return FV_OK;
}

/* ---- The hulls ---- */

static void
measure_solid (const solids *s, int64_t i, void *memory)
{
  const region *o = s->items + i;
  double feret;
  int64_t voxels = hull3_volume (o, memory, s->t->spacing, s->feret ? &feret : NULL);
  put_property (s->t, P_area_convex, i, 0, (double) voxels * pixel_size (s->t));
  put_property (s->t, P_solidity, i, 0, (double) o->pixels / (double) voxels);
  if (s->feret)
    put_property (s->t, P_feret_diameter_max, i, 0, feret);
}

static inline int64_t
take (solids *s)
{
  return __atomic_fetch_add (&s->next, 1, __ATOMIC_RELAXED);
}

fv_status
region_solids (const fv_call *call, const region *items, int64_t n, const region_table *t, fv_error *error)
{
  solids s = {.items = items, .t = t, .n = n, .feret = wants (t, P_feret_diameter_max)};
  progress p = {call, .total = n};
  s.threads = threads_at_most () < n ? threads_at_most () : n;
  fv_status status = host_items (call, n, sizeof *s.order, &s.order, error);
  if (!status)
    status = host_items (call, s.threads, sizeof *s.memory, &s.memory, error);
  if (!status)
    status = sort_by_size (&s, call, error);
  if (status)
    return status;

#pragma omp parallel
  {
    int64_t at;
    char *memory = NULL;
#pragma omp critical(solids)
    {
      at = take (&s);
      if (at < n)
        memory = s.memory[s.begun++];
    }
    for (; at < n && !progress_stopped (&p); at = take (&s)) {
      measure_solid (&s, s.order[at], memory);
      progress_step (&p, 1);
    }
  }
  return p.stop ? cancelled (error) : FV_OK;
}
