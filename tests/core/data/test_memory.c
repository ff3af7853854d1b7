/* SPDX-License-Identifier: MIT
 *
 * Devices with too little memory: results are those of a device with enough, and nothing is lost when even that is impossible. The CPU acts as a
 * device with memory of its own.
 */
#include "core/base/parallel.h"
#include "core/data/device.h"
#include "core/base/error.h"
#include "tests/support/support.h"
#include "core/data/table.h"

#include <string.h>

/* Makes a device that has memory of its own and no more than `limit` bytes left of it. */
static void
limit_memory (Device *device, gsize limit)
{
  device->discrete = TRUE;
  device->limit = limit ? device->used + limit : 0;
}

static void
free_memory (Device *device)
{
  device->limit = 0;
  device->discrete = device->fv->kind != FV_CPU;
}

static gsize
image_size (Image *image)
{
  return (gsize) image_info_planes (image_info (image)) * image_info_plane_bytes (image_info (image));
}

static void
assert_tables_equal (Table *a, Table *b)
{
  g_assert_true (!a == !b);
  if (!a)
    return;
  g_assert_cmpuint (table_columns (a), ==, table_columns (b));
  g_assert_cmpint (table_rows (a), ==, table_rows (b));
  g_assert_cmpint (table_rows (a), >, 0);
  for (guint j = 0; j < table_columns (a); j++)
    for (gint64 i = 0; i < table_rows (a); i++) {
      double x = table_value (a, j, i), y = table_value (b, j, i);
      g_assert_true (x == y || (x != x && y != y));
    }
}

/* What the steps make with memory enough, and with room for `share` of the source. */
static void
check_limited (const char *text, Image *source, double share, Device *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) all = run_of (text, source), some = run_of (text, source);
  gsize used = device->used;
  g_assert_true (run_execute (all, device, NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < run_length (all); i++) /* to the host: the limit is for the others */
    for (guint k = 0; k < run_result (all, i)->result.n_images; k++)
      g_assert_nonnull (image_plane (run_result (all, i)->result.images[k], 0, &error));
  limit_memory (device, (gsize) (share * (double) image_size (source)));
  g_test_message ("%s, room for %g of the source", text, share);
  run_execute (some, device, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (device->used, <=, device->limit);
  free_memory (device);
  for (guint i = 0; i < run_length (all); i++) {
    const CallResult *a = &run_result (all, i)->result, *b = &run_result (some, i)->result;
    g_assert_cmpuint (a->n_images, ==, b->n_images);
    for (guint k = 0; k < a->n_images; k++)
      assert_images_equal (a->images[k], b->images[k]);
    assert_tables_equal (a->table, b->table);
  }
  g_clear_pointer (&all, run_free);
  g_clear_pointer (&some, run_free);
  if (device->fv->kind == FV_CPU)
    g_assert_cmpuint (device->used, <=, used + image_size (source)); /* the source stays where it was used */
}

static Image *
spots (gint64 channels, gint64 depth, gint64 rows, gint64 columns, Device *device)
{
  g_autoptr (Image) noise = image_random (FV_U16, FV_IMAGE, channels, depth, rows, columns, 11);
  CallResult result;
  Image *image;
  run_step ("gaussian sigma=3", noise, NULL, device, &result, NULL);
  image = image_ref (result.images[0]);
  g_assert_nonnull (image_plane (image, 0, NULL));
  call_result_clear (&result);
  return image;
}

/* Older images leave the device for newer ones and come back when they are needed. */
static void
test_oldest_leaves (Device *device)
{
  g_autoptr (Image) source = spots (1, 1, 500, 700, device);
  check_limited (
    "gaussian sigma=2 as=a | otsu as=b | erosion as=c | dilation as=d | label2rgb from=c overlay=a | label from=b | "
    "label2rgb overlay=source",
    source, 7, device);
}

/* Local operations go part by part. */
static void
test_parts (Device *device)
{
  static const char *const texts[] = {
    "gaussian sigma=4 border=nearest",
    "gaussian sigma=4 border=reflect",
    "gaussian sigma=4 border=mirror",
    "gaussian sigma=4 border=wrap",
    "gaussian sigma=4 border=constant",
    "gaussian sigma=9,0.5",
    "erosion footprint=disk radius=6",
    "opening footprint=square radius=3",
    "closing footprint=disk radius=2 iterations=3",
    "dilation radius=1 iterations=4",
  };
  g_autoptr (Image) plane = spots (1, 1, 701, 500, device), planes = spots (2, 30, 150, 100, device);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    check_limited (texts[i], plane, 1.2, device);
    check_limited (texts[i], planes, 0.9, device);
  }
  check_limited ("gaussian sigma=2 volume=yes", planes, 0.7, device);
}

/* Each byte of a result comes from the device once, also where the last part is smaller than the others: 31 planes and 701 rows
 * cannot be cut in equal parts. */
static void
test_parts_fetched (Device *device)
{
  /* Neither is on the device. */
  g_autoptr (Image) plane = image_random (FV_U16, FV_IMAGE, 1, 1, 701, 500, 1);
  g_autoptr (Image) planes = image_random (FV_U16, FV_IMAGE, 2, 31, 150, 100, 2);
  Image *const sources[] = {plane, planes};
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Run) run = run_of ("erosion footprint=square radius=1", sources[i]);
    guint64 before = device->downloaded;
    limit_memory (device, (gsize) (0.8 * (double) image_size (sources[i])));
    run_execute (run, device, NULL, &error);
    g_assert_no_error (error);
    free_memory (device);
    g_assert_cmpuint (device->downloaded - before, ==, image_size (sources[i]));
  }
}

/* The seams of the parts are of no consequence: everything on a device with less room than the source takes. */
static void
test_workflow (Device *device)
{
  g_autoptr (Image) source = spots (1, 1, 900, 1100, device);
  check_limited ("gaussian sigma=3 as=smooth | otsu | erosion footprint=disk radius=2 | label as=cells | "
                 "regionprops intensity=source properties=label,area,bbox,centroid,solidity,perimeter,intensity_mean,"
                 "intensity_median | label2rgb from=cells overlay=source",
                 source, 2.5, device);
}

static void
test_volume (Device *device)
{
  g_autoptr (Image) source = spots (1, 40, 90, 110, device);
  check_limited ("gaussian sigma=2 volume=yes | otsu volume=yes | label volume=yes as=cells | regionprops volume=yes "
                 "intensity=source properties=label,area,centroid,intensity_mean",
                 source, 2.5, device);
}

/* An impossible request names the required and the available size, and the program keeps working. */
static void
test_impossible (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 300, 300, 11); /* never on the device */
  g_autoptr (GError) error = NULL;
  CallResult result;
  limit_memory (device, 600);
  g_assert_false (run_step ("label", source, NULL, device, &result, &error));
  free_memory (device);
  g_test_message ("%s", error->message);
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
  g_assert_nonnull (strstr (error->message, ": it needs "));
  g_assert_nonnull (strstr (error->message, "are left"));
  g_assert_nonnull (strstr (error->message, "of the limit of"));
  g_assert_nonnull (strstr (error->message, " Fovea itself uses "));
  g_assert_true (run_step ("otsu", source, NULL, device, &result, NULL));
  call_result_clear (&result);
}

/* What is copied while the device works, in memory of both kinds, is what is copied before and after. */
static void
test_beside (Device *device)
{
  static const char text[] = "gaussian sigma=5 | otsu | erosion | label as=cells | label2rgb | regionprops from=cells "
                             "intensity=source properties=label,area,intensity_mean";
  g_autoptr (Image) noise = image_random (FV_U16, FV_IMAGE, 1, 1, 3000, 2900, 12);
  for (int near = 0; near < 2; near++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Image) source = image_new_near (image_info (noise), near ? device : NULL, &error);
    g_autoptr (Run) beside = run_of (text, source), alone = run_of (text, source);
    memcpy (image_pixels (source), image_plane (noise, 0, NULL), image_bytes (noise));
    run_fetch_last (beside);
    g_assert_true (run_execute (beside, device, NULL, &error));
    g_assert_true (run_execute (alone, device, NULL, &error)); /* the source is there */
    for (guint i = 0; i < run_length (alone); i++) {
      const CallResult *a = &run_result (alone, i)->result, *b = &run_result (beside, i)->result;
      for (guint k = 0; k < a->n_images; k++)
        assert_images_equal (a->images[k], b->images[k]);
      assert_tables_equal (a->table, b->table);
    }
  }
}

/* Blocks of ever new sizes, one after the other, in all more than there is: what was freed is not in the way of what is wanted. */
static void
test_ever_new (gconstpointer data)
{
  Device *gpu = (Device *) data;
  fv_error fault = FV_ERROR_INIT;
  int64_t unused, all;
  double sum = 0;
  g_assert_cmpint (gpu->fv->memory (gpu->fv, &unused, &all, &fault), ==, FV_OK);
  for (double share = 0.1; share < 0.85; share *= 1.3) {
    gsize bytes = (gsize) (share * (double) unused);
    void *memory;
    g_test_message ("%.1f GiB", (double) bytes / (1 << 30));
    g_assert_cmpint (device_take (gpu, bytes, &memory, &fault), ==, FV_OK);
    device_give (gpu, memory, bytes);
    sum += (double) bytes;
  }
  g_assert_cmpfloat (sum, >, 2 * (double) unused);
}

static void *
alloc (const fv_device *cpu, gsize bytes)
{
  fv_error fault = FV_ERROR_INIT;
  void *memory;
  g_assert_cmpint (cpu->host_alloc (cpu, bytes, &memory, &fault), ==, FV_OK);
  memset (memory, 7, bytes);
  return memory;
}

/* What is a little larger than what was given back takes the same block, and not that of something twice as large. */
static void
test_nearly_as_large (void)
{
  const gsize once = (gsize) 21 << 20;
  const Device *device = modules_device (test_modules (), "cpu", NULL);
  const fv_device *cpu = device->fv;
  cpu->trim (cpu);
  void *twice = alloc (cpu, 2 * once), *memory = alloc (cpu, once);
  cpu->host_free (cpu, memory);
  cpu->host_free (cpu, twice);
#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("so that use after free is seen, no block comes back");
#else
  g_assert_true (alloc (cpu, once + (once >> 5)) == memory);
  g_assert_true (alloc (cpu, 2 * once - (once >> 5)) == twice);
  cpu->host_free (cpu, memory);
  cpu->host_free (cpu, twice);
#endif
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  parallel_limit (4); /* each thread takes memory of its own, for which the limits leave no room */
  add_device_test ("/memory/oldest-leaves", test_oldest_leaves);
  add_device_test ("/memory/parts", test_parts);
  add_device_test ("/memory/parts-fetched", test_parts_fetched);
  add_device_test ("/memory/workflow", test_workflow);
  add_device_test ("/memory/volume", test_volume);
  add_device_test ("/memory/impossible", test_impossible);
  add_device_test ("/memory/beside", test_beside);
  g_test_add_func ("/memory/nearly-as-large", test_nearly_as_large);
  Device *gpu = modules_device (test_modules (), "cuda:0", NULL);
  if (gpu)
    g_test_add_data_func ("/memory/ever-new/cuda:0", gpu, test_ever_new);
  return g_test_run ();
}
