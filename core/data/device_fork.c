/* SPDX-License-Identifier: MIT
 */
#include "core/data/device_fork.h"

#include "core/base/error.h"

static const char why[] = "this process was forked from one that uses the GPU, and the driver cannot be used in "
                          "both. Start processes with 'spawn' or 'forkserver', or use device cpu.";

static fv_status
fail (fv_error *error)
{
  return error_fill (error, FV_DEVICE_FAULT, "%s", why);
}

static fv_status
memory (const fv_device *device, int64_t *unused, int64_t *total, fv_error *error)
{
  (void) device, (void) unused, (void) total;
  return fail (error);
}

static fv_status
stream_new (const fv_device *device, void **stream, fv_error *error)
{
  (void) device, (void) stream;
  return fail (error);
}

static fv_status
synchronize (const fv_device *device, void *stream, fv_error *error)
{
  (void) device, (void) stream;
  return fail (error);
}

static fv_status
alloc (const fv_device *device, void *stream, size_t bytes, void **block, fv_error *error)
{
  (void) device, (void) stream, (void) bytes, (void) block;
  return fail (error);
}

static fv_status
host_alloc (const fv_device *device, size_t bytes, void **block, fv_error *error)
{
  (void) device, (void) bytes, (void) block;
  return fail (error);
}

static fv_status
copy (const fv_device *device, void *stream, void *to, size_t to_pitch, const void *from, size_t from_pitch,
      size_t row_bytes, size_t rows, fv_copy direction, fv_error *error)
{
  (void) device, (void) stream, (void) to, (void) to_pitch, (void) from, (void) from_pitch, (void) row_bytes,
    (void) rows, (void) direction;
  return fail (error);
}

static fv_status
event_record (const fv_device *device, void *stream, void *event, fv_error *error)
{
  (void) device, (void) stream, (void) event;
  return fail (error);
}

static fv_status
event_elapsed (const fv_device *device, void *start, void *end, double *ms, fv_error *error)
{
  (void) device, (void) start, (void) end, (void) ms;
  return fail (error);
}

static fv_status
map (const fv_device *device, void *host, size_t bytes, void **address, fv_error *error)
{
  (void) device, (void) host, (void) bytes, (void) address;
  return fail (error);
}

/* What the parent has is the parent's. */
static void
leave (const fv_device *device, void *what)
{
  (void) device, (void) what;
}

static void
leave_block (const fv_device *device, void *stream, void *block)
{
  (void) device, (void) stream, (void) block;
}

static void
trim (const fv_device *device)
{
  (void) device;
}

const fv_device *
device_forked (const fv_device *device)
{
  fv_device *forked = g_new (fv_device, 1);
  *forked = (fv_device){
    .size = sizeof *forked,
    .kind = device->kind,
    .key = device->key,
    .name = device->name,
    .detail = device->detail,
    .fault = why,
    .dl = device->dl,
    .memory = memory,
    .stream_new = stream_new,
    .stream_free = leave,
    .synchronize = synchronize,
    .alloc = alloc,
    .free = leave_block,
    .host_alloc = host_alloc,
    .host_free = leave,
    .copy = copy,
    .event_new = stream_new,
    .event_free = leave,
    .event_record = event_record,
    .event_elapsed = event_elapsed,
    .map = map,
    .unmap = leave,
    .trim = trim,
  };
  return forked;
}
