/* SPDX-License-Identifier: MIT
 *
 * A plugin with an operation that never asks whether it shall stop.
 */
#define _POSIX_C_SOURCE 200809L
#include <fovea-plugin.h>
#include <time.h>

typedef struct {
  double seconds;
} args;

static fv_status
run (const fv_call *call, fv_error *error)
{
  const args *a = call->args;
  struct timespec left = {(time_t) a->seconds, 0};
  (void) error;
  while (nanosleep (&left, &left))
    ;
  return FV_OK;
}

static const fv_op op = {
  FV_OP (args),
  .key = "deaf",
  .menu = "Plugins",
  .label = "Deaf",
  .help = "Takes its time.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_ANY_TYPE, false}, {0}},
  .outputs = (const fv_output[]){{"image", "Image"}, {0}},
  .params =
    (const fv_param[]){
      {FV_FIELD (args, seconds), .label = "Seconds", .help = "How long it takes.", .max = 100, .def = 60}, {0}},
  .run = {[FV_CPU] = run},
};

static const fv_op *const ops[] = {&op, NULL};
static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "deaf", .version = "1.0", .ops = ops};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi, (void) error;
  return &plugin;
}
