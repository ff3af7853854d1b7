/* SPDX-License-Identifier: MIT
 *
 * The library as programs use it: every wrong argument is an error that names it, pixels go in and out, objects outlive
 * what they were made of.
 */
#include "tests/library/support.h"

#include <math.h>
#include <string.h>

/* ---- What is wrong ---- */

static void
test_null (void)
{
  fovea_error *error = NULL;
  fovea_image *image = image_with_square (16);
  fovea_recipe *recipe = fovea_recipe_parse (context, "otsu", NULL);
  DLTensor tensor = {0};
  fovea_image_info info = {.size = sizeof info};
  g_assert_null (fovea_image_open (NULL, "x.tif", 0, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "context", "NULL");
  g_assert_null (fovea_image_open (context, NULL, 0, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "path", "NULL");
  g_assert_null (fovea_file_open (context, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "path", "NULL");
  g_assert_cmpint (fovea_image_save (NULL, "x.tif", NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "image", "NULL");
  g_assert_cmpint (fovea_image_save (image, NULL, NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "path", "NULL");
  g_assert_cmpint (fovea_image_get_info (NULL, &info, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "image", "NULL");
  g_assert_cmpint (fovea_image_get_info (image, NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "info", "NULL");
  g_assert_null (fovea_image_to_dlpack (NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "image", "NULL");
  g_assert_null (fovea_image_from_dlpack (NULL, &tensor, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "context", "NULL");
  g_assert_null (fovea_image_from_dlpack (context, NULL, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "pixels", "NULL");
  g_assert_null (fovea_image_borrow_dlpack (NULL, NULL, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "context", "NULL");
  g_assert_null (fovea_image_borrow_dlpack (context, NULL, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "pixels", "NULL");
  g_assert_null (fovea_recipe_parse (NULL, "otsu", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "context", "NULL");
  g_assert_null (fovea_recipe_parse (context, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "text", "NULL");
  g_assert_null (fovea_recipe_with (NULL, 0, "skip", "yes", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "recipe", "NULL");
  g_assert_null (fovea_recipe_with (recipe, 0, NULL, "yes", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "key", "NULL");
  g_assert_null (fovea_recipe_with (recipe, 0, "skip", NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "value", "NULL");
  g_assert_null (fovea_run_new (NULL, image, FOVEA_KEEP_NAMED, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "recipe", "NULL");
  g_assert_null (fovea_run_new (recipe, NULL, FOVEA_KEEP_NAMED, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "image", "NULL");
  g_assert_cmpint (fovea_run_execute (NULL, NULL, NULL, NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "run", "NULL");
  g_assert_null (fovea_run_image (NULL, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "run", "NULL");
  g_assert_null (fovea_run_table (NULL, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "run", "NULL");
  g_assert_cmpint (fovea_table_save (NULL, "x.csv", NULL, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "table", "NULL");
  /* Callers may ignore the error, and freeing NULL is allowed. */
  g_assert_null (fovea_recipe_parse (context, NULL, NULL));
  fovea_error_free (NULL);
  fovea_table_free (NULL);
  fovea_run_free (NULL);
  fovea_image_free (NULL);
  fovea_context_free (NULL);
  fovea_recipe_free (recipe);
  fovea_image_free (image);
}

/* Functions without an error argument. */
static void
test_null_objects (void)
{
  unsigned step = 1, steps = 1;
  double done = 1;
  g_assert_cmpint (fovea_error_code (NULL), ==, FOVEA_OK);
  g_assert_cmpstr (fovea_error_message (NULL), ==, "");
  g_assert_cmpstr (fovea_error_field (NULL), ==, "");
  g_assert_null (fovea_text_from_bytes (NULL, NULL));
  fovea_task_cancel (NULL);
  fovea_task_get_progress (NULL, &step, &steps, &done);
  g_assert_true (step == 0 && steps == 0 && done == 0);
  g_assert_cmpuint (fovea_task_on_disk (NULL), ==, 0);
  g_assert_null (fovea_context_refused (NULL));
  g_assert_null (fovea_context_folders (NULL));
  char *about = fovea_context_about (NULL);
  g_assert_nonnull (strstr (about, "libtiff"));
  g_assert_null (strstr (about, "Plugin"));
  fovea_text_free (about);
  g_assert_null (fovea_context_devices (NULL));
  g_assert_null (fovea_context_operations (NULL));
  fovea_device_set_limit (NULL, 1);
  g_assert_cmpuint (fovea_file_count (NULL), ==, 0);
  g_assert_null (fovea_image_text (NULL));
  g_assert_cmpuint (fovea_image_levels (NULL), ==, 0);
  g_assert_null (fovea_recipe_text (NULL));
  g_assert_cmpuint (fovea_recipe_length (NULL), ==, 0);
  g_assert_false (fovea_recipe_takes_image (NULL));
  g_assert_cmpint (fovea_table_rows (NULL), ==, 0);
  g_assert_cmpuint (fovea_table_columns (NULL), ==, 0);
  g_assert_cmpint (fovea_table_type (NULL, 0), ==, FOVEA_COLUMN_FLOAT);
  g_assert_null (fovea_table_name (NULL, 0));
  g_assert_null (fovea_table_unit (NULL, 0));
  g_assert_null (fovea_table_help (NULL, 0));
  g_assert_null (fovea_table_numbers (NULL, 0));
  g_assert_null (fovea_table_text (NULL, 0, 0));
  fovea_run_fetch_last (NULL);
  fovea_run_cancel (NULL);
  g_assert_null (fovea_run_device (NULL));
  g_assert_null (fovea_run_reason (NULL));
  g_assert_cmpfloat (fovea_run_ms (NULL), ==, 0);
}

static void
test_wrong (void)
{
  fovea_error *error = NULL;
  fovea_image *image = image_with_square (16);
  fovea_recipe *recipe = fovea_recipe_parse (context, "gaussian sigma=1 | otsu", NULL);
  fovea_context *other;
  fovea_image_info old = {.size = 8};
  g_assert_null (fovea_context_new ((fovea_flags) 3, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "flags", "3");
  g_assert_null (fovea_image_open (context, "/nowhere/a.tif", 0, &error));
  assert_fails (&error, FOVEA_BAD_FILE, "", "/nowhere/a.tif");
  g_assert_null (fovea_file_open (context, "/nowhere/a.tif", &error));
  assert_fails (&error, FOVEA_BAD_FILE, "", "/nowhere/a.tif");
  g_assert_cmpint (fovea_image_save (image, "/nowhere/a.tif", NULL, &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", "/nowhere");
  g_assert_cmpint (fovea_image_save (image, "a.doc", NULL, &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", "a.doc");
  g_assert_cmpint (fovea_image_get_info (image, &old, &error), ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "info", "8");
  g_assert_null (fovea_recipe_parse (context, "gaussian sigma=-1", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "sigma", "sigma");
  g_assert_null (fovea_recipe_parse (context, "gausian", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "", "gaussian");
  g_assert_null (fovea_recipe_parse (context, "gaussian \xff", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "text", "UTF-8");
  g_assert_null (fovea_recipe_with (recipe, 2, "sigma", "2", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "n", "Step 2 does not exist");
  g_assert_null (fovea_recipe_with (recipe, 0, "sigma", "many", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "sigma", "many");
  g_assert_nonnull (other = fovea_context_new (FOVEA_NO_PLUGINS, NULL));
  fovea_recipe *strange = fovea_recipe_parse (other, "otsu", NULL);
  g_assert_null (fovea_run_new (strange, image, FOVEA_KEEP_NAMED, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "image", "context");
  fovea_recipe_free (strange);
  fovea_context_free (other);
  fovea_recipe_free (recipe);
  fovea_image_free (image);
}

static void
test_wrong_runs (void)
{
  fovea_error *error = NULL;
  fovea_image *image = image_with_square (16);
  fovea_run *run = run_of ("gaussian sigma=1 as=soft | otsu as=mask | label | regionprops as=cells", image);
  g_assert_null (fovea_run_image (run, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "name", "No image: no step has made one");
  g_assert_null (fovea_run_table (run, NULL, &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "name", "No table: no step has made one");
  g_assert_null (fovea_run_device (run));
  g_assert_cmpint (fovea_run_execute (run, "abacus", NULL, NULL, &error), ==, FOVEA_DEVICE_FAULT);
  assert_fails (&error, FOVEA_DEVICE_FAULT, "device", "abacus");
  execute (run);
  g_assert_cmpstr (fovea_run_device (run)->key, ==, "cpu");
  g_assert_null (fovea_run_image (run, "cells", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "name", "cells");
  g_assert_null (fovea_run_table (run, "mask", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "name", "mask");
  g_assert_null (fovea_run_image (run, "nothing", &error));
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "name", "nothing");
  fovea_table *table = fovea_run_table (run, "cells", NULL);
  g_assert_cmpint (fovea_table_save (table, "x.csv", &(fovea_csv_options){sizeof (fovea_csv_options), '\t', 0}, &error),
                   ==, FOVEA_BAD_ARGUMENT);
  assert_fails (&error, FOVEA_BAD_ARGUMENT, "separator", "';'");
  g_assert_cmpint (fovea_table_save (table, "/nowhere/x.csv", NULL, &error), ==, FOVEA_BAD_FILE);
  assert_fails (&error, FOVEA_BAD_FILE, "", "/nowhere");
  fovea_table_free (table);
  fovea_run_free (run);
  fovea_image_free (image);
}

static void
assert_no_image (const DLTensor *tensor, const fovea_image_info *info, fovea_code code, const char *field,
                 const char *says)
{
  fovea_error *error = NULL;
  g_assert_null (fovea_image_from_dlpack (context, tensor, info, &error));
  assert_fails (&error, code, field, says);
}

static void
test_wrong_tensors (void)
{
  int32_t pixels[] = {0, 1, 2, -3};
  int64_t shape[] = {2, 2, 1, 1, 1, 1}, empty[] = {2, 0}, huge[] = {INT64_MAX, INT64_MAX, INT64_MAX};
  const DLTensor good = tensor_of (pixels, kDLInt, 32, 2, shape);
  fovea_image_info info = {.size = sizeof info};
  DLTensor wrong = good;
  wrong.device.device_type = kDLCUDA;
  assert_no_image (&wrong, NULL, FOVEA_BAD_ARGUMENT, "pixels", "host memory");
  wrong = tensor_of (NULL, kDLInt, 32, 2, shape);
  assert_no_image (&wrong, NULL, FOVEA_BAD_ARGUMENT, "pixels", "NULL");
  wrong = tensor_of (pixels, kDLInt, 32, 1, shape);
  assert_no_image (&wrong, NULL, FOVEA_BAD_ARGUMENT, "pixels", "1 dimensions");
  wrong = tensor_of (pixels, kDLInt, 32, 6, shape);
  assert_no_image (&wrong, NULL, FOVEA_BAD_ARGUMENT, "pixels", "6 dimensions");
  wrong = tensor_of (pixels, kDLInt, 64, 2, shape);
  assert_no_image (&wrong, NULL, FOVEA_BAD_ARGUMENT, "pixels", "64 bits");
  wrong = tensor_of (pixels, kDLInt, 32, 2, empty);
  assert_no_image (&wrong, NULL, FOVEA_BAD_INPUT, "", "impossible size");
  wrong = tensor_of (pixels, kDLInt, 32, 3, huge);
  assert_no_image (&wrong, NULL, FOVEA_BAD_INPUT, "", "impossible size");
  info.role = FOVEA_LABELS;
  assert_no_image (&good, &info, FOVEA_BAD_INPUT, "pixels", "pixel 3 is -3");
  info.role = FOVEA_MASK;
  assert_no_image (&good, &info, FOVEA_BAD_ARGUMENT, "role", "mask");
  info.role = FOVEA_RGB;
  assert_no_image (&good, &info, FOVEA_BAD_ARGUMENT, "role", "RGB");
  info.role = (fovea_role) 9;
  assert_no_image (&good, &info, FOVEA_BAD_ARGUMENT, "role", "FOVEA_IMAGE");
  info = (fovea_image_info){.size = 4};
  assert_no_image (&good, &info, FOVEA_BAD_ARGUMENT, "info", "4");
}

/* ---- What is right ---- */

/* Every other pixel of every row but the first, from the right to the left: strides and an offset. */
static void
test_strides (void)
{
  float pixels[3][6];
  int64_t shape[] = {2, 3}, strides[] = {6, -2};
  DLTensor tensor = tensor_of (pixels, kDLFloat, 32, 2, shape);
  const fovea_image_info info = {.size = sizeof info, .spacing = {0, 0.5, NAN}, .unit = {NULL, "um"}, .name = "mine"};
  fovea_image_info got = {.size = sizeof got};
  for (int i = 0; i < 18; i++)
    pixels[i / 6][i % 6] = (float) i;
  tensor.strides = strides;
  tensor.byte_offset = 11 * sizeof (float);
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, &info, NULL);
  g_assert_nonnull (image);
  memset (pixels, 0, sizeof pixels); /* it has a copy */
  DLManagedTensor *out = fovea_image_to_dlpack (image, NULL);
  const float *values = out->dl_tensor.data, wanted[] = {11, 9, 7, 17, 15, 13};
  g_assert_cmpmem (values, sizeof wanted, wanted, sizeof wanted);
  const int64_t out_shape[] = {1, 1, 1, 2, 3}, out_strides[] = {6, 6, 6, 3, 1};
  g_assert_cmpmem (out->dl_tensor.shape, sizeof out_shape, out_shape, sizeof out_shape);
  g_assert_cmpmem (out->dl_tensor.strides, sizeof out_strides, out_strides, sizeof out_strides);
  g_assert_cmpint (fovea_image_get_info (image, &got, NULL), ==, FOVEA_OK);
  g_assert_cmpfloat (got.spacing[0], ==, 1);
  g_assert_cmpfloat (got.spacing[1], ==, 0.5);
  g_assert_cmpfloat (got.spacing[2], ==, 1);
  g_assert_cmpstr (got.unit[1], ==, "um");
  g_assert_cmpstr (got.name, ==, "mine");
  g_assert_cmpint (got.type.code, ==, kDLFloat);
  g_assert_cmpint (got.type.bits, ==, 32);
  /* No copy: the second tensor is the same memory. */
  DLManagedTensor *again = fovea_image_to_dlpack (image, NULL);
  g_assert_true (again->dl_tensor.data == out->dl_tensor.data);
  again->deleter (again);
  out->deleter (out);
  fovea_image_free (image);
}

/* Pixels that a program lends, and how often they were given back. */
typedef struct {
  _Alignas(64) int32_t pixels[2][4][16];
  DLManagedTensor managed;
  int64_t shape[3], strides[3];
  int given_back;
} Lent;

static void
count_back (DLManagedTensor *managed)
{
  Lent *lent = managed->manager_ctx;
  lent->given_back++;
}

static void
lend (Lent *lent, int64_t row_step)
{
  *lent = (Lent){.shape = {2, 4, 16}, .strides = {64, row_step, 1}, .pixels = {{{0, 7}}}};
  lent->managed = (DLManagedTensor){tensor_of (lent->pixels, kDLInt, 32, 3, lent->shape), lent, count_back};
  lent->managed.dl_tensor.strides = lent->strides;
}

static fovea_image *
borrow (Lent *lent)
{
  fovea_error *error = NULL;
  fovea_image *image = fovea_image_borrow_dlpack (context, &lent->managed, NULL, &error);
  assert_good (error);
  return image;
}

static gboolean
is_in (const fovea_image *image, const void *pixels)
{
  DLManagedTensor *out = fovea_image_to_dlpack (image, NULL);
  gboolean in = out->dl_tensor.data == pixels;
  out->deleter (out);
  return in;
}

/* Where they lie as an image's do they are the image's, as long as anything that came of it needs them. */
static void
test_lent (void)
{
  Lent lent;
  lend (&lent, 16);
  fovea_image *image = borrow (&lent);
  g_assert_true (is_in (image, lent.pixels));
  fovea_run *run = run_of ("label", image);
  fovea_image_free (image);
  execute (run);
  fovea_image *labels = fovea_run_image (run, NULL, NULL);
  DLManagedTensor *out = fovea_image_to_dlpack (labels, NULL);
  g_assert_cmpint (((int32_t *) out->dl_tensor.data)[1], ==, 1);
  g_assert_cmpint (lent.given_back, ==, 0);
  fovea_run_free (run);
  g_assert_cmpint (lent.given_back, ==, 1);
  fovea_image_free (labels);
  out->deleter (out);
  g_assert_cmpint (lent.given_back, ==, 1);
}

/* The first pixel may lie at any multiple of a pixel's bytes. */
static void
test_lent_anywhere (void)
{
  for (uint64_t offset = 4; offset < 64; offset += 4) {
    Lent lent;
    lend (&lent, 16);
    lent.shape[0] = 1; /* the second plane is behind it */
    lent.managed.dl_tensor.byte_offset = offset;
    lent.pixels[0][0][offset / 4] = 7;
    fovea_image *image = borrow (&lent);
    g_assert_true (is_in (image, &lent.pixels[0][0][offset / 4]));
    g_assert_cmpint (lent.given_back, ==, 0);
    fovea_image_free (image);
    g_assert_cmpint (lent.given_back, ==, 1);
  }
}

/* Others are copied and given back at once. */
static void
test_lent_badly (void)
{
  Lent lent;
  lend (&lent, 16);
  lent.managed.dl_tensor.byte_offset = 2; /* between two multiples of 4 */
  lent.shape[0] = 1;                      /* for what lies behind */
  fovea_image *image = borrow (&lent);
  g_assert_cmpint (lent.given_back, ==, 1);
  g_assert_false (is_in (image, (char *) lent.pixels + 2));
  fovea_image_free (image);
  lend (&lent, 16);
  lent.shape[2] = 8; /* of 16 that are there */
  image = borrow (&lent);
  g_assert_cmpint (lent.given_back, ==, 1);
  fovea_image_free (image);
  lend (&lent, 1);
  lent.shape[1] = 1; /* one row needs no step */
  lent.strides[0] = 16;
  image = borrow (&lent);
  g_assert_true (is_in (image, lent.pixels));
  fovea_image_free (image);
  g_assert_cmpint (lent.given_back, ==, 1);
  lend (&lent, 16);
  lent.managed.deleter = NULL; /* no callback */
  fovea_image_free (borrow (&lent));
}

/* What no image is made of stays the program's. */
static void
test_lent_for_nothing (void)
{
  Lent lent;
  fovea_image_info info = {.size = sizeof info, .role = FOVEA_LABELS};
  fovea_error *error = NULL;
  for (int good = 0; good < 2; good++) {
    lend (&lent, good ? 16 : 1);
    lent.pixels[0][0][1] = -7;
    g_assert_null (fovea_image_borrow_dlpack (context, &lent.managed, &info, &error));
    assert_fails (&error, FOVEA_BAD_INPUT, "pixels", "pixel 1 is -7");
    g_assert_cmpint (lent.given_back, ==, 0);
  }
}

/* All types of pixels go in and come out as they are. */
static void
test_pixel_types (void)
{
  static const DLDataType types[] = {{kDLUInt, 8, 1},   {kDLUInt, 16, 1},  {kDLUInt, 32, 1},
                                     {kDLInt, 8, 1},    {kDLInt, 16, 1},   {kDLInt, 32, 1},
                                     {kDLFloat, 16, 1}, {kDLFloat, 32, 1}, {kDLFloat, 64, 1}};
  const double noise[6] = {1.5, -2, 3e5, 0, 1e-3, -7};
  int64_t shape[] = {2, 3};
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    DLTensor tensor = tensor_of ((void *) noise, types[i].code, types[i].bits, 2, shape);
    fovea_image_info got = {.size = sizeof got};
    fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
    g_assert_cmpint (fovea_image_get_info (image, &got, NULL), ==, FOVEA_OK);
    g_assert_cmpmem (&got.type, sizeof got.type, &types[i], sizeof types[i]);
    DLManagedTensor *out = fovea_image_to_dlpack (image, NULL);
    g_assert_cmpmem (&out->dl_tensor.dtype, sizeof types[i], &types[i], sizeof types[i]);
    g_assert_cmpmem (out->dl_tensor.data, 6u * types[i].bits / 8, noise, 6u * types[i].bits / 8);
    out->deleter (out);
    fovea_image_free (image);
  }
}

/* A square of 16 pixels at (5, 3) is one object: all in the table. */
static void
test_table (void)
{
  fovea_image *image = image_with_square (32);
  fovea_run *run = run_of ("otsu as=mask | label | regionprops properties=area,bbox as=cells", image);
  execute (run);
  fovea_table *table = fovea_run_table (run, NULL, NULL);
  fovea_run_free (run);
  fovea_image_free (image);
  g_assert_cmpint (fovea_table_rows (table), ==, 1);
  guint found = 0;
  for (unsigned j = 0; j < fovea_table_columns (table); j++)
    if (!strcmp (fovea_table_name (table, j), "area")) {
      found++;
      g_assert_cmpfloat (fovea_table_numbers (table, j)[0], ==, 16);
      g_assert_null (fovea_table_text (table, j, 0));
      g_assert_nonnull (fovea_table_unit (table, j));
      g_assert_nonnull (fovea_table_help (table, j));
    }
  g_assert_cmpuint (found, ==, 1);
  g_assert_null (fovea_table_name (table, 999));
  g_assert_null (fovea_table_numbers (table, 999));
  g_assert_null (fovea_table_text (table, 999, 0));
  fovea_table_free (table);
}

/* Of the test plugin, whose table says of each plane how many pixels are bright. */
static void
test_texts (void)
{
  uint8_t pixels[2][8] = {{9, 9, 9}, {0}};
  int64_t shape[] = {2, 1, 8};
  DLTensor tensor = tensor_of (pixels, kDLUInt, 8, 3, shape);
  fovea_image *image = fovea_image_from_dlpack (context, &tensor, NULL, NULL);
  fovea_run *run = run_of ("grade level=5", image);
  execute (run);
  fovea_table *table = fovea_run_table (run, NULL, NULL);
  g_assert_cmpint (fovea_table_rows (table), ==, 2);
  g_assert_cmpstr (fovea_table_name (table, 1), ==, "grade");
  g_assert_cmpstr (fovea_table_text (table, 1, 0), ==, "grade 3, \"few\"; µ");
  g_assert_null (fovea_table_text (table, 1, 1)); /* it is missing */
  g_assert_null (fovea_table_text (table, 1, 2));
  g_assert_null (fovea_table_text (table, 1, -1));
  g_assert_null (fovea_table_numbers (table, 1));
  g_assert_cmpfloat (fovea_table_numbers (table, 2)[0], ==, 3);
  g_assert_cmpstr (fovea_table_unit (table, 2), ==, "px");
  g_assert_cmpstr (fovea_table_help (table, 2), ==, "Bright pixels.");
  fovea_table_free (table);
  fovea_run_free (run);
  fovea_image_free (image);
}

static void
test_recipe (void)
{
  fovea_recipe *recipe = fovea_recipe_parse (context, "gaussian sigma=1 | otsu", NULL);
  fovea_recipe *changed = fovea_recipe_with (recipe, 0, "sigma", "2.5", NULL);
  g_assert_cmpuint (fovea_recipe_length (recipe), ==, 2);
  g_assert_cmpstr (fovea_recipe_text (recipe), ==, "gaussian sigma=1 | otsu");
  fovea_recipe_free (recipe);
  g_assert_cmpstr (fovea_recipe_text (changed), ==, "gaussian sigma=2.5 | otsu");
  fovea_recipe_free (changed);
}

/* Freed from the bottom to the top, with pixels that are used last. */
static void
test_tensor_outlives (void)
{
  fovea_context *own = fovea_context_new (FOVEA_NO_PLUGINS, NULL), *before = context;
  context = own;
  fovea_image *image = image_with_square (64), *mask;
  fovea_run *run = run_of ("otsu as=mask | erosion", image);
  execute (run);
  mask = fovea_run_image (run, "mask", NULL);
  DLManagedTensor *tensor = fovea_image_to_dlpack (mask, NULL);
  fovea_context_free (own);
  fovea_image_free (image);
  fovea_image_free (mask);
  fovea_run_free (run);
  context = before;
  const uint8_t *pixels = tensor->dl_tensor.data;
  guint inside = 0;
  for (int i = 0; i < 64 * 64; i++)
    inside += pixels[i] == 255;
  g_assert_cmpuint (inside, ==, 16);
  tensor->deleter (tensor);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/library/null", test_null);
  g_test_add_func ("/library/null-objects", test_null_objects);
  g_test_add_func ("/library/wrong", test_wrong);
  g_test_add_func ("/library/wrong-runs", test_wrong_runs);
  g_test_add_func ("/library/wrong-tensors", test_wrong_tensors);
  g_test_add_func ("/library/strides", test_strides);
  g_test_add_func ("/library/lent", test_lent);
  g_test_add_func ("/library/lent-badly", test_lent_badly);
  g_test_add_func ("/library/lent-anywhere", test_lent_anywhere);
  g_test_add_func ("/library/lent-for-nothing", test_lent_for_nothing);
  g_test_add_func ("/library/pixel-types", test_pixel_types);
  g_test_add_func ("/library/table", test_table);
  g_test_add_func ("/library/texts", test_texts);
  g_test_add_func ("/library/recipe", test_recipe);
  g_test_add_func ("/library/tensor-outlives", test_tensor_outlives);
  return run_tests ();
}
