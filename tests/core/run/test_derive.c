/* SPDX-License-Identifier: MIT
 *
 * Derived values in runs: what is computed again when the step whose number they take changes, each plane with its own, and the plan.
 */
#include "core/base/error.h"
#include "core/run/derive.h"
#include "tests/support/support.h"

#include <string.h>

static void
execute (Run *run, Device *device)
{
  g_autoptr (GError) error = NULL;
  run_execute (run, device, NULL, &error);
  g_assert_no_error (error);
}

/* That plane is what the step makes of the source with this number. */
static void
assert_like_number (Image *whole, gint64 plane, Image *source, const char *format, double value, Device *device)
{
  g_autofree char *number = g_strdup_printf ("%.17g", value), *steps = g_strdup_printf (format, number);
  g_autoptr (Run) run = run_of (steps, source);
  const ImageInfo *info = image_info (whole);
  execute (run, device);
  for (gint64 y = 0; y < info->rows; y++)
    for (gint64 x = 0; x < info->columns; x++)
      g_assert_cmpfloat (image_value (whole, plane, y, x), ==, image_value (run_image (run, 0, 0), plane, y, x));
}

/* Every plane is that of a run in which all planes have its number: a threshold, a neighborhood whose halo differs, two parameters at once. */
static void
test_planes (Device *device)
{
  static const char *const cases[][2] = {
    {"threshold lower={sigma_clip.mean}/2", "threshold lower==%s/2"},
    {"gaussian sigma={sigma_clip.mean}/40", "gaussian sigma==%s/40"},
    {"median radius={sigma_clip.mean}/25", "median radius==%s/25"},
  };
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 2, 3, 40, 50, 7);
  guint8 *pixels = image_pixels (source);
  for (gint64 i = 0; i < 6 * 40 * 50; i++)
    pixels[i] = (guint8) (pixels[i] / (1 + i / (40 * 50)));
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *steps = g_strconcat ("sigma_clip | ", cases[k][0], NULL);
    g_autoptr (Run) run = run_of (steps, source);
    execute (run, device);
    const RunStep *clip = run_result (run, 0), *step = run_result (run, 1);
    g_assert_cmpint (step->derived->each.planes, ==, 6);
    for (gint64 plane = 0; plane < 6; plane++) {
      const double mean = clip->result.scalars[plane * clip->step->op->n_scalars];
      assert_like_number (run_image (run, 1, 0), plane, source, cases[k][1], mean, device);
    }
  }
}

/* The same numbers in all planes are one. */
static void
test_same_planes (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 3, 40, 50, 7);
  guint8 *pixels = image_pixels (source);
  for (int plane = 1; plane < 3; plane++)
    memcpy (pixels + plane * 40 * 50, pixels, 40 * 50);
  g_autoptr (Run) run = run_of ("otsu | gaussian from=source volume=yes sigma={otsu.threshold}/100", source);
  execute (run, device);
  g_assert_cmpint (run_result (run, 0)->result.scalar_rows, ==, 3);
  g_assert_cmpint (run_result (run, 1)->derived->each.planes, ==, 1);
}

/* When a number changes, what takes it is computed again and nothing else is. */
static void
test_continued (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 40, 50, 7);
  static const char steps[] =
    "sigma_clip kappa=%s | gaussian sigma=1 from=source | threshold lower={sigma_clip.mean}%s";
  g_autofree char *first = g_strdup_printf (steps, "3", "/2"), *kappa = g_strdup_printf (steps, "1.2", "/2"),
                  *text = g_strdup_printf (steps, "3", "/3");
  g_autoptr (Run) a = run_of (first, source), same = run_of (first, source), b = run_of (kappa, source),
                  c = run_of (text, source), alone = run_of (kappa, source);
  execute (a, device);
  run_continue (same, a);
  execute (same, device);
  g_assert_true (run_image (same, 2, 0) == run_image (a, 2, 0));
  g_assert_cmpfloat (run_result (same, 2)->derived->each.values[0], ==, run_result (a, 2)->derived->each.values[0]);
  run_continue (b, a);
  execute (b, device);
  g_assert_true (run_image (b, 1, 0) == run_image (a, 1, 0));
  g_assert_true (run_image (b, 2, 0) != run_image (a, 2, 0));
  execute (alone, device);
  assert_images_equal (run_image (b, 2, 0), run_image (alone, 2, 0));
  run_continue (c, a);
  execute (c, device);
  g_assert_true (run_image (c, 1, 0) == run_image (a, 1, 0));
  g_assert_true (run_image (c, 2, 0) != run_image (a, 2, 0));
}

/* Outputs of other sizes or positions cannot be planes of one image. */
static void
test_unlike_planes (Device *device)
{
  static const char *const steps[] = {"sigma_clip | crop x=({sigma_clip.kept}-2970)/2 width=10 height=10",
                                      "sigma_clip | resize width={sigma_clip.kept}-2970"};
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 2, 60, 50, 7);
  memset (image_pixels (source), 3, 60 * 50 - 20);
  memset ((guint8 *) image_pixels (source) + 60 * 50 - 20, 255, 20);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Run) run = run_of (steps[i], source);
    g_assert_false (run_execute (run, device, NULL, &error));
    g_assert_true (strstr (error->message, "sizes or positions") || strstr (error->message, "needs one value"));
  }
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/derive/planes", test_planes);
  add_device_test ("/derive/same-planes", test_same_planes);
  add_device_test ("/derive/continued", test_continued);
  add_device_test ("/derive/unlike-planes", test_unlike_planes);
  return g_test_run ();
}
