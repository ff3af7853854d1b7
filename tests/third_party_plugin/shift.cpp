/* SPDX-License-Identifier: MIT
 *
 * A plugin in C++ with a kernel for a GPU (shift.cu). Without nvcc it is built with -DNO_CUDA and has none.
 */
#include "shift.h"

#include <cstring>

/* One field of each type that a parameter may have. */
struct every_type {
  bool on;
  int32_t count;
  double amount;
  fv_axes sigma;
  fv_set measures;
  fv_matrix kernel;
  char name[20];
};
static_assert (FV_FIELD_TYPE (every_type, on) == FV_BOOL && FV_FIELD_TYPE (every_type, count) == FV_INT
               && FV_FIELD_TYPE (every_type, amount) == FV_FLOAT && FV_FIELD_TYPE (every_type, sigma) == FV_AXES
               && FV_FIELD_TYPE (every_type, measures) == FV_SET && FV_FIELD_TYPE (every_type, kernel) == FV_MATRIX
               && FV_FIELD_TYPE (every_type, name) == FV_TEXT);

static fv_status
shift_cpu (const fv_call *call, fv_error *error)
{
  const DLTensor &from = call->inputs[0]->tensor, &to = call->outputs[0]->tensor;
  if (!call->stream || from.device.device_type != kDLCPU || to.device.device_type != kDLCPU) {
    strcpy (error->text, "The stream is NULL, or the tensors are not on the CPU.");
    return error->code = FV_DEVICE_FAULT;
  }
  float amount = (float) static_cast<const shift_args *> (call->args)->amount;
  for (int64_t z = 0; z < to.shape[0]; z++)
    for (int64_t y = 0; y < to.shape[1]; y++)
      for (int64_t x = 0; x < to.shape[2]; x++)
        static_cast<float *> (to.data)[z * to.strides[0] + y * to.strides[1] + x] =
          static_cast<const float *> (from.data)[z * from.strides[0] + y * from.strides[1] + x] + amount;
  return call->host->tick (call, 1, 1) ? FV_CANCELLED : FV_OK;
}

static const fv_input inputs[] = {{"image", "Image", "The image.", FV_F32, false}, {}};
static const fv_output outputs[] = {{"image", "Image"}, {}};
static const fv_param params[] = {
  {FV_FIELD (shift_args, amount), .label = "Amount", .help = "What is added.", .def = 1}, {}};

static const fv_op shift = {
  FV_OP (shift_args),
  .key = "shift",
  .menu = "Process/Math",
  .label = "Shift...",
  .help = "Adds a number to every pixel (NaN stays).",
  .kind = FV_POINT,
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
#ifdef NO_CUDA
  .run = {shift_cpu},
#else
  .run = {shift_cpu, shift_cuda},
#endif
};
static const fv_op *const ops[] = {&shift, nullptr};
static const fv_plugin plugin = {
  .size = sizeof (fv_plugin), .abi = FV_ABI, .name = "shift", .version = "1.0", .ops = ops};

const fv_plugin *
fv_plugin_open (uint32_t, fv_error *)
{
  return &plugin;
}
