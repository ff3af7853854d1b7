/* SPDX-License-Identifier: MIT
 *
 * Batches as programs plan them: the inputs, which shards have something to do, and what their steps cost.
 */
#include "tests/library/support.h"

#include <glib/gstdio.h>

static fovea_batch *
batch_of (const char *steps, const char *folder, unsigned shard, unsigned shards)
{
  g_autofree char *in = g_build_filename (folder, "in", NULL), *out = g_build_filename (folder, "out", NULL);
  const fovea_batch_options options = {
    .size = sizeof options, .folder = out, .device = "cpu", .resume = 1, .shard = shard, .shards = shards};
  fovea_error *error = NULL;
  fovea_recipe *recipe = fovea_recipe_parse (context, steps, NULL);
  fovea_batch *batch = fovea_batch_new (recipe, (const char *const[]){in, NULL}, &options, &error);
  assert_good (error);
  fovea_recipe_free (recipe);
  return batch;
}

/* image1, image2 and image10. */
static char *
folder_of_three (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fovea-batches-XXXXXX", NULL), *in = g_build_filename (folder, "in", NULL);
  fovea_image *image = image_with_square (500);
  g_assert_false (g_mkdir (in, 0777));
  for (guint i = 0; i < 3; i++) {
    g_autofree char *path = g_strconcat (in, "/image", ((const char *const[]){"10", "2", "1"})[i], ".tif", NULL);
    g_assert_cmpint (fovea_image_save (image, path, NULL, NULL), ==, FOVEA_OK);
  }
  fovea_image_free (image);
  return g_steal_pointer (&folder);
}

static void
remove_folder (const char *folder)
{
  const char *const rm[] = {"rm", "-r", folder, NULL};
  g_assert_true (g_spawn_sync (NULL, (char **) rm, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
}

static void
check_pending (const char *steps, const char *folder, int first, int second)
{
  fovea_batch *batch = batch_of (steps, folder, 0, 0);
  unsigned char pending[] = {9, 9, 9};
  g_assert_cmpint (fovea_batch_pending (batch, 2, pending, NULL), ==, FOVEA_OK);
  g_assert_cmpint (pending[0], ==, first);
  g_assert_cmpint (pending[1], ==, second);
  g_assert_cmpint (pending[2], ==, 9);
  fovea_batch_free (batch);
}

static void
test_pending (void)
{
  g_autofree char *folder = folder_of_three ();
  const char *const files[] = {"/image1.tif", "/image2.tif", "/image10.tif"};
  fovea_batch *batch = batch_of ("otsu | label", folder, 2, 2);
  fovea_error *error = NULL;
  unsigned char pending[3];
  for (size_t i = 0; i < 3; i++)
    g_assert_true (g_str_has_suffix (fovea_batch_get_input (batch, i), files[i]));
  g_assert_null (fovea_batch_get_input (batch, 3));
  g_assert_null (fovea_batch_get_input (NULL, 0));
  check_pending ("otsu | label", folder, 1, 1);
  g_assert_cmpint (fovea_batch_run (batch, &error), ==, FOVEA_OK);
  check_pending ("otsu | label", folder, 1, 0);
  check_pending ("otsu", folder, 1, 1);
  g_assert_cmpint (fovea_batch_pending (batch, 3, pending, &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", "2 shards, not 3");
  g_assert_cmpint (fovea_batch_pending (batch, 0, pending, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "shards", "at least one");
  g_assert_cmpint (fovea_batch_pending (batch, 2, NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "pending", "NULL");
  fovea_batch_free (batch);
  remove_folder (folder);
}

static void
check_counts (const char *folder, guint64 images, guint64 done, guint64 failed, guint64 before)
{
  fovea_batch *batch = batch_of ("otsu | label", folder, 0, 0);
  fovea_batch_counts counts = {.size = sizeof counts};
  g_assert_cmpint (fovea_batch_run (batch, NULL), ==, FOVEA_OK);
  g_assert_cmpint (fovea_batch_get_counts (batch, &counts, NULL), ==, FOVEA_OK);
  g_assert_cmpuint (counts.images, ==, images);
  g_assert_cmpuint (counts.done, ==, done);
  g_assert_cmpuint (counts.failed, ==, failed);
  g_assert_cmpuint (counts.before, ==, before);
  fovea_batch_free (batch);
}

/* What an earlier run has done is told from what this one does. */
static void
test_counts (void)
{
  g_autofree char *folder = folder_of_three (), *broken = g_build_filename (folder, "in", "a.tif", NULL),
                  *more = g_build_filename (folder, "in", "b.tif", NULL);
  check_counts (folder, 3, 3, 0, 0);
  fovea_image *image = image_with_square (40);
  g_assert_cmpint (fovea_image_save (image, more, NULL, NULL), ==, FOVEA_OK);
  fovea_image_free (image);
  g_assert_true (g_file_set_contents (broken, "no image", -1, NULL));
  check_counts (folder, 5, 4, 1, 3);
  check_counts (folder, 5, 4, 1, 4);
  remove_folder (folder);
}

/* More shards than images: the last have nothing to do, and none is left when all have run. */
static void
test_many_shards (void)
{
  g_autofree char *folder = folder_of_three ();
  unsigned char pending[5];
  for (unsigned shard = 1; shard <= 5; shard++) {
    fovea_batch *batch = batch_of ("otsu | label", folder, shard, 5);
    fovea_batch_counts counts = {.size = sizeof counts};
    g_assert_cmpint (fovea_batch_run (batch, NULL), ==, FOVEA_OK);
    g_assert_cmpint (fovea_batch_get_counts (batch, &counts, NULL), ==, FOVEA_OK);
    g_assert_cmpuint (counts.images, ==, shard <= 3 ? 1 : 0);
    g_assert_cmpuint (counts.done, ==, shard <= 3 ? 1 : 0);
    g_assert_cmpint (fovea_batch_pending (batch, 5, pending, NULL), ==, FOVEA_OK);
    for (unsigned i = 0; i < 5; i++)
      g_assert_cmpint (pending[i], ==, i >= shard);
    fovea_batch_free (batch);
  }
  remove_folder (folder);
}

/* Ten times as many images take ten times as long on a core. */
static void
test_estimate (void)
{
  g_autofree char *folder = folder_of_three (), *broken = g_build_filename (folder, "in", "a.tif", NULL);
  double few, many, gpu;
  fovea_error *error = NULL;
  g_assert_true (g_file_set_contents (broken, "no image", -1, NULL));
  fovea_batch *batch = batch_of ("gaussian sigma=5 | otsu | label", folder, 0, 0);
  g_assert_cmpint (fovea_batch_estimate (batch, 100, &few, &gpu, &error), ==, FOVEA_OK);
  g_assert_cmpfloat (gpu, >, 0);
  g_assert_cmpint (fovea_batch_estimate (batch, 1000, &many, &gpu, &error), ==, FOVEA_OK);
  g_assert_cmpfloat (few, >, 0);
  g_assert_cmpfloat_with_epsilon (many, 10 * few, 1e-9 * many);
  g_assert_cmpint (fovea_batch_estimate (batch, 1, NULL, &gpu, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "core_ms", "NULL");
  fovea_batch_free (batch);
  remove_folder (folder);
}

static void
on_line (void *lines, const char *line)
{
  g_ptr_array_add (lines, g_strdup (line));
}

static fovea_batch *
batch_of_macro (const char *text, const char *folder, GPtrArray *lines, fovea_error **error)
{
  g_autofree char *in = g_build_filename (folder, "in", NULL), *out = g_build_filename (folder, "out", NULL);
  const fovea_batch_options options = {.size = sizeof options, .folder = out, .device = "cpu", .resume = 1};
  const char *const arguments[] = {"fast", NULL};
  const fovea_macro_options macro = {.size = sizeof macro, .arguments = arguments, .print = on_line, .user = lines};
  return fovea_batch_new_of_macro (context, NULL, text, &macro, (const char *const[]){in, NULL}, &options, error);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* What a macro prints has the image in front; its future steps are unknown. */
static void
test_macro (void)
{
  g_autofree char *folder = folder_of_three (), *saved = g_build_filename (folder, "out", "image2", "a.csv", NULL);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  fovea_error *error = NULL;
  double core, gpu;
  fovea_batch_counts counts = {.size = sizeof counts};
  fovea_batch *batch =
    batch_of_macro ("print(getArgument()) File.saveString(getTitle(), 'a.csv')", folder, lines, &error);
  assert_good (error);
  g_assert_cmpint (fovea_batch_estimate (batch, 1, &core, &gpu, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "", "not known before");
  g_assert_cmpint (fovea_batch_run (batch, NULL), ==, FOVEA_OK);
  g_assert_cmpint (fovea_batch_get_counts (batch, &counts, NULL), ==, FOVEA_OK);
  g_assert_cmpuint (counts.done, ==, 3);
  g_assert_cmpuint (lines->len, ==, 3);
  g_ptr_array_sort (lines, compare);
  g_assert_cmpstr (lines->pdata[0], ==, "image1.tif: fast");
  g_assert_cmpstr (lines->pdata[2], ==, "image2.tif: fast");
  g_assert_true (g_file_test (saved, G_FILE_TEST_EXISTS));
  fovea_batch_free (batch);
  g_assert_null (batch_of_macro ("if", folder, lines, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "", "macro:1");
  g_assert_null (fovea_batch_new_of_macro (context, NULL, NULL, NULL, NULL, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "inputs", "NULL");
  remove_folder (folder);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/library/batch-pending", test_pending);
  g_test_add_func ("/library/batch-counts", test_counts);
  g_test_add_func ("/library/batch-many-shards", test_many_shards);
  g_test_add_func ("/library/batch-estimate", test_estimate);
  g_test_add_func ("/library/batch-macro", test_macro);
  return run_tests ();
}
