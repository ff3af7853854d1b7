/* SPDX-License-Identifier: MIT
 *
 * By dlopen, so that nothing depends on it before.
 */
#include "kernels/common/cufft.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
  "cufftCreate",      "cufftDestroy", "cufftSetAutoAllocation", "cufftMakePlanMany64", "cufftSetStream",
  "cufftSetWorkArea", "cufftExecR2C", "cufftExecC2R",           "cufftExecD2Z",        "cufftExecZ2D"};
static cufft functions;
static bool found;

/* By its name, or where NVIDIA installs it. */
static void *
open_library (const char *name)
{
  char installed[64];
  void *library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  snprintf (installed, sizeof installed, "/usr/local/cuda/lib64/%s", name);
  return library ? library : dlopen (installed, RTLD_NOW | RTLD_LOCAL);
}

static bool
bind_cufft (void *library)
{
  void *addresses[sizeof names / sizeof *names];
  static_assert (sizeof addresses == sizeof functions, "a name for each function");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!(addresses[i] = dlsym (library, names[i])))
      return false;
  memcpy (&functions, addresses, sizeof functions);
  return true;
}

static void
look_for_cufft (int cuda)
{
  static const struct {
    int cuda;
    const char *name;
  } known[] = {{13, "libcufft.so.12"}, {12, "libcufft.so.11"}, {11, "libcufft.so.10"}};
  for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++) {
    void *library = known[i].cuda <= cuda ? open_library (known[i].name) : NULL;
    found = library && bind_cufft (library);
  }
}

const cufft *
cufft_open (int cuda)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool looked;
  pthread_mutex_lock (&lock);
  if (!looked)
    look_for_cufft (cuda);
  looked = true;
  pthread_mutex_unlock (&lock);
  return found ? &functions : NULL;
}
