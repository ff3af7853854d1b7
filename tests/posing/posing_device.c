/* SPDX-License-Identifier: MIT
 */
#include "tests/posing/posing_device.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, NEW = 0xA5, FREED = 0x5A, CANARY = 0xC3 };

typedef struct block {
  struct block *next;
  char *memory; /* a line of canaries before it and one after it */
  size_t bytes;
} block;

/* What was copied to the host and is not there yet. */
typedef struct arrival {
  struct arrival *next;
  char *to, *bytes;
  size_t to_pitch, row_bytes, rows;
} arrival;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards both */
static block *blocks;
static arrival *arrivals;
static char stream_token;

static void
breach (const char *what)
{
  fprintf (stderr, "posing device: %s\n", what);
  abort ();
}

/* The block that the bytes touch, or NULL. The lock is held. */
static block *
block_at (const void *memory, size_t bytes)
{
  uintptr_t from = (uintptr_t) memory, to = from + bytes;
  for (block *b = blocks; b; b = b->next)
    if (from < (uintptr_t) b->memory + b->bytes && to > (uintptr_t) b->memory)
      return b;
  return NULL;
}

static bool
is_inside (const void *memory, size_t bytes)
{
  const block *b = block_at (memory, bytes);
  return b && (uintptr_t) memory >= (uintptr_t) b->memory
         && (uintptr_t) memory + bytes <= (uintptr_t) b->memory + b->bytes;
}

bool
posing_holds (const void *memory, size_t bytes)
{
  pthread_mutex_lock (&lock);
  bool inside = is_inside (memory, bytes);
  pthread_mutex_unlock (&lock);
  return inside;
}

/* ---- Memory ---- */

static fv_status
posing_memory (const fv_device *device, int64_t *unused, int64_t *total, fv_error *error)
{
  (void) device, (void) error;
  *unused = *total = (int64_t) 1 << 30;
  return FV_OK;
}

static fv_status
posing_alloc (const fv_device *device, void *stream, size_t bytes, void **memory, fv_error *error)
{
  block *b = malloc (sizeof *b);
  char *base = aligned_alloc (LINE, (bytes + 3 * LINE - 1) / LINE * LINE);
  (void) device, (void) error;
  if (stream != &stream_token)
    breach ("memory on a stream that it does not have");
  if (!b || !base || bytes == 0)
    breach ("no memory");
  memset (base, CANARY, LINE);
  memset (base + LINE, NEW, bytes);
  memset (base + LINE + bytes, CANARY, LINE);
  *memory = base + LINE;
  pthread_mutex_lock (&lock);
  *b = (block){blocks, *memory, bytes};
  blocks = b;
  pthread_mutex_unlock (&lock);
  return FV_OK;
}

static void
posing_free (const fv_device *device, void *stream, void *memory)
{
  block **at = &blocks, *b;
  (void) device, (void) stream;
  pthread_mutex_lock (&lock);
  while (*at && (*at)->memory != memory)
    at = &(*at)->next;
  if (!(b = *at))
    breach ("memory is freed that it does not have");
  *at = b->next;
  pthread_mutex_unlock (&lock);
  for (int i = 0; i < LINE; i++)
    if ((unsigned char) b->memory[-1 - i] != CANARY || (unsigned char) b->memory[b->bytes + (size_t) i] != CANARY)
      breach ("memory around a block was written");
  memset (b->memory, FREED, b->bytes);
  free (b->memory - LINE);
  free (b);
}

static fv_status
posing_host_alloc (const fv_device *device, size_t bytes, void **memory, fv_error *error)
{
  (void) device, (void) error;
  if (!(*memory = aligned_alloc (LINE, (bytes + LINE - 1) / LINE * LINE)))
    breach ("no memory");
  memset (*memory, NEW, bytes);
  return FV_OK;
}

static void
posing_host_free (const fv_device *device, void *memory)
{
  (void) device;
  free (memory);
}

/* ---- Copies ---- */

static void
copy_rows (char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t row_bytes, size_t rows)
{
  for (size_t y = 0; y < rows; y++)
    memcpy (to + y * to_pitch, from + y * from_pitch, row_bytes);
}

static void
arrive_later (char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t row_bytes, size_t rows)
{
  arrival **at = &arrivals, *a = malloc (sizeof *a);
  *a = (arrival){NULL, to, malloc (row_bytes * rows), to_pitch, row_bytes, rows};
  copy_rows (a->bytes, row_bytes, from, from_pitch, row_bytes, rows);
  for (size_t y = 0; y < rows; y++)
    memset (to + y * to_pitch, NEW, row_bytes);
  pthread_mutex_lock (&lock);
  while (*at)
    at = &(*at)->next;
  *at = a;
  pthread_mutex_unlock (&lock);
}

static void
check_side (const void *memory, size_t pitch, size_t row_bytes, size_t rows, bool on_device, const char *what)
{
  size_t bytes = rows ? (rows - 1) * pitch + row_bytes : 0;
  pthread_mutex_lock (&lock);
  if (on_device ? !is_inside (memory, bytes) : block_at (memory, bytes) != NULL)
    breach (what);
  pthread_mutex_unlock (&lock);
}

static fv_status
posing_copy (const fv_device *device, void *stream, void *to, size_t to_pitch, const void *from, size_t from_pitch,
             size_t row_bytes, size_t rows, fv_copy direction, fv_error *error)
{
  (void) device, (void) error;
  if (stream != &stream_token)
    breach ("a copy on a stream that it does not have");
  check_side (to, to_pitch, row_bytes, rows, direction != FV_TO_HOST, "the target of a copy is on the wrong side");
  check_side (from, from_pitch, row_bytes, rows, direction != FV_TO_DEVICE,
              "the source of a copy is on the wrong side");
  if (direction == FV_TO_HOST)
    arrive_later (to, to_pitch, from, from_pitch, row_bytes, rows);
  else
    copy_rows (to, to_pitch, from, from_pitch, row_bytes, rows);
  return FV_OK;
}

static fv_status
posing_synchronize (const fv_device *device, void *stream, fv_error *error)
{
  (void) device, (void) stream, (void) error;
  pthread_mutex_lock (&lock);
  for (arrival *a = arrivals, *next; a; a = next) {
    next = a->next;
    copy_rows (a->to, a->to_pitch, a->bytes, a->row_bytes, a->row_bytes, a->rows);
    free (a->bytes);
    free (a);
  }
  arrivals = NULL;
  pthread_mutex_unlock (&lock);
  return FV_OK;
}

static fv_status
posing_map (const fv_device *device, void *host, size_t bytes, void **address, fv_error *error)
{
  (void) device, (void) bytes, (void) error;
  *address = host;
  return FV_OK;
}

static void
posing_unmap (const fv_device *device, void *host)
{
  (void) device, (void) host;
}

/* ---- Streams and events ---- */

static fv_status
posing_stream_new (const fv_device *device, void **stream, fv_error *error)
{
  (void) device, (void) error;
  *stream = &stream_token;
  return FV_OK;
}

static void
posing_stream_free (const fv_device *device, void *stream)
{
  (void) device, (void) stream;
}

static fv_status
posing_event_new (const fv_device *device, void **event, fv_error *error)
{
  (void) device, (void) error;
  *event = malloc (1);
  return FV_OK;
}

static void
posing_event_free (const fv_device *device, void *event)
{
  (void) device;
  free (event);
}

static fv_status
posing_event_record (const fv_device *device, void *stream, void *event, fv_error *error)
{
  (void) device, (void) stream, (void) event, (void) error;
  return FV_OK;
}

static fv_status
posing_event_elapsed (const fv_device *device, void *start, void *end, double *ms, fv_error *error)
{
  (void) device, (void) start, (void) end, (void) error;
  *ms = 0;
  return FV_OK;
}

const fv_device posing_device = {
  .size = sizeof (fv_device),
  .kind = POSING,
  .key = "pose:0",
  .name = "The CPU, posing as a card",
  .detail = "",
  .dl = {kDLCPU, 0},
  .memory = posing_memory,
  .stream_new = posing_stream_new,
  .stream_free = posing_stream_free,
  .synchronize = posing_synchronize,
  .alloc = posing_alloc,
  .free = posing_free,
  .host_alloc = posing_host_alloc,
  .host_free = posing_host_free,
  .copy = posing_copy,
  .event_new = posing_event_new,
  .event_free = posing_event_free,
  .event_record = posing_event_record,
  .event_elapsed = posing_event_elapsed,
  .map = posing_map,
  .unmap = posing_unmap,
};
