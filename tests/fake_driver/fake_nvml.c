/* SPDX-License-Identifier: MIT
 *
 * The driver's management library with one GPU at 0000:3b:00.0, of 1000 bytes of which 20 are free.
 */
#include <string.h>

typedef struct {
  unsigned long long total, unused, used;
} figures;

static int started;

int nvmlInit_v2 (void);
int nvmlShutdown (void);
int nvmlDeviceGetHandleByPciBusId_v2 (const char *pci, void **device);
int nvmlDeviceGetMemoryInfo (void *device, figures *to);

int
nvmlInit_v2 (void)
{
  started++;
  return 0;
}

int
nvmlShutdown (void)
{
  started--;
  return 0;
}

int
nvmlDeviceGetHandleByPciBusId_v2 (const char *pci, void **device)
{
  *device = &started;
  return started == 1 && !strcmp (pci, "0000:3b:00.0") ? 0 : 6;
}

int
nvmlDeviceGetMemoryInfo (void *device, figures *to)
{
  *to = (figures){1000, 20, 980};
  return device == &started ? 0 : 2;
}
