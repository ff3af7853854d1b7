/* SPDX-License-Identifier: MIT
 *
 * The devices of the shipped plugin.
 */
#ifndef PLUGIN_DEVICES_H
#define PLUGIN_DEVICES_H

#include "fovea-plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const fv_device device_cpu;

/* Reads the machine's name into device_cpu; safe to call twice. */
void device_cpu_init (void);
/* Gives back the memory that was kept. */
void device_cpu_close (void);

/* Wakes the driver and finds the GPUs: a list that ends with NULL, of one device with a fault when there is none. */
const fv_device *const *device_cuda_list (void);
void device_cuda_close (void);
/* A kernel that never ends is running on the GPU and cannot be stopped. From now on all calls of the device are
 * refused at once, since they would wait for it. The process then ends without calling CUDA. Freed memory is kept. */
void device_cuda_give_up (const fv_device *device);

#ifdef __cplusplus
}
#endif

#endif
