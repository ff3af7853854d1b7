/* SPDX-License-Identifier: MIT
 *
 * The few functions of libnvrtc and of the driver that are needed are declared here: neither is linked, and no header of theirs is wanted.
 */
#include "plugin/nvrtc.h"

#include "plugin/code_cache.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KERNELS = 64 /* of a GPU */, MAX_OPTIONS = 16, CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };

static struct driver {
  int (*cuGetErrorString) (int, const char **);
  int (*cuDriverGetVersion) (int *);
  int (*cuDeviceGetAttribute) (int *, int, int);
  int (*cuCtxSynchronize) (void);
  int (*cuModuleLoadData) (void **, const void *);
  int (*cuModuleUnload) (void *);
  int (*cuModuleGetFunction) (void **, void *, const char *);
  int (*cuLaunchKernel) (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                         void **);
} driver;

static struct compiler {
  int (*nvrtcVersion) (int *, int *);
  int (*nvrtcGetNumSupportedArchs) (int *);
  int (*nvrtcGetSupportedArchs) (int *);
  int (*nvrtcCreateProgram) (void **, const char *, const char *, int, const char *const *, const char *const *);
  int (*nvrtcDestroyProgram) (void **);
  int (*nvrtcCompileProgram) (void *, int, const char *const *);
  int (*nvrtcGetProgramLogSize) (void *, size_t *);
  int (*nvrtcGetProgramLog) (void *, char *);
  int (*nvrtcGetCUBINSize) (void *, size_t *);
  int (*nvrtcGetCUBIN) (void *, char *);
  int (*nvrtcGetPTXSize) (void *, size_t *);
  int (*nvrtcGetPTX) (void *, char *);
} compiler;

static void *driver_library, *compiler_library;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows, and of opening the libraries */

/* A kernel that is loaded. */
typedef struct loaded {
  struct loaded *next;
  char *key;
  int device;
  void *module, *function;
  int users; /* launches under way */
  uint64_t used;
} loaded;
static loaded *kernels;
static uint64_t uses;

__attribute__ ((format (printf, 3, 4))) static fv_status
fail (fv_error *error, fv_status code, const char *format, ...)
{
  va_list ap;
  error->code = code;
  error->field[0] = 0;
  va_start (ap, format);
  vsnprintf (error->text, sizeof error->text, format, ap);
  va_end (ap);
  return code;
}

static fv_status
driver_fault (int code, const char *what, fv_error *error)
{
  const char *why = NULL;
  driver.cuGetErrorString (code, &why);
  return fail (error, code == 2 ? FV_NO_MEMORY : FV_DEVICE_FAULT, "%s failed on the GPU: %s.", what,
               why ? why : "an error without a name");
}

/* ---- The libraries ---- */

#define BIND(TABLE, LIBRARY, NAME) ((*(void **) &(TABLE).NAME = dlsym (LIBRARY, #NAME)) != NULL)

static bool
bind_driver (void *library)
{
  return BIND (driver, library, cuGetErrorString) && BIND (driver, library, cuDriverGetVersion)
         && BIND (driver, library, cuDeviceGetAttribute) && BIND (driver, library, cuCtxSynchronize)
         && BIND (driver, library, cuModuleLoadData) && BIND (driver, library, cuModuleUnload)
         && BIND (driver, library, cuModuleGetFunction) && BIND (driver, library, cuLaunchKernel);
}

static bool
bind_compiler (void *library)
{
  return BIND (compiler, library, nvrtcVersion) && BIND (compiler, library, nvrtcGetNumSupportedArchs)
         && BIND (compiler, library, nvrtcGetSupportedArchs) && BIND (compiler, library, nvrtcCreateProgram)
         && BIND (compiler, library, nvrtcDestroyProgram) && BIND (compiler, library, nvrtcCompileProgram)
         && BIND (compiler, library, nvrtcGetProgramLogSize) && BIND (compiler, library, nvrtcGetProgramLog)
         && BIND (compiler, library, nvrtcGetCUBINSize) && BIND (compiler, library, nvrtcGetCUBIN)
         && BIND (compiler, library, nvrtcGetPTXSize) && BIND (compiler, library, nvrtcGetPTX);
}

static fv_status
open_driver (fv_error *error)
{
  if (driver_library)
    return FV_OK;
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library || !bind_driver (library))
    return fail (error, FV_DEVICE_FAULT, "The NVIDIA driver cannot launch kernels: %s.", dlerror ());
  driver_library = library;
  return FV_OK;
}

/* By its name, or where NVIDIA installs it, or in a folder of FOVEA_CUDA_PATH, which the package for Python fills. */
static void *
open_library (const char *name)
{
  const char *folder = getenv ("FOVEA_CUDA_PATH");
  char path[PATH_MAX];
  void *library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  snprintf (path, sizeof path, "/usr/local/cuda/lib64/%s", name);
  if (!library)
    library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  while (!library && folder && *folder) {
    const size_t n = strcspn (folder, ":");
    snprintf (path, sizeof path, "%.*s/%s", (int) n, folder, name);
    library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
    folder += n + (folder[n] == ':');
  }
  return library;
}

/* The newest that the driver understands. */
static fv_status
open_compiler (fv_error *error)
{
  static const struct {
    int major;
    const char *name;
  } known[] = {{13, "libnvrtc.so.13"}, {12, "libnvrtc.so.12"}, {11, "libnvrtc.so.11.2"}};
  int version = 0;
  driver.cuDriverGetVersion (&version);
  for (size_t i = 0; i < sizeof known / sizeof *known && !compiler_library; i++) {
    void *library = known[i].major <= version / 1000 ? open_library (known[i].name) : NULL;
    if (library && bind_compiler (library))
      compiler_library = library;
  }
  return compiler_library
           ? FV_OK
           : fail (error, FV_UNSUPPORTED,
                   "A GPU needs NVIDIA's run-time compiler, libnvrtc.so.%d, which is not installed. Install "
                   "package cuda-nvrtc-%d-%d, or use the CPU.",
                   version / 1000, version / 1000, version % 1000 / 10);
}

fv_status
nvrtc_find (const fv_device *device, fv_error *error)
{
  (void) device;
  pthread_mutex_lock (&lock);
  fv_status status = open_driver (error);
  if (!status && !compiler_library)
    status = open_compiler (error);
  pthread_mutex_unlock (&lock);
  return status;
}

/* ---- Compiling ---- */

/* The option that names the GPU's architecture, or the newest that the compiler knows: then the driver does the rest. */
static bool
architecture (int device, char *option, size_t size)
{
  int major = 0, minor = 0, n = 0, best = 0;
  driver.cuDeviceGetAttribute (&major, CAPABILITY_MAJOR, device);
  driver.cuDeviceGetAttribute (&minor, CAPABILITY_MINOR, device);
  compiler.nvrtcGetNumSupportedArchs (&n);
  int known[n + 1];
  compiler.nvrtcGetSupportedArchs (known);
  for (int i = 0; i < n; i++)
    if (known[i] <= major * 10 + minor && known[i] > best)
      best = known[i];
  bool exact = best == major * 10 + minor;
  snprintf (option, size, "--gpu-architecture=%s_%d", exact ? "sm" : "compute", best);
  return exact;
}

/* All that the code depends on. */
static char *
key_of (const nvrtc_source *source, const char *const *options, int n)
{
  int major = 0, minor = 0, of_driver = 0;
  char *key = NULL;
  size_t bytes;
  compiler.nvrtcVersion (&major, &minor);
  driver.cuDriverGetVersion (&of_driver);
  FILE *text = open_memstream (&key, &bytes);
  if (!text)
    return NULL;
  fprintf (text, "NVRTC %d.%d driver %d\n%s\n%s\n", major, minor, of_driver, source->file, source->kernel);
  for (int i = 0; i < n; i++)
    fprintf (text, "%s\n", options[i]);
  fputs (source->text, text);
  if (!fclose (text))
    return key;
  free (key);
  return NULL;
}

static void
read_log (void *program, char *log, size_t log_bytes)
{
  size_t bytes = 0;
  char *whole;
  if (compiler.nvrtcGetProgramLogSize (program, &bytes) || !bytes || !(whole = calloc (bytes + 1, 1)))
    return;
  compiler.nvrtcGetProgramLog (program, whole);
  snprintf (log, log_bytes, "%s", whole);
  free (whole);
}

static fv_status
compile (const nvrtc_source *source, const char *const *options, int n, bool cubin, char *log, size_t log_bytes,
         void **code, size_t *bytes, fv_error *error)
{
  void *program = NULL;
  fv_status status = FV_OK;
  if (compiler.nvrtcCreateProgram (&program, source->text, source->file, 0, NULL, NULL))
    return fail (error, FV_DEVICE_FAULT, "The run-time compiler of the GPU could not start.");
  if (compiler.nvrtcCompileProgram (program, n, options)) {
    read_log (program, log, log_bytes);
    status = fail (error, FV_BAD_ARGUMENT, "The GPU's compiler reports an error: %.300s", log);
    error->text[strcspn (error->text, "\n")] = 0;
  } else if ((cubin ? compiler.nvrtcGetCUBINSize : compiler.nvrtcGetPTXSize) (program, bytes)
             || !(*code = malloc (*bytes + 1)))
    status = fail (error, FV_NO_MEMORY, "Not enough memory for a kernel's code.");
  else
    (cubin ? compiler.nvrtcGetCUBIN : compiler.nvrtcGetPTX) (program, *code);
  compiler.nvrtcDestroyProgram (&program);
  return status;
}

/* ---- Kernels that are loaded; with the lock held ---- */

static loaded *
find (const char *key, int device)
{
  loaded *k = kernels;
  while (k && (k->device != device || strcmp (k->key, key)))
    k = k->next;
  return k;
}

/* Unloads the least recently used kernel of a GPU that has MAX_KERNELS of them, unless all are in use. */
static void
make_room (int device)
{
  loaded **oldest = NULL;
  int n = 0;
  for (loaded **k = &kernels; *k; k = &(*k)->next) {
    n += (*k)->device == device;
    if ((*k)->device == device && !(*k)->users && (!oldest || (*k)->used < (*oldest)->used))
      oldest = k;
  }
  if (n < MAX_KERNELS || !oldest)
    return;
  loaded *k = *oldest;
  *oldest = k->next;
  driver.cuCtxSynchronize (); /* it may still run */
  driver.cuModuleUnload (k->module);
  free (k->key);
  free (k);
}

/* Takes the key when the status is FV_OK. */
static fv_status
load (char *key, int device, const char *name, const void *code, loaded **kernel, fv_error *error)
{
  void *module, *function;
  int fault;
  if ((*kernel = find (key, device))) { /* another thread was faster */
    free (key);
    return FV_OK;
  }
  make_room (device);
  if ((fault = driver.cuModuleLoadData (&module, code)))
    return driver_fault (fault, "Loading a kernel", error);
  if ((fault = driver.cuModuleGetFunction (&function, module, name))) {
    driver.cuModuleUnload (module);
    return driver_fault (fault, "Finding a kernel", error);
  }
  if (!(*kernel = malloc (sizeof **kernel))) {
    driver.cuModuleUnload (module);
    return fail (error, FV_NO_MEMORY, "Not enough memory for a kernel.");
  }
  **kernel = (loaded){kernels, key, device, module, function, 0, 0};
  kernels = *kernel;
  return FV_OK;
}

/* ---- Launching ---- */

/* The kernel of the key, which is freed or kept: from the cache folder, or compiled. */
static fv_status
make (char *key, const nvrtc_source *source, const char *const *options, int n, bool cubin, int device, char *log,
      size_t log_bytes, loaded **kernel, fv_error *error)
{
  size_t bytes = 0;
  fv_status status = FV_OK;
  void *code = code_cache_read (key, &bytes);
  if (!code && !(status = compile (source, options, n, cubin, log, log_bytes, &code, &bytes, error)))
    code_cache_write (key, code, bytes);
  pthread_mutex_lock (&lock);
  if (!status && !(status = load (key, device, source->kernel, code, kernel, error)))
    (*kernel)->users++;
  else
    free (key);
  pthread_mutex_unlock (&lock);
  free (code);
  return status;
}

static fv_status
take (int device, const nvrtc_source *source, char *log, size_t log_bytes, loaded **kernel, fv_error *error)
{
  char arch[64];
  /* A product and a sum are each rounded, as on the CPU. */
  const char *options[MAX_OPTIONS] = {arch, "-std=c++17", "-fmad=false"};
  int n = 3;
  fv_status status = nvrtc_find (NULL, error);
  if (status)
    return status;
  bool cubin = architecture (device, arch, sizeof arch);
  for (const char *const *o = source->options; o && *o && n < MAX_OPTIONS; o++)
    options[n++] = *o;
  char *key = key_of (source, options, n);
  if (!key)
    return fail (error, FV_NO_MEMORY, "Not enough memory for a kernel's source.");
  pthread_mutex_lock (&lock);
  if ((*kernel = find (key, device)))
    (*kernel)->users++;
  pthread_mutex_unlock (&lock);
  if (!*kernel)
    return make (key, source, options, n, cubin, device, log, log_bytes, kernel, error);
  free (key);
  return FV_OK;
}

fv_status
nvrtc_launch (const fv_call *call, const nvrtc_source *source, const nvrtc_grid *grid, char *log, size_t log_bytes,
              fv_error *error)
{
  loaded *kernel = NULL;
  log[0] = 0;
  fv_status status = take (call->device->dl.device_id, source, log, log_bytes, &kernel, error);
  if (status)
    return status;
  int fault = driver.cuLaunchKernel (kernel->function, grid->blocks, 1, 1, grid->threads, 1, 1, 0, call->stream,
                                     grid->args, NULL);
  pthread_mutex_lock (&lock);
  kernel->users--;
  kernel->used = ++uses;
  pthread_mutex_unlock (&lock);
  return fault ? driver_fault (fault, "Starting a kernel", error) : FV_OK;
}

void
nvrtc_close (void)
{
  for (loaded *k; (k = kernels);) {
    kernels = k->next;
    free (k->key);
    free (k);
  }
}
