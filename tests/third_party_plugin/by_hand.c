/* SPDX-License-Identifier: MIT
 *
 * A plugin as one in another language fills it: every size and offset is written out where the structs are made, which is when the plugin is opened,
 * and none of the macros is used. So are new operations: here powers of the values.
 */
#include <fovea-plugin.h>
#include <stdlib.h>
#include <string.h>

enum { POWERS = 3 };

struct power {
  fv_op op;
  char key[16];
  int exponent;
};

static struct power powers[POWERS];
static fv_input inputs[2];
static fv_output outputs[2];
static fv_param params[2];
static const fv_op *ops[POWERS + 1];
static fv_plugin plugin;

static fv_status
run (const fv_call *call, fv_error *error)
{
  const DLTensor *from = &call->inputs[0]->tensor, *to = &call->outputs[0]->tensor;
  const struct power *power = call->op->user;
  double scale;
  (void) error;
  memcpy (&scale, (const char *) call->args + 8, sizeof scale);
  for (int64_t z = 0; z < to->shape[0]; z++)
    for (int64_t y = 0; y < to->shape[1]; y++)
      for (int64_t x = 0; x < to->shape[2]; x++) {
        float v = ((const float *) from->data)[z * from->strides[0] + y * from->strides[1] + x], product = 1;
        for (int i = 0; i < power->exponent; i++)
          product *= v;
        ((float *) to->data)[z * to->strides[0] + y * to->strides[1] + x] = (float) (scale * product);
      }
  return call->host->tick (call, 1, 1) ? FV_CANCELLED : FV_OK;
}

static void
make_power (struct power *p, int exponent)
{
  memcpy (p->key, "power_0", 8);
  p->key[6] = (char) ('0' + exponent);
  p->exponent = exponent;
  p->op.size = (uint32_t) sizeof p->op;
  p->op.args_size = 16;
  p->op.param_size = (uint32_t) sizeof params[0];
  p->op.choice_size = (uint32_t) sizeof (fv_choice);
  p->op.input_size = (uint32_t) sizeof inputs[0];
  p->op.output_size = (uint32_t) sizeof outputs[0];
  p->op.scalar_size = (uint32_t) sizeof (fv_scalar);
  p->op.key = p->key;
  p->op.label = "Power";
  p->op.help = "Multiplies each value with itself (NaN stays).";
  p->op.user = p;
  p->op.kind = FV_POINT;
  p->op.inputs = inputs;
  p->op.outputs = outputs;
  p->op.params = params;
  p->op.run[FV_CPU] = run;
}

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) error;
  inputs[0].key = outputs[0].key = "image";
  inputs[0].label = outputs[0].label = "Image";
  inputs[0].types = FV_F32;
  params[0].key = "scale";
  params[0].type = FV_FLOAT;
  params[0].offset = 8;
  params[0].capacity = 8;
  params[0].label = "Scale";
  params[0].help = "What the product is multiplied by.";
  params[0].def = 1;
  for (int i = 0; i < POWERS; i++) {
    make_power (&powers[i], i + 2);
    ops[i] = &powers[i].op;
  }
  plugin.size = (uint32_t) sizeof plugin;
  plugin.abi = host_abi;
  plugin.name = "by-hand";
  plugin.version = "1.0";
  plugin.ops = ops;
  return &plugin;
}
