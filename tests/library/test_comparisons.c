/* SPDX-License-Identifier: MIT
 *
 * The same steps on the CPU and on the CPU as it poses as a GPU: what is measured of both, and what is the same.
 */
#include "tests/library/support.h"

#include <string.h>

enum { SIDE = 64, BYTES = SIDE * SIDE };

/* As the work of the task, NULL: of none. */
static fovea_comparison *
compare_as (fovea_task *task, const char *steps, unsigned repeat, fovea_error **error)
{
  static uint8_t pixels[BYTES];
  int64_t shape[] = {SIDE, SIDE};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 8, 2, shape);
  for (int i = 0; i < BYTES; i++)
    pixels[i] = (uint8_t) (i * 7);
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
  fovea_recipe *recipe = fovea_recipe_parse (context, steps, NULL);
  fovea_task_enter (task);
  fovea_comparison *comparison = fovea_comparison_new (recipe, image, repeat, error);
  fovea_task_enter (NULL);
  fovea_recipe_free (recipe);
  fovea_image_free (image);
  return comparison;
}

static fovea_comparison *
compare (const char *steps, unsigned repeat, fovea_error **error)
{
  return compare_as (NULL, steps, repeat, error);
}

static fovea_compared_device
device_at (const fovea_comparison *comparison, unsigned n, const char *key)
{
  fovea_compared_device device = {.size = sizeof device};
  fovea_error *error = NULL;
  fovea_comparison_get_device (comparison, n, &device, &error);
  assert_good (error);
  g_assert_cmpstr (device.device->key, ==, key);
  return device;
}

/* The index of the fake device: the last, behind GPUs of this machine, or their placeholder without a driver. */
static unsigned
posing (const fovea_comparison *comparison)
{
  return fovea_comparison_devices (comparison) - 1;
}

/* Each image goes there once and both results go back, with the number that the second step finds; the sum of the steps is all. */
static void
test_measured (void)
{
  fovea_error *error = NULL;
  fovea_comparison *comparison = compare ("pose as=turned | pose_rows", 3, &error);
  assert_good (error);
  fovea_compared_device cpu = device_at (comparison, 0, "cpu"),
                        gpu = device_at (comparison, posing (comparison), "pose:0");
  g_assert_null (cpu.fault);
  g_assert_null (gpu.fault);
  g_assert_cmpuint (cpu.uploaded + cpu.downloaded, ==, 0);
  g_assert_cmpuint (gpu.uploaded, ==, BYTES);
  g_assert_cmpuint (gpu.downloaded, ==, 2 * BYTES + sizeof (double));
  g_assert_cmpfloat (cpu.up_ms + cpu.down_ms, ==, 0);
  g_assert_cmpfloat (gpu.up_ms, >, 0);
  g_assert_cmpfloat (gpu.down_ms, >, 0);
  g_assert_cmpfloat (cpu.wall_ms, >=, cpu.ms);
  for (unsigned i = 0; i < 2; i++) {
    g_assert_cmpfloat (cpu.step_ms[i], >, 0);
    g_assert_cmpfloat (gpu.step_ms[i], >, 0);
  }
  fovea_comparison_free (comparison);
}

/* The result on the GPU equals that of the CPU, or the difference is reported: 3 in one pixel. */
static void
test_agreement (void)
{
  static const char *const results[] = {"pose", "pose_rows", "pose_rows"};
  static const char *const columns[] = {NULL, "asked", NULL};
  fovea_compared_result result = {.size = sizeof result};
  fovea_error *error = NULL;
  fovea_comparison *comparison = compare ("pose as=pose | pose_rows", 1, NULL);
  for (unsigned i = 0; i < 3; i++) {
    g_assert_cmpint (fovea_comparison_get_result (comparison, posing (comparison), i, &result, NULL), ==, FOVEA_OK);
    g_assert_cmpstr (result.result, ==, results[i]);
    g_assert_cmpstr (result.column, ==, columns[i]);
    g_assert_true (result.agrees);
  }
  g_assert_cmpint (fovea_comparison_get_result (comparison, posing (comparison), 3, &result, &error), ==,
                   FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "i", "Result 3 of device");
  fovea_comparison_free (comparison);

  comparison = compare ("pose_badly", 1, NULL);
  g_assert_cmpint (fovea_comparison_get_result (comparison, posing (comparison), 0, &result, NULL), ==, FOVEA_OK);
  g_assert_false (result.agrees);
  g_assert_true (result.exact);
  g_assert_cmpint (result.values, ==, BYTES);
  g_assert_cmpint (result.differing, ==, 1);
  g_assert_cmpfloat (result.difference, ==, 3);
  g_assert_cmpfloat (result.largest, ==, 255);
  char *text = fovea_comparison_text (comparison);
  g_assert_nonnull (strstr (text, "DIFFERS in 1 of 4096 values, by up to 3"));
  fovea_text_free (text);
  fovea_comparison_free (comparison);
}

/* A step that cannot run on the GPU is reported, and the CPU measured. */
static void
test_fault (void)
{
  fovea_comparison *comparison = compare ("pose | gaussian sigma=2", 1, NULL);
  fovea_compared_device cpu = device_at (comparison, 0, "cpu"),
                        gpu = device_at (comparison, posing (comparison), "pose:0");
  g_assert_cmpfloat (cpu.ms, >, 0);
  g_assert_cmpstr (gpu.fault, ==, "gaussian cannot run on pose:0.");
  char *text = fovea_comparison_text (comparison);
  g_assert_nonnull (strstr (text, "pose:0 was not used: gaussian cannot run on pose:0."));
  g_assert_nonnull (strstr (text, "no other device"));
  fovea_text_free (text);
  fovea_comparison_free (comparison);
}

static void
test_refused (void)
{
  fovea_compared_device device = {.size = sizeof device};
  fovea_error *error = NULL;
  g_assert_null (compare ("pose", 0, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "repeat", "from 1 to 1000");
  g_assert_null (compare ("channel index=5", 1, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "index", "channel");
  fovea_comparison *comparison = compare ("pose", 1, NULL);
  unsigned beyond = fovea_comparison_devices (comparison);
  g_autofree char *none = g_strdup_printf ("Device %u does not exist", beyond);
  g_assert_cmpint (fovea_comparison_get_device (comparison, beyond, &device, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "n", none);
  fovea_comparison_free (comparison);
  fovea_task *task = fovea_task_new ();
  fovea_task_cancel (task);
  g_assert_null (compare_as (task, "pose", 1, &error));
  fovea_task_free (task);
  assert_fails (&error, FOVEA_CANCELLED, "", "Stopped.");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "posing", NULL);
  g_setenv ("FOVEA_PLUGIN_PATH", folder, TRUE);
  init_tests (&argc, &argv);
  g_test_add_func ("/library/comparison/measured", test_measured);
  g_test_add_func ("/library/comparison/agreement", test_agreement);
  g_test_add_func ("/library/comparison/fault", test_fault);
  g_test_add_func ("/library/comparison/refused", test_refused);
  return run_tests ();
}
