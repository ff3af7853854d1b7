/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "runtime/library.h"

#include "runtime/error.h"

#include <dlfcn.h>
#include <glob.h>
#include <string.h>

#define NAME "libonnxruntime.so"

/* It stays loaded. NULL: it is none. */
static void *
load (const char *path, int flags)
{
  static void *library;
  library = dlopen (path, RTLD_NOW | flags);
  return library;
}

/* A function pointer of an object pointer, as POSIX has it. NULL: the file is no such library. */
static const OrtApiBase *
base_of (const char *path)
{
  const OrtApiBase *(*base) (void) = NULL;
  void *library = load (path, RTLD_LOCAL);
  void *found = library ? dlsym (library, "OrtGetApiBase") : NULL;
  if (!found)
    return NULL;
  memcpy (&base, &found, sizeof found);
  return base ();
}

/* The last file of a pattern, which is the newest version. */
static const OrtApiBase *
last_of (const char *pattern)
{
  glob_t files;
  const OrtApiBase *base = NULL;
  if (glob (pattern, 0, NULL, &files))
    return NULL;
  for (gsize i = files.gl_pathc; i > 0 && !base; i--)
    base = base_of (files.gl_pathv[i - 1]);
  globfree (&files);
  return base;
}

/* In the packages of Python, and the libraries, of an environment. */
static const OrtApiBase *
in_environment (const char *folder)
{
  static const char *const places[] = {"/lib/python3*/*-packages/onnxruntime/capi/" NAME "*",
                                       "/lib/python3/dist-packages/onnxruntime/capi/" NAME "*", "/lib/" NAME "*"};
  const OrtApiBase *base = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (places) && folder && !base; i++) {
    g_autofree char *pattern = g_strconcat (folder, places[i], NULL);
    base = last_of (pattern);
  }
  return base;
}

/* Where pip installs it beside Fovea's package, of which this program is a part. */
static const OrtApiBase *
beside_package (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *plugins = program ? g_path_get_dirname (program) : NULL;
  g_autofree char *pattern = g_strconcat (plugins ? plugins : "", "/../../onnxruntime/capi/" NAME "*", NULL);
  return last_of (pattern);
}

/* What its part for CUDA is linked to. The loader does not look for it where pip installs NVIDIA's packages: beside the library's own. */
static void
load_cuda (const OrtApiBase *base)
{
  static const char *const names[] = {"cudart", "cublasLt", "cublas", "curand", "nvrtc", "cufft", "cudnn"};
  Dl_info library;
  if (!dladdr ((const void *) base, &library) || !library.dli_fname)
    return;
  g_autofree char *folder = g_path_get_dirname (library.dli_fname);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *pattern = g_strdup_printf ("%s/../../nvidia/*/lib/lib%s.so.*", folder, names[i]);
    glob_t files;
    if (glob (pattern, 0, NULL, &files))
      continue;
    load (files.gl_pathv[0], RTLD_GLOBAL);
    globfree (&files);
  }
}

static const OrtApiBase *
find (GError **error)
{
  const char *named = g_getenv ("FOVEA_ONNXRUNTIME");
  g_autofree char *own = g_build_filename (g_get_home_dir (), ".local", NULL);
  const char *const folders[] = {g_getenv ("VIRTUAL_ENV"), g_getenv ("CONDA_PREFIX"), own, "/usr/local", "/usr"};
  const OrtApiBase *base = NULL;
  if (named && *named) {
    base = base_of (named);
    if (!base)
      model_error (error, "FOVEA_ONNXRUNTIME names '%.200s', which is not ONNX Runtime: %.150s.", named, dlerror ());
    return base;
  }
  base = beside_package ();
  if (!base)
    base = base_of (NAME ".1");
  if (!base)
    base = base_of (NAME);
  if (!base)
    base = last_of ("/usr/lib/*/" NAME ".*");
  for (guint i = 0; i < G_N_ELEMENTS (folders) && !base; i++)
    base = in_environment (folders[i]);
  if (!base)
    model_error (error,
                 "ONNX Runtime is not on this computer. Fovea in Python finds it after 'pip install onnxruntime'. "
                 "The app needs libonnxruntime1.21 (Debian 13), or 'pip install --target "
                 "~/.local/lib/python3/site-packages onnxruntime'.");
  return base;
}

const OrtApiBase *
library_load (gboolean gpu, GError **error)
{
  const OrtApiBase *base = find (error);
  if (base && gpu)
    load_cuda (base);
  return base;
}
