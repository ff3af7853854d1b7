/* SPDX-License-Identifier: MIT
 *
 * Stands for the GPU's driver, libcuda.so.1: leaves a line in $FOVEA_DRIVER_LOG when it is loaded, and has no card.
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__ ((constructor)) static void
loaded (void)
{
  const char *path = getenv ("FOVEA_DRIVER_LOG");
  FILE *log = path ? fopen (path, "a") : NULL;
  if (!log)
    return;
  fputs ("loaded\n", log);
  fclose (log);
}

/* CUDA_ERROR_NO_DEVICE, whatever is asked. */
int
cuInit (unsigned flags)
{
  (void) flags;
  return 100;
}
