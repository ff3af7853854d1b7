/* SPDX-License-Identifier: MIT
 */
#include "tests/posing/posing_device.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE = 64, NEW = 0xA5, FREED = 0x5A, CANARY = 0xC3 };

typedef struct block {
  struct block *next;
  int gpu;
  char *memory; /* a line of canaries before it and one after it */
  size_t bytes;
  unsigned long number;
} block;

typedef struct stream {
  struct stream *next;
  int gpu;
  bool work;                  /* memory was taken on it */
  unsigned long asked, known; /* copies so far; blocks that there were where the work stood that it has waited for */
} stream;

typedef struct event {
  stream *on;
  double ms;                    /* when it was recorded */
  unsigned long copies, blocks; /* that there were when it was recorded */
} event;

/* A copy that was asked for and has not happened yet. */
typedef struct pending {
  struct pending *next;
  stream *on;
  unsigned long number; /* on its stream */
  char *to, *from;
  char *taken; /* what was there when it was asked for; NULL: it takes what is there when it happens */
  size_t to_pitch, from_pitch, row_bytes, rows;
  fv_copy direction;
} pending;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below */
static block *blocks;
static unsigned long blocks_made;
static const size_t memory_bytes = (size_t) 1 << 36;
static size_t in_use, kept; /* of them, on all GPUs; what was in use once is kept, as a GPU's driver does */
static stream *streams;
static pending *copies;

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
is_inside (int gpu, const void *memory, size_t bytes)
{
  const block *b = block_at (memory, bytes);
  return b && b->gpu == gpu && (uintptr_t) memory >= (uintptr_t) b->memory
         && (uintptr_t) memory + bytes <= (uintptr_t) b->memory + b->bytes;
}

/* The lock is held. */
static stream *
stream_of (const fv_device *device, void *which)
{
  stream *s = streams;
  while (s && s != which)
    s = s->next;
  if (!s || s->gpu != device->dl.device_id)
    breach ("a stream that it does not have");
  return s;
}

/* ---- Operations ---- */

static void
check_array (const fv_call *call, const fv_array *array)
{
  const DLTensor *t = &array->tensor;
  int64_t last = (t->shape[0] - 1) * t->strides[0] + (t->shape[1] - 1) * t->strides[1] + t->shape[2];
  pthread_mutex_lock (&lock);
  if (t->device.device_id != call->device->dl.device_id
      || !is_inside (t->device.device_id, t->data, (size_t) last * t->dtype.bits / 8))
    breach ("an operation is given an array that is not on its device");
  pthread_mutex_unlock (&lock);
}

fv_status
posing_run (const fv_call *call, fv_error *error)
{
  const fv_op *op = call->op;
  for (int i = 0; op->inputs && op->inputs[i].key; i++)
    if (call->inputs[i])
      check_array (call, call->inputs[i]);
  for (int i = 0; op->outputs && op->outputs[i].key; i++)
    check_array (call, call->outputs[i]);
  return op->run[FV_CPU](call, error);
}

/* ---- Memory ---- */

static fv_status
posing_memory (const fv_device *device, int64_t *unused, int64_t *total, fv_error *error)
{
  (void) device, (void) error;
  pthread_mutex_lock (&lock);
  *total = (int64_t) memory_bytes;
  *unused = (int64_t) (memory_bytes - kept);
  pthread_mutex_unlock (&lock);
  return FV_OK;
}

static fv_status
posing_alloc (const fv_device *device, void *on, size_t bytes, void **memory, fv_error *error)
{
  if (bytes > memory_bytes)
    return error->code = FV_NO_MEMORY;
  block *b = malloc (sizeof *b);
  char *base = aligned_alloc (LINE, (bytes + 3 * LINE - 1) / LINE * LINE);
  if (!b || !base || bytes == 0)
    breach ("no memory");
  memset (base, CANARY, LINE);
  memset (base + LINE, NEW, bytes);
  memset (base + LINE + bytes, CANARY, LINE);
  *memory = base + LINE;
  pthread_mutex_lock (&lock);
  stream *s = stream_of (device, on);
  if (!s->work && s->asked)
    breach ("memory on a stream of copies");
  s->work = true;
  *b = (block){blocks, s->gpu, *memory, bytes, ++blocks_made};
  blocks = b;
  in_use += bytes;
  kept = in_use > kept ? in_use : kept;
  pthread_mutex_unlock (&lock);
  return FV_OK;
}

static void
posing_free (const fv_device *device, void *on, void *memory)
{
  block **at = &blocks, *b;
  (void) on;
  pthread_mutex_lock (&lock);
  while (*at && (*at)->memory != memory)
    at = &(*at)->next;
  if (!(b = *at) || b->gpu != device->dl.device_id)
    breach ("memory is freed that it does not have");
  *at = b->next;
  in_use -= b->bytes;
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

/* The lock is held. */
static void
check_side (const stream *s, const void *memory, size_t pitch, size_t row_bytes, size_t rows, bool on_device,
            const char *what)
{
  size_t bytes = rows ? (rows - 1) * pitch + row_bytes : 0;
  const block *b = block_at (memory, bytes);
  if (on_device ? !is_inside (s->gpu, memory, bytes) : b != NULL)
    breach (what);
  if (b && !s->work && b->number > s->known)
    breach ("a copy of memory that the stream does not know of");
}

/* The lock is held. */
static void
check_sides (const stream *s, const pending *c)
{
  check_side (s, c->to, c->to_pitch, c->row_bytes, c->rows, c->direction != FV_TO_HOST,
              "the target of a copy is on the wrong side");
  check_side (s, c->from, c->from_pitch, c->row_bytes, c->rows, c->direction != FV_TO_DEVICE,
              "the source of a copy is on the wrong side");
}

/* Does what was asked for on the stream, up to copy `last`. The lock is held. */
static void
happen (const stream *s, unsigned long last)
{
  for (pending **at = &copies, *c; (c = *at);)
    if (c->on == s && c->number <= last) {
      if (!c->taken)
        check_sides (s, c); /* it may be gone */
      copy_rows (c->to, c->to_pitch, c->taken ? c->taken : c->from, c->taken ? c->row_bytes : c->from_pitch,
                 c->row_bytes, c->rows);
      *at = c->next;
      free (c->taken);
      free (c);
    } else
      at = &c->next;
}

/* The lock is held. */
static void
ask (const pending *copy)
{
  pending **at = &copies, *c = malloc (sizeof *c);
  *c = *copy;
  if (c->on->work) { /* what comes later on it may change the source */
    c->taken = malloc (c->row_bytes * c->rows);
    copy_rows (c->taken, c->row_bytes, c->from, c->from_pitch, c->row_bytes, c->rows);
  }
  for (size_t y = 0; y < c->rows; y++)
    memset (c->to + y * c->to_pitch, NEW, c->row_bytes);
  while (*at)
    at = &(*at)->next;
  *at = c;
}

static fv_status
posing_copy (const fv_device *device, void *on, void *to, size_t to_pitch, const void *from, size_t from_pitch,
             size_t row_bytes, size_t rows, fv_copy direction, fv_error *error)
{
  (void) error;
  pthread_mutex_lock (&lock);
  stream *s = stream_of (device, on);
  pending copy = {NULL, s, ++s->asked, to, (char *) from, NULL, to_pitch, from_pitch, row_bytes, rows, direction};
  check_sides (s, &copy);
  if (s->work && direction != FV_TO_HOST)
    copy_rows (to, to_pitch, from, from_pitch, row_bytes, rows);
  else
    ask (&copy);
  pthread_mutex_unlock (&lock);
  return FV_OK;
}

static fv_status
posing_synchronize (const fv_device *device, void *on, fv_error *error)
{
  (void) error;
  pthread_mutex_lock (&lock);
  stream *s = stream_of (device, on);
  happen (s, s->asked);
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
posing_stream_new (const fv_device *device, void **made, fv_error *error)
{
  stream *s = calloc (1, sizeof *s);
  (void) error;
  s->gpu = device->dl.device_id;
  pthread_mutex_lock (&lock);
  s->next = streams;
  streams = s;
  pthread_mutex_unlock (&lock);
  *made = s;
  return FV_OK;
}

static void
posing_stream_free (const fv_device *device, void *gone)
{
  stream **at = &streams;
  fv_error error = FV_ERROR_INIT;
  posing_synchronize (device, gone, &error);
  pthread_mutex_lock (&lock);
  while (*at != gone)
    at = &(*at)->next;
  *at = (*at)->next;
  pthread_mutex_unlock (&lock);
  free (gone);
}

static fv_status
posing_event_new (const fv_device *device, void **made, fv_error *error)
{
  (void) device, (void) error;
  *made = calloc (1, sizeof (event));
  return FV_OK;
}

static void
posing_event_free (const fv_device *device, void *gone)
{
  (void) device;
  free (gone);
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static fv_status
posing_event_record (const fv_device *device, void *on, void *which, fv_error *error)
{
  (void) error;
  pthread_mutex_lock (&lock);
  stream *s = stream_of (device, on);
  *(event *) which = (event){s, now (), s->asked, s->work ? blocks_made : s->known};
  pthread_mutex_unlock (&lock);
  return FV_OK;
}

static fv_status
posing_event_elapsed (const fv_device *device, void *start, void *end, double *ms, fv_error *error)
{
  const event *e = end;
  (void) device, (void) error;
  pthread_mutex_lock (&lock);
  if (!e->on)
    breach ("a wait for an event that was not recorded");
  happen (e->on, e->copies);
  pthread_mutex_unlock (&lock);
  *ms = e->ms - ((const event *) start)->ms;
  return FV_OK;
}

/* Work is done at once: when it waits, the copies must have happened. */
static fv_status
posing_stream_wait (const fv_device *device, void *on, void *which, fv_error *error)
{
  const event *e = which;
  (void) error;
  pthread_mutex_lock (&lock);
  stream *s = stream_of (device, on);
  if (!e->on)
    breach ("a stream waits for an event that was not recorded");
  if (s->work)
    happen (e->on, e->copies);
  else if (e->blocks > s->known)
    s->known = e->blocks;
  pthread_mutex_unlock (&lock);
  return FV_OK;
}

static fv_status
posing_can_compile (const fv_device *device, fv_error *error)
{
  (void) device;
  if (!getenv ("FOVEA_POSING_BARE"))
    return FV_OK;
  snprintf (error->text, sizeof error->text, "a compiler is missing.");
  return error->code = FV_UNSUPPORTED;
}

const fv_device posing_device = {
  .size = sizeof (fv_device),
  .kind = POSING,
  .key = "pose:0",
  .name = "The CPU, posing as a GPU",
  .detail = "",
  .dl = {kDLExtDev, 0},
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
  .stream_wait = posing_stream_wait,
  .can_compile = posing_can_compile,
};
