/* SPDX-License-Identifier: MIT
 *
 * Plugins in C++, with a CUDA kernel where there is nvcc, and filled by hand as other languages do: built with the header alone, loaded
 * and run on all that is there.
 */
#include "core/ops/args.h"
#include "core/call/op.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static char *folder;

static void
spawn (const char *command)
{
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL, *err = NULL;
  int status;
  g_assert_true (g_shell_parse_argv (command, NULL, &argv, &error));
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, &error);
  g_assert_no_error (error);
  if (status)
    g_error ("%s\n%s%s", command, out, err);
}

/* format: a command with the paths of the sources, the header and the output. Gives the latter. */
static char *
build (const char *format, const char *name)
{
  g_autofree char *source_folder = source_path ("tests/third_party_plugin"), *header_folder = source_path ("plugin"),
                  *sources = g_shell_quote (source_folder), *header = g_shell_quote (header_folder);
  char *made = g_build_filename (folder, name, NULL);
  g_autoptr (GString) command = g_string_new (format);
  g_string_replace (command, "SOURCES", sources, 0);
  g_string_replace (command, "HEADER", header, 0);
  g_string_replace (command, "FOLDER", folder, 0);
  g_string_append_printf (command, " -o %s", made);
  spawn (command->str);
  return made;
}

/* Runs the step on every device that can, on what it made on the one before, and compares with what becomes of 0, 1, 2 ... */
static void
check_runs (Modules *modules, const char *key, const char *param, const char *value, double (*expected) (double))
{
  double pixels[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -11};
  g_autoptr (GError) error = NULL;
  const Op *op = modules_op (modules, key, &error);
  g_assert_no_error (error);
  g_autofree gpointer args = args_new (op, NULL);
  const GPtrArray *devices = modules_find_devices (modules);
  g_assert_true (args_set (op, args, param, value, &error));
  Image *image = image_of (FV_F32, FV_IMAGE, 3, 4, pixels);
  for (guint d = 0; d < devices->len; d++) {
    Device *device = devices->pdata[d];
    if (device->fv->fault || !op->fv.run[device->fv->kind])
      continue;
    g_test_message ("%s on %s", key, device->fv->key);
    CallResult result;
    call_op (op, args, &image, modules_device (modules, device->fv->key, NULL), NULL, &result, &error);
    g_assert_no_error (error);
    for (int i = 0; i < 12; i++) {
      pixels[i] = expected (pixels[i]);
      g_assert_cmpfloat (image_value (result.images[0], 0, i / 4, i % 4), ==, pixels[i]);
    }
    image_unref (image);
    image = image_ref (result.images[0]);
    call_result_clear (&result);
  }
  image_unref (image);
}

static double
shifted (double v)
{
  return v + 2.5;
}

static void
test_cpp (void)
{
  g_autofree char *module =
    build ("c++ -std=c++20 -O1 -Wall -Wextra -Werror -Wno-missing-field-initializers -fPIC -shared "
           "-fvisibility=hidden -IHEADER -DNO_CUDA SOURCES/shift.cpp",
           "shift.so");
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (GError) error = NULL;
  modules_load (modules, module, &error);
  g_assert_no_error (error);
  const Op *op = modules_op (modules, "shift", NULL);
  g_assert_cmpint (op->fv.params[0].type, ==, FV_FLOAT);
  g_assert_null (op->fv.run[FV_CUDA]);
  check_runs (modules, "shift", "amount", "2.5", shifted);
}

/* ---- With a kernel: the plugin itself looks whether all is promised that it finds where it is called ---- */

/* When memory runs out all state is released. */
static gpointer
release_states (gpointer data)
{
  fv_error fault = FV_ERROR_INIT;
  void *memory;
  device_set_limit (data, 1);
  g_assert_cmpint (device_take (data, 2, &memory, &fault), ==, FV_NO_MEMORY);
  device_set_limit (data, 0);
  return NULL;
}

static void
test_cuda (gconstpointer module)
{
  Modules *modules = modules_new_shipped ();
  g_autoptr (GError) error = NULL;
  modules_load (modules, module, &error);
  g_assert_no_error (error);
  g_assert_nonnull (modules_op (modules, "shift", NULL)->fv.run[FV_CUDA]);
  check_runs (modules, "shift", "amount", "2.5", shifted);
  check_runs (modules, "shift", "amount", "2.5", shifted); /* with the states that it left */
  const GPtrArray *devices = modules_find_devices (modules);
  for (guint d = 0; d < devices->len; d++) {
    Device *device = devices->pdata[d];
    if (device_is_awake (device))
      g_thread_join (g_thread_new ("other", release_states, device));
  }
  check_runs (modules, "shift", "amount", "2.5", shifted);
  modules_free (modules); /* the states go with it */
}

static double
twice_cube (double v)
{
  return 2 * v * v * v;
}

static double
twice_square (double v)
{
  return 2 * v * v;
}

static void
test_by_hand (void)
{
  g_autofree char *module =
    build ("cc -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC -IHEADER SOURCES/by_hand.c", "by_hand.so");
  g_autoptr (Modules) modules = modules_new_shipped ();
  g_autoptr (GError) error = NULL;
  modules_load (modules, module, &error);
  g_assert_no_error (error);
  check_runs (modules, "power_2", "scale", "2", twice_square);
  check_runs (modules, "power_3", "scale", "2", twice_cube);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  folder = g_dir_make_tmp ("fovea-languages-XXXXXX", NULL);
  g_autofree char *cuda = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "gpu", "shift.so", NULL);
  g_test_add_func ("/module/languages/c++", test_cpp);
  if (g_file_test (cuda, G_FILE_TEST_EXISTS))
    g_test_add_data_func ("/module/languages/cuda", cuda, test_cuda);
  g_test_add_func ("/module/languages/by-hand", test_by_hand);
  return run_tests_in (folder);
}
