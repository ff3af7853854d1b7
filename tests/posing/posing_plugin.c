/* SPDX-License-Identifier: MIT
 *
 * A plugin with a card that has to be looked for: whoever makes it look waits while there is the file $FOVEA_HELD, and leaves
 * a line in $FOVEA_POSING_LOG. With $FOVEA_POSING_TWICE there are two of them. It cannot compile while there is $FOVEA_POSING_BARE. Its operations run on the CPU and on that card; one of them row by row, as these come, and one
 * not as it should on the card.
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
  .label = "Pose Badly", .help = "Turns black to white, on a card the first pixel wrongly.",
  .kind = FV_POINT,      .inputs = inputs,
  .outputs = outputs,    .run = {[FV_CPU] = pose_badly_run, [POSING] = pose_badly_run},
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
  static fv_device second;
  static const fv_device *devices[3] = {&posing_device};
  const char *path = getenv ("FOVEA_POSING_LOG");
  const char *held = getenv ("FOVEA_HELD");
  while (held && !access (held, F_OK))
    usleep (10000);
  FILE *log = path ? fopen (path, "a") : NULL;
  if (log) {
    fputs ("looked for devices\n", log);
    fclose (log);
  }
  if (getenv ("FOVEA_POSING_TWICE")) {
    second = posing_device;
    second.key = "pose:1";
    second.dl.device_id = 1;
    devices[1] = &second;
  }
  return devices;
}

static const fv_op *const ops[] = {&pose, &pose_badly, &pose_rows, NULL};

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
