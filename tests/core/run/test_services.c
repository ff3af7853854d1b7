/* SPDX-License-Identifier: MIT
 *
 * What the host does for operations beyond images: tables with texts beside images, through a plugin built with the header alone.
 */
#include "core/ops/args.h"
#include "core/base/error.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static char *path; /* of the plugin */
static Modules *modules;

static Modules *
load (void)
{
  Modules *loaded = modules_new_shipped ();
  g_autoptr (GError) error = NULL;
  g_assert_true (modules_load (loaded, path, &error));
  g_assert_no_error (error);
  return loaded;
}

/* Runs one operation of the plugin on an image of u8 planes of 4 × 4 pixels of which some are bright. */
static void
run (Modules *on, const char *key, const int *bright, gint64 planes, CallResult *result)
{
  const Op *op = modules_op (on, key, NULL);
  g_autofree gpointer args = args_new (op, NULL);
  g_autoptr (GError) error = NULL;
  Image *image = image_random (FV_U8, FV_MASK, 1, planes, 4, 4, 1);
  guint8 *pixels = image_pixels (image);
  for (gint64 i = 0; i < 16 * planes; i++)
    pixels[i] = i % 16 < bright[i / 16] ? 200 : 0;
  g_assert_true (call_op (op, args, &image, modules_device (on, "cpu", NULL), NULL, result, &error));
  g_assert_no_error (error);
  image_unref (image);
}

/* One call makes both; equal texts are one, missing ones are none, and the numbers sort as people sort texts. */
static void
test_texts (void)
{
  const int bright[] = {16, 0, 2, 16, 3};
  const char *const texts[] = {"grade 16, \"many\"; µ", "", "grade 2, \"few\"; µ", "grade 16, \"many\"; µ",
                               "grade 3, \"few\"; µ"};
  CallResult result;
  run (modules, "grade", bright, 5, &result);
  const TableColumn *column = table_find (result.table, "grade");
  const double *values = column->values;
  g_assert_cmpuint (result.n_images, ==, 1);
  g_assert_cmpint (image_info (result.images[0])->role, ==, FV_MASK);
  g_assert_cmpint (column->type, ==, FV_COLUMN_TEXT);
  g_assert_null (table_find_numbers (result.table, "grade"));
  g_assert_cmpint (table_rows (result.table), ==, 5);
  for (int row = 0; row < 5; row++) {
    g_autofree char *text = table_text (column, row);
    g_assert_cmpstr (text, ==, texts[row]);
  }
  g_assert_true (isnan (values[1]));
  g_assert_cmpfloat (values[0], ==, values[3]);
  g_assert_true (values[2] < values[4] && values[4] < values[0]);
  call_result_clear (&result);
}

static void
check_remembered (Modules *on, double calls, double released)
{
  static const int none[] = {0};
  CallResult result;
  run (on, "remember", none, 1, &result);
  g_assert_cmpfloat (result.scalars[0], ==, calls);
  g_assert_cmpfloat (result.scalars[1], ==, released);
  call_result_clear (&result);
}

/* State lasts, is given up for memory that cannot be had otherwise, and goes with its modules. */
static void
test_state (void)
{
  Modules *other = load ();
  Device *device = modules_device (other, "cpu", NULL);
  fv_error fault = FV_ERROR_INIT;
  void *memory;
  check_remembered (other, 1, 0);
  check_remembered (other, 2, 0);
  g_assert_cmpint (device_take (device, G_MAXSIZE / 4, &memory, &fault), ==, FV_NO_MEMORY);
  check_remembered (other, 1, 1);
  modules_free (other);
  check_remembered (modules, 1, 2);
  check_remembered (modules, 2, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  path = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "third_party_plugin", "services.so", NULL);
  modules = load ();
  g_test_add_func ("/services/texts", test_texts);
  g_test_add_func ("/services/state", test_state);
  int failed = g_test_run ();
  modules_free (modules);
  g_free (path);
  return failed;
}
