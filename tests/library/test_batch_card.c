/* SPDX-License-Identifier: MIT
 *
 * A GPU, here a fake one, that fails for good: its error, and how a batch in a running program continues.
 */
#include "tests/library/support.h"

#include <glib/gstdio.h>
#include <string.h>

/* Eight pixels of one value, u8. */
static fovea_image *
image_of (guint8 value)
{
  guint8 pixels[8];
  int64_t shape[2] = {2, 4};
  memset (pixels, value, sizeof pixels);
  DLTensor tensor = tensor_of (pixels, kDLUInt, 8, 2, shape);
  fovea_error *error = NULL;
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, &error);
  assert_good (error);
  return image;
}

static void
save (const char *folder, const char *name, guint8 value)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  fovea_image *image = image_of (value);
  g_assert_cmpint (fovea_image_save (image, path, NULL, NULL), ==, FOVEA_OK);
  fovea_image_free (image);
}

static void
count (void *user)
{
  (*(guint *) user)++;
}

/* The rest is done on the CPU; the image on which the CPU fails, too, is recorded. With two jobs the other one may have done the rest on the
 * GPU before it fails, so only one job says which images are left for the CPU. */
static void
test_batch (gconstpointer jobs)
{
  if (!g_test_subprocess ()) { /* where the GPU has not failed yet */
    g_test_trap_subprocess (NULL, 0, 0);
    g_test_trap_assert_passed ();
    return;
  }
  g_autofree char *in = g_dir_make_tmp ("fovea-frail-XXXXXX", NULL), *out = g_build_filename (in, "out", NULL),
                  *manifest = g_build_filename (out, "manifest.jsonl", NULL), *text = NULL;
  guint renewed = 0;
  const fovea_batch_output output = {sizeof output, NULL, "{name}.png"};
  const fovea_batch_options options = {.size = sizeof options,
                                       .folder = out,
                                       .outputs = (const fovea_batch_output *const[]){&output, NULL},
                                       .device = "pose:0",
                                       .jobs = GPOINTER_TO_UINT (jobs),
                                       .renew = count,
                                       .user = &renewed};
  fovea_batch_counts counts = {.size = sizeof counts};
  fovea_error *error = NULL;
  for (guint i = 0; i < 9; i++) {
    g_autofree char *name = g_strdup_printf ("%u.tif", i);
    save (in, name, i == 4 ? 255 : (guint8) (i + 1));
  }
  fovea_recipe *recipe = fovea_recipe_parse (context, "pose_frail", NULL);
  fovea_batch *batch = fovea_batch_new (recipe, (const char *const[]){in, NULL}, &options, &error);
  assert_good (error);
  g_assert_cmpint (fovea_batch_run (batch, &error), ==, FOVEA_OK);
  fovea_batch_get_counts (batch, &counts, NULL);
  g_assert_cmpuint (counts.images, ==, 9);
  g_assert_cmpuint (counts.done, ==, 8);
  g_assert_cmpuint (counts.failed, ==, 1);
  g_assert_cmpuint (renewed, ==, 1); /* it was asked, and came back */
  g_assert_true (g_file_get_contents (manifest, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "It begins white"));
  if (GPOINTER_TO_UINT (jobs) == 1)
    g_assert_nonnull (strstr (text, "The GPU had failed on another image, so this one was processed on the CPU."));
  fovea_batch_free (batch);
  fovea_recipe_free (recipe);
  const char *const rm[] = {"rm", "-r", in, NULL};
  g_assert_true (g_spawn_sync (NULL, (char **) rm, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
}

static void
fails (const char *steps, const char *device, const char *says)
{
  fovea_error *error = NULL;
  fovea_recipe *recipe = fovea_recipe_parse (context, steps, NULL);
  fovea_image *image = image_of (0);
  fovea_run *run = fovea_run_new (recipe, image, FOVEA_KEEP_NAMED, NULL);
  const fovea_code code = fovea_run_execute (run, device, NULL, NULL, &error);
  g_assert_cmpint (code, ==, says ? FOVEA_DEVICE_FAULT : FOVEA_OK);
  if (says)
    g_assert_nonnull (strstr (fovea_error_message (error), says));
  fovea_error_free (error);
  fovea_run_free (run);
  fovea_image_free (image);
  fovea_recipe_free (recipe);
}

/* The first error names the fault, and those after it what failed first and what to do. */
static void
test_errors (void)
{
  if (!g_test_subprocess ()) { /* where the GPU has not failed yet */
    g_test_trap_subprocess (NULL, 0, 0);
    g_test_trap_assert_passed ();
    return;
  }
  fails ("pose_frail", "pose:0",
         "pose:0 cannot be used until this program is started again; the CPU can (device cpu).");
  fails ("pose", "pose:0", "pose:0 failed before and cannot be used until this program is started again");
  fails ("pose", "pose:0", "The first fault was: pose_frail: The work on the device failed: an illegal memory access.");
  fails ("pose_frail", "cpu", NULL);
}

int
main (int argc, char **argv)
{
  g_autofree char *posing = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "posing", NULL);
  init_tests (&argc, &argv);
  g_setenv ("FOVEA_PLUGIN_PATH", posing, TRUE);
  g_test_add_data_func ("/library/batch-gpu/one-job", GUINT_TO_POINTER (1), test_batch);
  g_test_add_data_func ("/library/batch-gpu/two-jobs", GUINT_TO_POINTER (2), test_batch);
  g_test_add_func ("/library/batch-gpu/errors", test_errors);
  return run_tests ();
}
