/* SPDX-License-Identifier: MIT
 *
 * kernel on the CPU, and its declaration. The compiled code runs in a process of its own, which is kept from call to call for as long as there
 * is memory.
 */
#include "kernels/native/kernel.h"

#include "kernels/common/grain.h"
#include "kernels/native/pieces.h"
#include "kernels/native/source.h"

#include <stdlib.h>

/* ---- Outputs ---- */

/* Channels as those of an input that has as many planes. */
static void
shape_output (const kernel_param *param, const kernel_plan *plan, const fv_grid *const *inputs, fv_grid *out)
{
  memcpy (out->shape, plan->shape, sizeof out->shape);
  out->channels = 1, out->channel_names = NULL;
  for (int k = KERNEL_IMAGES - 1; k >= 0; k--)
    if (inputs[k] && inputs[k]->shape[0] == out->shape[0])
      out->channels = inputs[k]->channels, out->channel_names = inputs[k]->channel_names;
  out->type = param->type->pixels;
  if (param->type->truth)
    out->role = FV_MASK;
  else if (!(out->role == FV_RGB && out->type == FV_U8 && out->channels == 3))
    out->role = FV_IMAGE;
  out->dense = false;
}

/* What a kernel does not make: one pixel. */
static void
no_output (fv_grid *out)
{
  out->type = FV_U8, out->role = FV_IMAGE, out->dense = false;
  out->channels = out->shape[0] = out->shape[1] = out->shape[2] = 1;
  out->channel_names = NULL;
}

static fv_status
kernel_infer (const fv_op *op, const void *args, const fv_grid *const *in, fv_grid *const *out, fv_error *error)
{
  const fv_grid *inputs[KERNEL_IMAGES] = {0};
  kernel_settings settings;
  kernel_plan plan;
  kernel_read (op, args, &settings);
  memcpy (inputs, in, (size_t) settings.n_images * sizeof *in);
  if (kernel_plan_make (&settings, inputs, &plan, error))
    return kernel_blame (op, error->code, error);
  for (int k = 0; k < settings.n_results; k++)
    if (k < plan.out.n)
      shape_output (&plan.out.at[k], &plan, inputs, out[k]);
    else
      no_output (out[k]);
  return FV_OK;
}

/* Raw arrays are copied to where the worker sees them; the others go there piece by piece. */
static int64_t
kernel_scratch (const fv_op *op, const void *args, const fv_grid *const *in)
{
  const fv_grid *inputs[KERNEL_IMAGES] = {0};
  fv_error unused = FV_ERROR_INIT;
  kernel_settings settings;
  kernel_plan plan;
  int64_t bytes = 0;
  kernel_read (op, args, &settings);
  memcpy (inputs, in, (size_t) settings.n_images * sizeof *in);
  if (kernel_plan_make (&settings, inputs, &plan, &unused))
    return 0;
  for (int k = 0; k < plan.in.n; k++) {
    const fv_grid *image = plan.in.at[k].raw ? inputs[plan.array[k]] : NULL;
    bytes += image ? image->shape[0] * image->shape[1] * image->shape[2] * (int64_t) type_bytes (image->type) : 0;
  }
  for (int k = 0; k < plan.out.n; k++)
    if (plan.out.at[k].raw)
      bytes += plan.shape[0] * plan.shape[1] * plan.shape[2] * (int64_t) type_bytes (plan.out.at[k].type->pixels);
  return bytes;
}

/* ---- The run ---- */

static void
clear (const fv_array *a)
{
  for (int64_t plane = 0; plane < array_planes (a); plane++)
    for (int64_t y = 0; y < array_rows (a); y++)
      memset (array_row (a, plane, y), 0, (size_t) array_columns (a) * (a->tensor.dtype.bits / 8u));
}

static fv_status
run_settings (const fv_call *call, const kernel_settings *settings, fv_error *error)
{
  compiler c;
  kernel_plan plan;
  kernel_task task, packed;
  if (compiler_find (&c, error) || kernel_prepare (call, settings, &plan, &task, error))
    return error->code;
  packed = task;
  kernel_pack (&plan, &packed);
  for (int k = plan.out.n; k < settings->n_results; k++)
    clear (call->outputs[k]);
  char *source = kernel_source (&settings->code, &plan, &packed, c.language, KERNEL_GUARDED, error);
  char *plain = source ? kernel_source (&settings->code, &plan, &packed, c.language, KERNEL_PLAIN, error) : NULL;
  const kernel_job job = {call, settings, &plan, &c, &task, source, plain};
  const fv_status status = plain ? kernel_run_pieces (&job, error) : error->code;
  free (source);
  free (plain);
  return status;
}

static fv_status
kernel_cpu (const fv_call *call, fv_error *error)
{
  kernel_settings settings;
  kernel_read (call->op, call->args, &settings);
  return kernel_blame (call->op, run_settings (call, &settings, error), error);
}

#define MORE(KEY, LABEL, N)                                                                                            \
  {                                                                                                                    \
    KEY, LABEL, "The " N " image of in_params.", KERNEL_TYPES, true                                                    \
  }

const fv_op fv_op_kernel = {
  FV_OP (kernel_args),
  .key = "kernel",
  .menu = "Process/Math",
  .label = "Custom Kernel...",
  .search = "c++ code custom cuda program function script",
  .help = "Runs C++ of your own on each pixel, compiled for the CPU or the GPU.",
  .cite = "Okuta et al., CuPy: A NumPy-Compatible Library for NVIDIA GPU Calculations, 2017",
  .kind = FV_GLOBAL,
  .reads_back = true,
  .native = true,
  .compiles = 1u << FV_CUDA,
  .inputs =
    (const fv_input[]){{"a", "A", "The first image of in_params; without sizes in in_params the results have its size.",
                        KERNEL_TYPES, false},
                       MORE ("b", "B", "second"),
                       MORE ("c", "C", "third"),
                       MORE ("d", "D", "fourth"),
                       MORE ("e", "E", "fifth"),
                       MORE ("f", "F", "sixth"),
                       MORE ("g", "G", "seventh"),
                       MORE ("h", "H", "eighth"),
                       {0}},
  .outputs =
    (const fv_output[]){{"image", "Image"}, {"image2", "Image 2"}, {"image3", "Image 3"}, {"image4", "Image 4"}, {0}},
  .params =
    (const fv_param[]){{FV_FIELD (kernel_args, in_params), .label = "Inputs", .def_text = "T x",
                        .help = "Types and names of what the kernel reads, such as T x, raw T y, float32 k=p. Images "
                                "come in their order, raw ones as arrays to be indexed. A number is followed by its "
                                "value, which can be p, q, r, s, or the first image's width, height or planes."},
                       {FV_FIELD (kernel_args, out_params), .label = "Outputs", .def_text = "T z",
                        .help = "Types and names of what the kernel writes, up to four, such as T z, bool mask."},
                       {FV_FIELD (kernel_args, operation), .label = "Operation", .def_text = "z = x;",
                        .help = "C++ that sets the outputs for one element: i is its position, _ind.size() how many "
                                "there are, y[k] an element of a raw array."},
                       {FV_FIELD (kernel_args, preamble), .label = "Preamble",
                        .help = "C++ before the operation: functions, constants and types."},
                       {FV_FIELD (kernel_args, size), .label = "Size", .advanced = true,
                        .help = "With raw inputs alone: how many elements there are, as COLUMNS, ROWS,COLUMNS or "
                                "PLANES,ROWS,COLUMNS; empty: as the first "
                                "image."},
                       {FV_FIELD (kernel_args, p), .label = "Number p", .min = -1e300, .max = 1e300, .soft_min = 0,
                        .soft_max = 10, .def = 1, .help = "A number for in_params."},
                       {FV_FIELD (kernel_args, q), .label = "Number q", .min = -1e300, .max = 1e300, .soft_min = 0,
                        .soft_max = 10, .def = 1, .help = "A number for in_params."},
                       {FV_FIELD (kernel_args, r), .label = "Number r", .min = -1e300, .max = 1e300, .soft_min = 0,
                        .soft_max = 10, .def = 1, .help = "A number for in_params."},
                       {FV_FIELD (kernel_args, s), .label = "Number s", .min = -1e300, .max = 1e300, .soft_min = 0,
                        .soft_max = 10, .def = 1, .help = "A number for in_params."},
                       {FV_FIELD (kernel_args, check), .label = "Check Indices", .def = 1, .advanced = true,
                        .help = "Checks that each index of a raw array is inside it, and names the first that is not. "
                                "Without it a kernel is faster, but a wrong index reads or writes any memory."},
                       {FV_FIELD (kernel_args, time_limit), .label = "Time Limit", .unit = "s",
                        .def = KERNEL_TIME_LIMIT, .min = 0, .max = 1e9, .soft_max = 600, .advanced = true,
                        .help = "After how many seconds a kernel that still runs is ended with an error; 0: never."},
                       {0}},
  .grain = grain_frame,
  .infer = kernel_infer,
  .scratch = kernel_scratch,
  .reproducible = 1e-6,
  .run = {[FV_CPU] = kernel_cpu, [FV_CUDA] = FV_CUDA_FN (kernel_cuda)},
};
