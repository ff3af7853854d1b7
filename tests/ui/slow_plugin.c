/* SPDX-License-Identifier: MIT
 *
 * A plugin with an operation that takes ten seconds unless it is stopped.
 */
#define _POSIX_C_SOURCE 200809L
#include <fovea-plugin.h>
#include <string.h>
#include <time.h>

typedef struct {
  double seconds;
} args;

static fv_status
run (const fv_call *call, fv_error *error)
{
  const args *a = call->args;
  const fv_array *in = call->inputs[0], *out = call->outputs[0];
  long parts = (long) (a->seconds * 100);
  for (long i = 0; i < parts; i++) {
    nanosleep (&(struct timespec){0, 10000000}, NULL);
    if (call->host->tick (call, i, parts)) {
      error->code = FV_CANCELLED;
      return FV_CANCELLED;
    }
  }
  memcpy (out->tensor.data, in->tensor.data,
          (size_t) (in->tensor.strides[0] * in->tensor.shape[0]) * (in->tensor.dtype.bits / 8));
  return FV_OK;
}

static const fv_op op = {
  FV_OP (args),
  .key = "slow",
  .menu = "Plugins",
  .label = "Slow",
  .help = "Copies the image, slowly.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (args, seconds), .label = "Seconds", .help = "How long it takes.", .max = 100, .def = 10}, {0}},
  .run = {[FV_CPU] = run},
};

static const fv_op *const ops[] = {&op, NULL};
static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "slow", .version = "1.0", .ops = ops};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi, (void) error;
  return &plugin;
}
