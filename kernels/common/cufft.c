/* SPDX-License-Identifier: MIT
 *
 * By dlopen, so that nothing depends on it before.
 */
#include "kernels/common/cufft.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static cufft functions;
static bool found;

static void
find (void)
{
  static const char *const libraries[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so"};
  static const char *const names[] = {
    "cufftCreate",      "cufftDestroy", "cufftSetAutoAllocation", "cufftMakePlanMany64", "cufftSetStream",
    "cufftSetWorkArea", "cufftExecR2C", "cufftExecC2R",           "cufftExecD2Z",        "cufftExecZ2D"};
  void *addresses[sizeof names / sizeof *names], *library = NULL;
  _Static_assert(sizeof addresses == sizeof functions, "a name for each function");
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !library; i++)
    library = dlopen (libraries[i], RTLD_NOW | RTLD_LOCAL);
  found = library != NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && found; i++)
    found = (addresses[i] = dlsym (library, names[i])) != NULL;
  if (found)
    memcpy (&functions, addresses, sizeof functions);
}

const cufft *
cufft_open (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, find);
  return found ? &functions : NULL;
}
