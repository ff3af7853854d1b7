/* SPDX-License-Identifier: MIT
 *
 * The shipped plugin's entry point: the operations that kernels/meson.build lists, and the devices of this machine: the CPU at
 * once, the GPUs when they are asked for.
 */
#include "plugin/devices.h"

#include "kernels/own/operation.h"
#include "plugin/nvrtc.h"
#include "plugin/openmp.h"

#include <stdio.h>

#define OPERATION(STEM) extern const fv_op fv_op_##STEM;
#include "kernels/operations.inc"
#undef OPERATION

#define OPERATION(STEM) &fv_op_##STEM,
static const fv_op *const ops[] = {
#include "kernels/operations.inc"
  NULL,
};
#undef OPERATION

static const fv_device *const devices[] = {&device_cpu, NULL};

static void
close_devices (void)
{
  device_cpu_close ();
#ifdef FOVEA_CUDA
  nvrtc_close ();
  device_cuda_close ();
#endif
}

static const fv_plugin plugin = {
  .size = sizeof (fv_plugin),
  .abi = FV_ABI,
  .name = "fovea-kernels",
  .version = FOVEA_VERSION,
  .ops = ops,
  .devices = devices,
  .close = close_devices,
#ifdef FOVEA_CUDA
  .find_devices = device_cuda_list,
#endif
  .op_new = operation_new,
  .op_free = operation_free,
  .limit_threads = openmp_limit,
};

const fv_plugin *
fv_plugin_open (uint32_t host_abi, fv_error *error)
{
  if (host_abi != FV_ABI) {
    error->code = FV_UNSUPPORTED;
    snprintf (error->text, sizeof error->text, "This plugin needs a host of ABI %d.%d; this one has %u.%u.",
              FV_ABI_MAJOR, FV_ABI_MINOR, host_abi >> 16, host_abi & 0xffff);
    return NULL;
  }
  device_cpu_init ();
  return &plugin;
}
