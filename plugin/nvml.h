/* SPDX-License-Identifier: MIT
 *
 * What the NVIDIA driver tells of a GPU whose memory is too full for CUDA to begin there.
 */
#ifndef PLUGIN_NVML_H
#define PLUGIN_NVML_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes free and in all of the GPU at a PCI address, "0000:3b:00.0". False: the driver's library is not there, or does not tell. Any thread. */
bool nvml_memory (const char *pci, int64_t *available, int64_t *all);

#ifdef __cplusplus
}
#endif

#endif
