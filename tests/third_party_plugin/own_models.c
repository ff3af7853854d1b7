/* SPDX-License-Identifier: MIT
 *
 * A plugin that brings a trained model of its own: `above`, which marks the pixels above a level. The model `dim` is that level.
 */
#include <fovea-plugin.h>
#include <stdio.h>
#include <string.h>

enum { DIM = 10 };

typedef struct {
  char model[256];
} above_args;

static fv_status
dim_card (const char *model, void (*line) (void *user, const char *key, const char *text), void *user, fv_error *error)
{
  (void) model, (void) error;
  line (user, "purpose", "Pixels that are not quite black");
  line (user, "license", "MIT");
  return FV_OK;
}

static fv_status
dim_test (const char *model, int (*stop) (void *user), void *user, char *report, uint32_t n, fv_error *error)
{
  (void) model, (void) stop, (void) user, (void) error;
  snprintf (report, n, "It passes its test: %d is above %d.", DIM + 1, DIM);
  return FV_OK;
}

static const fv_models models = {.size = sizeof (fv_models),
                                 .folder = "levels",
                                 .names = (const char *const[]){"dim", NULL},
                                 .endings = (const char *const[]){"level", NULL},
                                 .card = dim_card,
                                 .test = dim_test};

static fv_status
above_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  (void) op, (void) args, (void) in, (void) error;
  out[0]->role = FV_MASK;
  return FV_OK;
}

static fv_status
above_run (const fv_call *call, fv_error *error)
{
  const DLTensor *in = &call->inputs[0]->tensor, *out = &call->outputs[0]->tensor;
  (void) error;
  for (int64_t z = 0; z < in->shape[0]; z++)
    for (int64_t y = 0; y < in->shape[1]; y++)
      for (int64_t x = 0; x < in->shape[2]; x++)
        ((uint8_t *) out->data)[z * out->strides[0] + y * out->strides[1] + x] =
          ((const uint8_t *) in->data)[z * in->strides[0] + y * in->strides[1] + x] > DIM ? 255 : 0;
  return FV_OK;
}

static const fv_op above = {
  FV_OP (above_args),
  .key = "above",
  .label = "Above",
  .help = "Marks the pixels above the level of a model.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_U8, false}, {0}},
  .outputs = (const fv_output[]){{"mask", "Mask"}, {0}},
  .params = (const fv_param[]){{FV_FIELD (above_args, model), .label = "Model", .help = "Its level.", .def_text = "dim",
                                .file = true, .models = &models},
                               {0}},
  .infer = above_infer,
  .run = {[FV_CPU] = above_run},
};

static const fv_op *const ops[] = {&above, NULL};
static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "own-models", .version = "1.0", .ops = ops};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  (void) host_abi, (void) error;
  return &plugin;
}
