/* SPDX-License-Identifier: MIT
 *
 * A plugin with a fake GPU that takes time to find: finding it waits while the file $FOVEA_HELD exists, and leaves a line in
 * $FOVEA_POSING_LOG. With $FOVEA_POSING_TWICE it has two of them. It cannot compile while $FOVEA_POSING_BARE is set. Its operations run on the CPU
 * and on that GPU; one of them row by row, as these come, and one with a wrong result on the GPU. `pose_frail` fails on an image that begins black or
 * white, and the GPU with it, as real ones do. The error is reported later, and from then on every call of the GPU in this process fails.
 */
#include "tests/posing/posing_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const fv_input inputs[] = {{"image", "Image", "The image.", FV_U8, false}, {0}};
static const fv_output outputs[] = {{"image", "Image"}, {0}};

static fv_status
pose_run (const fv_call *call, fv_error *error)
{
  const DLTensor *from = &call->inputs[0]->tensor, *to = &call->outputs[0]->tensor;
  int64_t n = from->shape[0] * from->shape[1] * from->shape[2];
  (void) error;
  for (int64_t i = 0; i < n; i++)
    ((uint8_t *) to->data)[i] = (uint8_t) (255 - ((const uint8_t *) from->data)[i]);
  call->host->tick (call, 1, 1);
  return FV_OK;
}

static const fv_op pose = {
  FV_OP (char),     .key = "pose",    .label = "Pose",    .help = "Turns black to white and white to black.",
  .kind = FV_POINT, .inputs = inputs, .outputs = outputs, .run = {[FV_CPU] = pose_run, [POSING] = pose_run},
};

static fv_status
pose_badly_run (const fv_call *call, fv_error *error)
{
  fv_status status = pose_run (call, error);
  if (!status && call->device->kind == POSING)
    *(uint8_t *) call->outputs[0]->tensor.data ^= 3;
  return status;
}

static const fv_op pose_badly = {
  FV_OP (char),          .key = "pose_badly",
  .label = "Pose Badly", .help = "Turns black to white, on a GPU the first pixel wrongly.",
  .kind = FV_POINT,      .inputs = inputs,
  .outputs = outputs,    .run = {[FV_CPU] = pose_badly_run, [POSING] = pose_badly_run},
};

/* ---- A GPU that fails ---- */

static int faulted; /* atomic */

static fv_status
fault (fv_error *error)
{
  if (!__atomic_load_n (&faulted, __ATOMIC_SEQ_CST))
    return FV_OK;
  snprintf (error->text, sizeof error->text, "The work on the device failed: an illegal memory access.");
  return error->code = FV_DEVICE_FAULT;
}

static fv_status
frail_memory (const fv_device *device, int64_t *unused, int64_t *total, fv_error *error)
{
  const fv_status status = fault (error);
  return status ? status : posing_device.memory (device, unused, total, error);
}

static fv_status
frail_stream_new (const fv_device *device, void **stream, fv_error *error)
{
  const fv_status status = fault (error);
  return status ? status : posing_device.stream_new (device, stream, error);
}

static fv_status
frail_synchronize (const fv_device *device, void *stream, fv_error *error)
{
  const fv_status status = posing_device.synchronize (device, stream, error);
  return status ? status : fault (error);
}

static fv_status
frail_alloc (const fv_device *device, void *stream, size_t bytes, void **memory, fv_error *error)
{
  const fv_status status = fault (error);
  return status ? status : posing_device.alloc (device, stream, bytes, memory, error);
}

static fv_status
frail_copy (const fv_device *device, void *stream, void *to, size_t to_pitch, const void *from, size_t from_pitch,
            size_t row_bytes, size_t rows, fv_copy direction, fv_error *error)
{
  const fv_status status = fault (error);
  return status
           ? status
           : posing_device.copy (device, stream, to, to_pitch, from, from_pitch, row_bytes, rows, direction, error);
}

static fv_status
frail_event_elapsed (const fv_device *device, void *start, void *end, double *ms, fv_error *error)
{
  const fv_status status = posing_device.event_elapsed (device, start, end, ms, error);
  return status ? status : fault (error);
}

static void
make_frail (fv_device *device)
{
  device->memory = frail_memory;
  device->stream_new = frail_stream_new;
  device->synchronize = frail_synchronize;
  device->alloc = frail_alloc;
  device->copy = frail_copy;
  device->event_elapsed = frail_event_elapsed;
}

/* On one that begins white the CPU fails, too. */
static fv_status
pose_frail_run (const fv_call *call, fv_error *error)
{
  const uint8_t first = *(const uint8_t *) call->inputs[0]->tensor.data;
  const fv_status status = pose_run (call, error);
  if (call->device->kind == POSING && (first == 0 || first == 255))
    __atomic_store_n (&faulted, 1, __ATOMIC_SEQ_CST);
  else if (!status && first == 255) {
    snprintf (error->text, sizeof error->text, "It begins white.");
    return error->code = FV_BAD_INPUT;
  }
  return status;
}

static const fv_op pose_frail = {
  FV_OP (char),          .key = "pose_frail",
  .label = "Pose Frail", .help = "Turns black to white; a GPU fails on an image that begins black or white.",
  .kind = FV_POINT,      .inputs = inputs,
  .outputs = outputs,    .run = {[FV_CPU] = pose_frail_run, [POSING] = pose_frail_run},
};

static fv_grain
frame_grain (const fv_op *op, const void *args)
{
  (void) op, (void) args;
  return FV_FRAME;
}

static void
pose_row (const fv_array *from, const fv_array *to, int64_t y)
{
  const uint8_t *in = (const uint8_t *) from->tensor.data + y * from->tensor.strides[1];
  uint8_t *out = (uint8_t *) to->tensor.data + y * to->tensor.strides[1];
  for (int64_t x = 0; x < from->tensor.shape[2]; x++)
    out[x] = (uint8_t) (255 - in[x]);
}

/* Says how often it had to ask for rows. */
static fv_status
pose_rows_run (const fv_call *call, fv_error *error)
{
  const int64_t rows = call->inputs[0]->tensor.shape[1];
  int64_t there = 0, next = 0;
  double asked = 0;
  fv_status status;
  for (int64_t y = 0; y < rows; y++) {
    if (y == next && (status = call->host->rows_out (call, 0, y, &next, error)))
      return status;
    if (y == there) {
      if ((status = call->host->rows_in (call, 0, y + 1, &there, error)))
        return status;
      asked++;
    }
    pose_row (call->inputs[0], call->outputs[0], y);
    if (call->host->tick (call, y, rows))
      return error->code = FV_CANCELLED;
  }
  call->scalars[0] = asked;
  return call->host->rows_out (call, 0, rows, &next, error);
}

static const fv_op pose_rows = {
  FV_OP (char),
  .key = "pose_rows",
  .label = "Pose Row by Row",
  .help = "Turns black to white and white to black, row by row.",
  .kind = FV_POINT,
  .grain = frame_grain,
  .inputs = inputs,
  .outputs = outputs,
  .scalars = (const fv_scalar[]){{"asked", "Asked", "How often it asked for rows.", FV_COLUMN_INTEGER}, {0}},
  .run = {[FV_CPU] = pose_rows_run, [POSING] = pose_rows_run},
  .by_rows = 1 << FV_CPU | 1 << POSING,
};

static const fv_device *const *
find_devices (void)
{
  static fv_device first, second;
  static const fv_device *devices[3] = {&first};
  const char *path = getenv ("FOVEA_POSING_LOG");
  const char *held = getenv ("FOVEA_HELD");
  while (held && !access (held, F_OK))
    usleep (10000);
  FILE *log = path ? fopen (path, "a") : NULL;
  if (log) {
    fputs ("looked for devices\n", log);
    fclose (log);
  }
  first = posing_device;
  make_frail (&first);
  if (getenv ("FOVEA_POSING_TWICE")) {
    second = first;
    second.key = "pose:1";
    second.dl.device_id = 1;
    devices[1] = &second;
  }
  return devices;
}

static const fv_op *const ops[] = {&pose, &pose_badly, &pose_frail, &pose_rows, NULL};

static const fv_plugin plugin = {.size = sizeof (fv_plugin),
                                 .abi = FV_ABI,
                                 .name = "posing",
                                 .version = "1.0",
                                 .ops = ops,
                                 .find_devices = find_devices};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi, (void) error;
  return &plugin;
}
