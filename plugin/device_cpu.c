/* SPDX-License-Identifier: MIT
 *
 * The CPU as a device: memory of its own keeping, everything done at once, events that read the clock.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "plugin/devices.h"
#include "plugin/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static char cpu_name[128] = "CPU";
static char cpu_detail[160];
static char stream_token;

static fv_status
no_memory (fv_error *error, size_t bytes)
{
  error->code = FV_NO_MEMORY;
  error->field[0] = 0;
  snprintf (error->text, sizeof error->text, "Not enough memory: it needs %.1f MiB more.", (double) bytes / 1048576);
  return FV_NO_MEMORY;
}

/* A value of /proc/meminfo in bytes, or -1. */
static int64_t
meminfo (const char *key)
{
  char line[128];
  long long kib = -1;
  FILE *f = fopen ("/proc/meminfo", "r");
  if (!f)
    return -1;
  while (fgets (line, sizeof line, f))
    if (!strncmp (line, key, strlen (key)) && sscanf (line + strlen (key), ": %lld kB", &kib) == 1)
      break;
  fclose (f);
  return kib < 0 ? -1 : kib * 1024;
}

static fv_status
cpu_memory (const fv_device *device, int64_t *free_bytes, int64_t *total, fv_error *error)
{
  (void) device;
  (void) error;
  *total = (int64_t) sysconf (_SC_PHYS_PAGES) * sysconf (_SC_PAGESIZE);
  *free_bytes = meminfo ("MemAvailable");
  if (*free_bytes < 0)
    *free_bytes = *total;
  return FV_OK;
}

static fv_status
cpu_stream_new (const fv_device *device, void **stream, fv_error *error)
{
  (void) device;
  (void) error;
  *stream = &stream_token;
  return FV_OK;
}

static void
cpu_stream_free (const fv_device *device, void *stream)
{
  (void) device;
  (void) stream;
}

static fv_status
cpu_synchronize (const fv_device *device, void *stream, fv_error *error)
{
  (void) device;
  (void) stream;
  (void) error;
  return FV_OK;
}

/* ---- Memory: fresh pages cost more than most operations, a fault and a zeroed page for each ---- */

enum { HUGE_PAGE = 2 << 20 };

/* The pixels of a large block start one line after an aligned address. */
static void *
make_block (size_t bytes)
{
  size_t align = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : POOL_LINE;
  char *base = bytes > SIZE_MAX / 2 ? NULL : aligned_alloc (align, (bytes + align - 1) / align * align);
#ifdef MADV_HUGEPAGE
  if (base && align == HUGE_PAGE)
    madvise (base, bytes, MADV_HUGEPAGE);
#endif
  return base;
}

#ifdef __SANITIZE_ADDRESS__
#define MIN_KEPT SIZE_MAX /* none, so that use after free is seen */
#else
#define MIN_KEPT HUGE_PAGE
#endif

static pool blocks = {.make = make_block, .drop = free, .min = MIN_KEPT, .max = (size_t) 1 << 30, .lock = POOL_LOCK};

void
device_cpu_close (void)
{
  pool_clear (&blocks);
}

static void
cpu_trim (const fv_device *device)
{
  (void) device;
  pool_clear (&blocks);
}

/* To eight sizes in each doubling: what an operation takes may differ a little from image to image, and is to find a block again. */
static size_t
rounded (size_t bytes)
{
  if (bytes < MIN_KEPT || bytes > SIZE_MAX / 2)
    return bytes;
  const size_t step = (size_t) 1 << (60 - __builtin_clzll (bytes));
  return (bytes + step - 1) / step * step;
}

static fv_status
cpu_host_alloc (const fv_device *device, size_t bytes, void **memory, fv_error *error)
{
  (void) device;
  *memory = pool_take (&blocks, rounded (bytes));
  return *memory ? FV_OK : no_memory (error, bytes);
}

static void
cpu_host_free (const fv_device *device, void *memory)
{
  (void) device;
  pool_give (&blocks, memory);
}

static fv_status
cpu_alloc (const fv_device *device, void *stream, size_t bytes, void **memory, fv_error *error)
{
  (void) stream;
  return cpu_host_alloc (device, bytes, memory, error);
}

static void
cpu_free (const fv_device *device, void *stream, void *memory)
{
  (void) stream;
  cpu_host_free (device, memory);
}

static fv_status
cpu_copy (const fv_device *device, void *stream, void *to, size_t to_pitch, const void *from, size_t from_pitch,
          size_t row_bytes, size_t rows, fv_copy direction, fv_error *error)
{
  (void) device;
  (void) stream;
  (void) direction;
  (void) error;
  if (to_pitch == row_bytes && from_pitch == row_bytes) {
    memcpy (to, from, row_bytes * rows);
    return FV_OK;
  }
  for (size_t y = 0; y < rows; y++)
    memcpy ((char *) to + y * to_pitch, (const char *) from + y * from_pitch, row_bytes);
  return FV_OK;
}

static fv_status
cpu_event_new (const fv_device *device, void **event, fv_error *error)
{
  (void) device;
  *event = malloc (sizeof (struct timespec));
  return *event ? FV_OK : no_memory (error, sizeof (struct timespec));
}

static void
cpu_event_free (const fv_device *device, void *event)
{
  (void) device;
  free (event);
}

static fv_status
cpu_event_record (const fv_device *device, void *stream, void *event, fv_error *error)
{
  (void) device;
  (void) stream;
  (void) error;
  clock_gettime (CLOCK_MONOTONIC, event);
  return FV_OK;
}

static fv_status
cpu_event_elapsed (const fv_device *device, void *start, void *end, double *ms, fv_error *error)
{
  const struct timespec *a = start, *b = end;
  (void) device;
  (void) error;
  *ms = (double) (b->tv_sec - a->tv_sec) * 1e3 + (double) (b->tv_nsec - a->tv_nsec) * 1e-6;
  return FV_OK;
}

static fv_status
cpu_map (const fv_device *device, void *host, size_t bytes, void **address, fv_error *error)
{
  (void) device, (void) bytes, (void) error;
  *address = host;
  return FV_OK;
}

static void
cpu_unmap (const fv_device *device, void *host)
{
  (void) device, (void) host;
}

static void
forget_blocks (void)
{
  pool_forget (&blocks);
}

static void
forget_in_children (void)
{
  pthread_atfork (NULL, NULL, forget_blocks);
}

void
device_cpu_init (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, forget_in_children);
  char line[256];
  FILE *f = fopen ("/proc/cpuinfo", "r");
  while (f && fgets (line, sizeof line, f))
    if (sscanf (line, "model name : %127[^\n]", cpu_name) == 1)
      break;
  if (f)
    fclose (f);
  snprintf (cpu_detail, sizeof cpu_detail, "%ld cores", sysconf (_SC_NPROCESSORS_ONLN));
}

const fv_device device_cpu = {
  .size = sizeof (fv_device),
  .kind = FV_CPU,
  .key = "cpu",
  .name = cpu_name,
  .detail = cpu_detail,
  .dl = {kDLCPU, 0},
  .memory = cpu_memory,
  .stream_new = cpu_stream_new,
  .stream_free = cpu_stream_free,
  .synchronize = cpu_synchronize,
  .alloc = cpu_alloc,
  .free = cpu_free,
  .host_alloc = cpu_host_alloc,
  .host_free = cpu_host_free,
  .copy = cpu_copy,
  .event_new = cpu_event_new,
  .event_free = cpu_event_free,
  .event_record = cpu_event_record,
  .event_elapsed = cpu_event_elapsed,
  .map = cpu_map,
  .unmap = cpu_unmap,
  .trim = cpu_trim,
};
