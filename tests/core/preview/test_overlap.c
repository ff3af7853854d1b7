/* SPDX-License-Identifier: MIT
 *
 * Copies that go on beside the work of a GPU. The CPU acts as a device that copies as late as it may and reads the source only then. Pixels used,
 * freed or changed too early are poison or end the program.
 */
#include "core/base/error.h"
#include "core/preview/preview.h"
#include "tests/support/support.h"

#include <string.h>

enum { ROWS = 3001, COLUMNS = 4100 }; /* worth it to go piece by piece */

static const char workflow[] = "gaussian sigma=1 as=smooth | otsu | erosion as=mask | label as=cells | label2rgb | "
                               "regionprops from=cells intensity=source properties=label,area,intensity_mean";

/* All operations run on the GPU that poses. */
static Modules *
posing_modules (void)
{
  static Modules *modules;
  g_autofree char *kernels = g_build_filename (g_getenv ("FOVEA_BUILD"), "plugin", "fovea-kernels.so", NULL),
                  *posing = g_build_filename (g_getenv ("FOVEA_BUILD"), "tests", "posing", "posing.so", NULL);
  g_autoptr (GError) error = NULL;
  if (modules)
    return modules;
  modules = modules_new_empty ();
  g_assert_true (modules_load (modules, kernels, &error) && modules_load (modules, posing, &error));
  for (guint i = 0; i < modules_ops (modules)->len; i++) {
    fv_op *op = &((Op *) modules_ops (modules)->pdata[i])->fv;
    op->run[FV_DEVICE_KINDS - 1] = op->run[FV_CPU];
  }
  modules_find_devices (modules);
  return modules;
}

static Device *
gpu (void)
{
  GError *error = NULL;
  Device *device = modules_device (posing_modules (), "pose:0", &error);
  g_assert_no_error (error);
  return device;
}

static Run *
new_run (const char *steps, Image *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (posing_modules (), steps, &error);
  g_assert_no_error (error);
  return run_new (recipe, source, RUN_KEEP_ALL);
}

static void
execute (Run *run, Device *device)
{
  GError *error = NULL;
  run_execute (run, device, NULL, &error);
  g_assert_no_error (error);
}

/* All that the steps make on the GPU is what they make on the CPU. */
static void
compare (const char *steps, Image *source, Device *device)
{
  Device *cpu = modules_device (posing_modules (), "cpu", NULL);
  g_autoptr (Run) here = new_run (steps, source), there = new_run (steps, source);
  run_fetch_last (there);
  execute (here, cpu);
  execute (there, device);
  for (guint i = 0; i < run_length (here); i++) {
    const CallResult *a = &run_result (here, i)->result, *b = &run_result (there, i)->result;
    for (guint k = 0; k < a->n_images; k++)
      assert_images_equal (a->images[k], b->images[k]);
    g_assert_cmpint (a->scalar_rows, ==, b->scalar_rows);
    g_assert_true (!a->table == !b->table && (!a->table || table_rows (a->table) == table_rows (b->table)));
    for (guint j = 0; a->table && j < table_columns (a->table); j++)
      for (gint64 y = 0; y < table_rows (a->table); y++)
        g_assert_cmpfloat (table_value (a->table, j, y), ==, table_value (b->table, j, y));
  }
}

static void
test_workflow (void)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 1, 300, 200, 5);
  compare (workflow, source, gpu ());
}

/* An operation begins before its input has come. */
static void
test_rows (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 5),
                    few = image_random (FV_U8, FV_IMAGE, 1, 1, 40, 50, 6);
  g_autoptr (Run) run = new_run ("pose_rows", source), again = new_run ("pose_rows", source),
                  small = new_run ("pose_rows", few);
  Device *device = gpu ();
  guint64 uploaded = device->uploaded;
  execute (run, device);
  g_assert_cmpfloat (run_result (run, 0)->result.scalars[0], >, 1);
  g_assert_cmpuint (device->uploaded - uploaded, ==, image_bytes (source));
  execute (again, device); /* it is there now */
  g_assert_cmpfloat (run_result (again, 0)->result.scalars[0], ==, 1);
  g_assert_cmpuint (device->uploaded - uploaded, ==, image_bytes (source));
  execute (small, device); /* not worth it */
  g_assert_cmpfloat (run_result (small, 0)->result.scalars[0], ==, 1);
  compare ("pose_rows", source, device);
}

/* The last image is on its way when the run is over; each byte goes once. */
static void
test_home (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 8);
  g_autoptr (Run) run = new_run ("pose | pose_rows", source), stays = new_run ("pose | pose_rows", source);
  Device *device = gpu ();
  guint64 before = device->downloaded;
  execute (stays, device);
  g_assert_cmpuint (device->downloaded - before, ==, sizeof (double)); /* the scalar alone */
  run_fetch_last (run);
  before = device->downloaded;
  execute (run, device);
  g_assert_cmpuint (device->downloaded - before, ==, image_bytes (source) + sizeof (double));
  assert_images_equal (run_last_image (run), source); /* turned twice */
  g_assert_cmpuint (device->downloaded - before, ==, image_bytes (source) + sizeof (double));
}

/* A part of what is on the GPU alone comes by itself. */
static void
test_region (void)
{
  const ImageRegion region = {3, 5, 20, 30};
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 2, 40, 50, 15);
  g_autoptr (Run) run = new_run ("pose", source);
  g_autoptr (GError) error = NULL;
  guint8 part[20][32];
  Device *device = gpu ();
  execute (run, device);
  guint64 before = device->downloaded;
  g_assert_true (image_read (run_last_image (run), 0, 1, &region, part, sizeof part[0], &error));
  g_assert_no_error (error);
  g_assert_cmpuint (device->downloaded - before, ==, 20 * 30);
  for (gint64 y = 0; y < 20; y++)
    for (gint64 x = 0; x < 30; x++)
      g_assert_cmpfloat (part[y][x], ==, 255 - image_value (source, 1, 3 + y, 5 + x));
}

/* What the GPU has made is seen in part once it has come: labels keep their numbers. What is on the GPU alone is made again. */
static void
test_preview (void)
{
  const PreviewArea area = {20, 20, 30, 25, 1, 0, 0};
  g_autoptr (Image) source = image_random (FV_U8, FV_MASK, 1, 1, 80, 90, 16);
  g_autoptr (Run) run = new_run ("label", source);
  execute (run, gpu ());
  for (int there = 0; there < 2; there++) {
    PreviewCache *cache = preview_cache_new ();
    g_autoptr (Preview) p = preview_make (cache, run, 0, &area, gpu (), NULL);
    Image *part = run_image (p->run, 0, 0);
    int different = 0;
    for (gint64 y = p->region.row; there && y < p->region.row + p->region.rows; y++)
      for (gint64 x = p->region.column; x < p->region.column + p->region.columns; x++)
        different +=
          image_value (part, 0, y - p->region.row, x - p->region.column) != image_value (run_last_image (run), 0, y, x);
    g_assert_cmpint (different, ==, 0);
    g_assert_cmpint (image_missing_bytes (run_last_image (run)) > 0, ==, !there);
    g_assert_nonnull (image_plane (run_last_image (run), 0, NULL));
    preview_cache_free (cache);
  }
}

/* The caller does not wait for pending copies. */
static void
test_let_go (void)
{
  Device *device = gpu ();
  gsize used = device->used;
  for (int i = 0; i < 3; i++) {
    Image *source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 9);
    Run *run = new_run (i ? "pose_rows" : "pose", source);
    run_fetch_last (run);
    if (i < 2)
      execute (run, device);
    else
      g_assert_nonnull (image_on_device (source, device, NULL, NULL)); /* arrives unused */
    run_free (run);
    image_unref (source);
  }
  g_assert_cmpuint (device->used, ==, used);
}

/* A run that is stopped between the rows leaves nothing behind, and works when it is run again. */
static void
test_stopped (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 10);
  g_autoptr (Run) run = new_run ("pose_rows", source);
  g_autoptr (GError) error = NULL;
  Device *device = gpu ();
  Progress progress = {.stop = 1};
  gsize used = device->used;
  run_fetch_last (run);
  g_assert_false (run_execute (run, device, &progress, &error));
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_CANCELLED));
  g_assert_cmpuint (device->used, ==, used);
  g_assert_false (image_is_on (source, device));
  compare ("pose_rows", source, device);
}

/* When memory is short, images leave while others are being copied. */
static void
test_little_room (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 11),
                    cells = image_random (FV_U16, FV_IMAGE, 1, 1, 300, 200, 12);
  Device *device = gpu ();
  device->limit = device->used + (gsize) (2.5 * (double) image_bytes (source));
  compare ("pose_rows as=a | pose_rows as=b | pose as=c | pose_rows from=a as=d | pose_rows from=c", source, device);
  device->limit = device->used + image_bytes (source) / 2; /* not even one: part by part, or where it lies */
  compare ("pose as=a | pose", source, device);
  compare ("pose_rows as=a | pose_rows", source, device);
  device->limit = device->used + 7 * image_bytes (cells);
  compare (workflow, cells, device);
  device->limit = 0;
}

/* A GPU of which an older plugin does not say that it can copy beside its work. */
static void
test_older (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 13);
  fv_device old = *gpu ()->fv;
  old.size = offsetof (fv_device, stream_wait);
  Device *device = device_new (&old);
  g_assert_true (device_ready (device, old.key, NULL));
  g_assert_true (device->up == device->stream && device->down == device->stream);
  compare ("pose_rows | pose", source, device);
  image_unref (g_steal_pointer (&source)); /* it has memory there */
  device_free (device);
}

/* Only who says so may ask for rows. */
static void
test_undeclared (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 40, 50, 14);
  g_autoptr (Run) run = new_run ("pose_rows", source);
  g_autoptr (GError) error = NULL;
  fv_op *op = &((Op *) modules_op (posing_modules (), "pose_rows", NULL))->fv;
  guint32 by_rows = op->by_rows;
  op->by_rows = 0;
  g_assert_false (run_execute (run, gpu (), NULL, &error));
  op->by_rows = by_rows;
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_UNSUPPORTED));
  g_assert_nonnull (strstr (error->message, "requests rows"));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/overlap/workflow", test_workflow);
  g_test_add_func ("/overlap/rows", test_rows);
  g_test_add_func ("/overlap/home", test_home);
  g_test_add_func ("/overlap/region", test_region);
  g_test_add_func ("/overlap/preview", test_preview);
  g_test_add_func ("/overlap/let-go", test_let_go);
  g_test_add_func ("/overlap/stopped", test_stopped);
  g_test_add_func ("/overlap/little-room", test_little_room);
  g_test_add_func ("/overlap/older", test_older);
  g_test_add_func ("/overlap/undeclared", test_undeclared);
  return g_test_run ();
}
