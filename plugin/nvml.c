/* SPDX-License-Identifier: MIT
 *
 * NVIDIA's management library comes with the driver and is found when it is needed.
 */
#include "plugin/nvml.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* The layout of NVML's nvmlMemory_t. */
typedef struct nvml_bytes {
  unsigned long long total, unused, used;
} nvml_bytes;

typedef struct nvml_calls {
  int (*start) (void), (*stop) (void);
  int (*find) (const char *pci, void **device);
  int (*memory) (void *device, nvml_bytes *bytes);
} nvml_calls;

/* A function pointer of an object pointer, as POSIX has it. */
static bool
load (void *library, const char *name, void *to)
{
  void *found = dlsym (library, name);
  memcpy (to, &found, sizeof found);
  return found != NULL;
}

bool
nvml_memory (const char *pci, int64_t *available, int64_t *all)
{
  void *library = dlopen ("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL), *device = NULL;
  nvml_calls calls;
  nvml_bytes memory = {0};
  if (!library)
    return false;
  bool known = load (library, "nvmlInit_v2", &calls.start) && load (library, "nvmlShutdown", &calls.stop)
               && load (library, "nvmlDeviceGetHandleByPciBusId_v2", &calls.find)
               && load (library, "nvmlDeviceGetMemoryInfo", &calls.memory) && calls.start () == 0;
  if (known) {
    known = calls.find (pci, &device) == 0 && calls.memory (device, &memory) == 0;
    calls.stop ();
  }
  dlclose (library);
  *available = (int64_t) memory.unused;
  *all = (int64_t) memory.total;
  return known;
}
