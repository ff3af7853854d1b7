/* SPDX-License-Identifier: MIT
 *
 * Replaces the GPU's driver, libcuda.so.1: writes a line to $FOVEA_DRIVER_LOG when it is loaded, and has no GPU. Callers that ask for modules anyway
 * get some whose functions do nothing; counters record the calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fake_loads, fake_unloads, fake_launches, fake_compiles, fake_fuses;
char fake_code[256]; /* what was loaded last */
int fake_capability = 90, fake_version = 12080;

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

/* CUDA_ERROR_NO_DEVICE, for every call. */
int
cuInit (unsigned flags)
{
  (void) flags;
  return 100;
}

int
cuGetErrorString (int code, const char **text)
{
  (void) code;
  *text = "a fault";
  return 0;
}

int
cuDriverGetVersion (int *version)
{
  *version = fake_version;
  return 0;
}

int
cuDeviceGetAttribute (int *value, int attribute, int device)
{
  (void) device;
  *value = attribute == 75 ? fake_capability / 10 : fake_capability % 10;
  return 0;
}

int
cuCtxSynchronize (void)
{
  return 0;
}

int
cuModuleLoadData (void **module, const void *code)
{
  snprintf (fake_code, sizeof fake_code, "%s", (const char *) code);
  *module = fake_code;
  fake_loads++;
  return 0;
}

int
cuModuleUnload (void *module)
{
  (void) module;
  fake_unloads++;
  return 0;
}

int
cuModuleGetFunction (void **function, void *module, const char *name)
{
  *function = module;
  return strstr (module, name) ? 0 : 500;
}

int
cuLaunchKernel (void *function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned threads_y,
                unsigned threads_z, unsigned shared, void *stream, void **args, void **extra)
{
  (void) y, (void) z, (void) threads_y, (void) threads_z, (void) shared, (void) stream, (void) extra, (void) args;
  if (!function || !x || !threads)
    return 1;
  fake_launches++;
  return 0;
}
