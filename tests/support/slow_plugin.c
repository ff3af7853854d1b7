/* SPDX-License-Identifier: MIT
 *
 * A plugin with slow operations: `slow` asks whether it shall stop, `deaf` never does, and `held` runs for as long as the file that FOVEA_HELD names
 * exists, so that a test decides when it ends. All copy the image.
 */
#define _POSIX_C_SOURCE 200809L
#include <fovea-plugin.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  double seconds;
} args;

typedef struct {
  int32_t number;
} turn;

static void
copy (const fv_call *call)
{
  const fv_array *in = call->inputs[0];
  memcpy (call->outputs[0]->tensor.data, in->tensor.data,
          (size_t) (in->tensor.strides[0] * in->tensor.shape[0]) * (in->tensor.dtype.bits / 8));
}

/* Whether to stop. */
static int
rest (const fv_call *call, long i, long parts)
{
  nanosleep (&(struct timespec){0, 10000000}, NULL);
  return call->host->tick (call, i, parts);
}

static fv_status
slow_run (const fv_call *call, fv_error *error)
{
  const args *a = call->args;
  long parts = (long) (a->seconds * 100);
  for (long i = 0; i < parts; i++)
    if (rest (call, i, parts))
      return error->code = FV_CANCELLED;
  copy (call);
  return FV_OK;
}

static fv_status
held_run (const fv_call *call, fv_error *error)
{
  const char *path = getenv ("FOVEA_HELD");
  while (path && !access (path, F_OK))
    if (rest (call, 0, 1))
      return error->code = FV_CANCELLED;
  copy (call);
  return FV_OK;
}

static fv_status
deaf_run (const fv_call *call, fv_error *error)
{
  const args *a = call->args;
  struct timespec left = {(time_t) a->seconds, 0};
  (void) error;
  while (nanosleep (&left, &left))
    ;
  return FV_OK;
}

static const fv_input inputs[] = {{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}};
static const fv_output outputs[] = {{"image", "Image"}, {0}};
static const fv_param params[] = {
  {FV_FIELD (args, seconds), .label = "Seconds", .help = "How long it takes.", .max = 100, .def = 10}, {0}};

static const fv_op slow = {
  FV_OP (args),     .key = "slow",    .menu = "Plugins",  .label = "Slow",  .help = "Copies the image, slowly.",
  .kind = FV_POINT, .inputs = inputs, .outputs = outputs, .params = params, .run = {[FV_CPU] = slow_run},
};

static const fv_op deaf = {
  FV_OP (args),     .key = "deaf",      .label = "Deaf",  .help = "Takes its time.",    .kind = FV_POINT,
  .inputs = inputs, .outputs = outputs, .params = params, .run = {[FV_CPU] = deaf_run},
};

static const fv_param turns[] = {
  {FV_FIELD (turn, number), .label = "Turn", .help = "Another one makes it start again.", .max = 100}, {0}};

static const fv_op held = {
  FV_OP (turn),     .key = "held",      .label = "Held", .help = "Runs until it is released.", .kind = FV_POINT,
  .inputs = inputs, .outputs = outputs, .params = turns, .run = {[FV_CPU] = held_run}};

static const fv_op *const ops[] = {&slow, &deaf, &held, NULL};
static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "slow", .version = "1.0", .ops = ops};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi, (void) error;
  return &plugin;
}
