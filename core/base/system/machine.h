/* SPDX-License-Identifier: MIT
 *
 * What the machine has, as the system knows it: no driver of a GPU is called.
 */
#ifndef CORE_BASE_SYSTEM_MACHINE_H
#define CORE_BASE_SYSTEM_MACHINE_H

#include <glib.h>

/* The vector instructions that compiled code can choose, "AVX2, FMA, AVX-512"; "": none that is known. Free with g_free(). */
char *machine_vectors (void);
/* "NVIDIA H200, driver 570.86.15": the GPUs that NVIDIA's driver lists in this folder, /proc/driver/nvidia, in the order of their PCI addresses. Empty
 * where there is none. A GPU that is listed may still be unusable. Free with g_strfreev(). */
char **machine_gpus (const char *folder);

#endif
