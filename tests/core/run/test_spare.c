/* SPDX-License-Identifier: MIT
 *
 * A step for which a GPU has too little memory goes to the spare device of the run, where there is one, and says so; the steps before
 * and after it stay on the GPU.
 */
#include "core/base/error.h"
#include "core/data/table.h"
#include "core/run/choice.h"
#include "core/run/execute.h"
#include "tests/posing/posing_device.h"
#include "tests/support/same.h"
#include "tests/support/support.h"

enum { STEPS = 4, MEASURED = 2 };

static Device *
cpu (void)
{
  return modules_device (test_modules (), "cpu", NULL);
}

/* Work on host memory from the GPU, the last resort, takes memory there as well. */
static fv_status
map_nothing (const fv_device *device, void *host, size_t bytes, void **address, fv_error *error)
{
  (void) device, (void) host, (void) bytes, (void) address;
  error->code = FV_NO_MEMORY;
  return FV_NO_MEMORY;
}

/* A GPU that has `room` bytes left. */
static Device *
gpu (gsize room)
{
  static fv_device full;
  static Device *device;
  if (!device) {
    full = posing_device;
    full.map = map_nothing;
    for (guint i = 0; i < modules_ops (test_modules ())->len; i++)
      ((Op *) modules_ops (test_modules ())->pdata[i])->fv.run[POSING] = posing_run;
    device = device_new (&full);
    g_assert_true (device_ready (device, "pose:0", NULL));
  }
  device_set_limit (device, device->used + room);
  return device;
}

/* Labels of noise, which are as many pieces of rows as pixels. */
static Run *
new_run (void)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 601, 703, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe =
    recipe_parse (test_modules (),
                  "gaussian sigma=1 | interpret role=labels from=source | regionprops properties=label,area,solidity | "
                  "gaussian sigma=2 from=source",
                  &error);
  g_assert_no_error (error);
  return run_new (recipe, source, RUN_KEEP_ALL);
}

static void
test_step (void)
{
  g_autoptr (Run) here = new_run (), there = new_run ();
  g_autoptr (GError) error = NULL;
  Device *device = gpu (6 << 20);
  guint64 id, uploaded;
  g_assert_true (run_execute (here, cpu (), NULL, &error));
  run_set_spare (there, cpu ());
  g_assert_true (run_execute (there, device, NULL, &error));
  g_assert_true (run_device (there) == device);
  for (guint i = 0; i < STEPS; i++) {
    g_assert_true (run_result (there, i)->device == (i == MEASURED ? cpu () : device));
    g_assert_cmpint (run_result (there, i)->spared, ==, i == MEASURED);
  }
  g_assert_null (same_tables (run_last_table (here), run_last_table (there), 0));
  assert_images_equal (run_last_image (here), run_last_image (there));
  /* It is not done again. */
  id = run_result (there, MEASURED)->id;
  uploaded = device->uploaded;
  g_assert_true (run_execute (there, device, NULL, &error));
  g_assert_cmpuint (run_result (there, MEASURED)->id, ==, id);
  g_assert_cmpuint (device->uploaded, ==, uploaded);
}

/* An explicit request for a GPU gets it or an error. */
static void
test_none (void)
{
  g_autoptr (Run) run = new_run ();
  g_autoptr (GError) error = NULL;
  g_assert_false (run_execute (run, gpu (6 << 20), NULL, &error));
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
  g_assert_nonnull (strstr (error->message, "regionprops"));
}

static void
test_chosen (void)
{
  g_autoptr (Run) run = new_run ();
  g_autofree char *reason = NULL, *other = NULL;
  g_assert_nonnull (choice_device (run, test_modules (), "auto", &reason, NULL));
  g_assert_true (run_spare (run) == cpu ());
  g_assert_nonnull (choice_device (run, test_modules (), "cpu", &other, NULL));
  g_assert_null (run_spare (run));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/spare/step", test_step);
  g_test_add_func ("/spare/none", test_none);
  g_test_add_func ("/spare/chosen", test_chosen);
  return g_test_run ();
}
