/* SPDX-License-Identifier: MIT
 *
 * Kernels made at run time, with a fake driver and compiler that record their calls: what is compiled, what is kept in memory and on disk, and the
 * handling of damaged files and rejected sources.
 */
#include "plugin/nvrtc.h"
#include "tests/support/init.h"

#include <dlfcn.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

static const fv_device device = {.size = sizeof (fv_device), .dl = {kDLCUDA, 0}};
static const fv_call call = {.size = sizeof (fv_call), .device = &device};
static char log_text[64];
static fv_error error;
static int *loads, *unloads, *launches, *compiles, *fuses, *capability, *version;
static char *code, *folder;

static int *
find (const char *library, const char *name)
{
  void *found = dlsym (dlopen (library, RTLD_NOW), name);
  g_assert_nonnull (found);
  return found;
}

static fv_status
launch (const char *text, const char *option)
{
  int number = 7;
  const char *options[] = {option, NULL};
  error = (fv_error) FV_ERROR_INIT;
  return nvrtc_launch (&call, &(nvrtc_source){text, "user", "kernel", option ? options : NULL},
                       &(nvrtc_grid){1, 32, (void *[]){&number}}, log_text, sizeof log_text, &error);
}

/* The program ends and is started again; what it does then is counted. */
static void
start_again (void)
{
  nvrtc_close ();
  *loads = *unloads = *launches = *compiles = 0;
}

static char *
only_file (void)
{
  g_autofree char *kernels = g_build_filename (folder, "fovea", "kernels", NULL);
  g_autoptr (GDir) dir = g_dir_open (kernels, 0, NULL);
  char *path = g_build_filename (kernels, g_dir_read_name (dir), NULL);
  g_assert_null (g_dir_read_name (dir));
  return path;
}

static void
clear_folder (void)
{
  g_autofree char *kernels = g_build_filename (folder, "fovea", "kernels", NULL);
  g_autoptr (GDir) dir = g_dir_open (kernels, 0, NULL);
  for (const char *name; dir && (name = g_dir_read_name (dir));) {
    g_autofree char *path = g_build_filename (kernels, name, NULL);
    g_remove (path);
  }
  start_again ();
}

/* A driver that is older than every compiler: the error names what is missing, until it is installed. */
static void
test_missing (void)
{
  *version = 10020;
  error = (fv_error) FV_ERROR_INIT;
  g_assert_cmpint (nvrtc_find (&device, &error), ==, FV_UNSUPPORTED);
  g_assert_cmpstr (error.text, ==,
                   "A GPU needs NVIDIA's run-time compiler, libnvrtc.so.10, which is not installed. Install "
                   "package cuda-nvrtc-10-2, or use the CPU.");
  g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_UNSUPPORTED);
  *version = 12080;
  g_assert_cmpint (nvrtc_find (&device, &error), ==, FV_OK);
}

static void
test_memory (void)
{
  clear_folder ();
  for (int i = 0; i < 3; i++)
    g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_OK);
  g_assert_cmpint (*compiles, ==, 1);
  g_assert_cmpint (*loads, ==, 1);
  g_assert_cmpint (*launches, ==, 3);
  g_assert_cmpstr (code, ==, "--gpu-architecture=sm_90\nvoid kernel () {}");
  g_assert_cmpint (*fuses, ==, 0);
  g_assert_cmpint (launch ("void kernel () {}", "-default-device"), ==, FV_OK);
  g_assert_cmpint (launch ("void kernel () { }", NULL), ==, FV_OK);
  g_assert_cmpint (*compiles, ==, 3);
}

static void
test_disk (void)
{
  clear_folder ();
  g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_OK);
  start_again ();
  g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_OK);
  g_assert_cmpint (*compiles, ==, 0);
  g_assert_cmpint (*loads, ==, 1);
  g_assert_cmpstr (code, ==, "--gpu-architecture=sm_90\nvoid kernel () {}");
}

/* Every byte of the file inverted, every length: the source is compiled again, or the code is the same. */
static void
test_damage (void)
{
  g_autofree char *whole = NULL;
  gsize bytes;
  clear_folder ();
  g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_OK);
  g_autofree char *path = only_file ();
  g_assert_true (g_file_get_contents (path, &whole, &bytes, NULL));
  for (gsize i = 0; i < 2 * bytes; i++) {
    g_autofree char *damaged = g_memdup2 (whole, bytes);
    damaged[i % bytes] ^= 0x55;
    g_assert_true (g_file_set_contents (path, damaged, i < bytes ? (gssize) bytes : (gssize) (i - bytes), NULL));
    start_again ();
    g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_OK);
    g_assert_cmpint (*compiles, ==, 1);
    g_assert_cmpstr (code, ==, "--gpu-architecture=sm_90\nvoid kernel () {}");
  }
}

static void
test_folder (void)
{
  g_autofree char *kernels = g_build_filename (folder, "fovea", "kernels", NULL);
  clear_folder ();
  g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_OK);
  g_chmod (kernels, 0777);
  start_again ();
  g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_OK);
  g_assert_cmpint (*compiles, ==, 1); /* what anybody can write is not loaded */
  g_chmod (kernels, 0700);
}

static void
test_refused (void)
{
  clear_folder ();
  g_assert_cmpint (launch ("void kernel () { wrong }", NULL), ==, FV_BAD_ARGUMENT);
  g_assert_cmpstr (error.text, ==, "The GPU's compiler reports an error: user(1): error: wrong");
  g_assert_cmpstr (log_text, ==, "user(1): error: wrong\nsecond line\n");
  g_assert_cmpint (launch ("void other () {}", NULL), ==, FV_DEVICE_FAULT); /* it has no such kernel */
  g_assert_cmpstr (log_text, ==, "");
  g_assert_cmpint (*loads, ==, *unloads);
}

static void
test_many (void)
{
  clear_folder ();
  for (int i = 0; i < 100; i++) {
    g_autofree char *text = g_strdup_printf ("void kernel () { %d; }", i);
    g_assert_cmpint (launch (text, NULL), ==, FV_OK);
    g_assert_cmpint (launch ("void kernel () { 0; }", NULL), ==, FV_OK); /* the one in use stays */
  }
  g_assert_cmpint (*loads, ==, 100);
  g_assert_cmpint (*unloads, ==, 100 - 64);
}

static void
test_newer_gpu (void)
{
  clear_folder ();
  *capability = 121;
  g_assert_cmpint (launch ("void kernel () {}", NULL), ==, FV_OK);
  g_assert_cmpstr (code, ==, "--gpu-architecture=compute_90\nvoid kernel () {}");
  *capability = 90;
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-nvrtc-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  loads = find ("libcuda.so.1", "fake_loads");
  unloads = find ("libcuda.so.1", "fake_unloads");
  launches = find ("libcuda.so.1", "fake_launches");
  capability = find ("libcuda.so.1", "fake_capability");
  version = find ("libcuda.so.1", "fake_version");
  code = (char *) find ("libcuda.so.1", "fake_code");
  compiles = find ("libcuda.so.1", "fake_compiles");
  fuses = find ("libcuda.so.1", "fake_fuses");
  g_test_add_func ("/nvrtc/missing", test_missing); /* first: then the compiler stays open */
  g_test_add_func ("/nvrtc/memory", test_memory);
  g_test_add_func ("/nvrtc/disk", test_disk);
  g_test_add_func ("/nvrtc/damage", test_damage);
  g_test_add_func ("/nvrtc/folder", test_folder);
  g_test_add_func ("/nvrtc/refused", test_refused);
  g_test_add_func ("/nvrtc/many", test_many);
  g_test_add_func ("/nvrtc/newer-gpu", test_newer_gpu);
  return g_test_run ();
}
