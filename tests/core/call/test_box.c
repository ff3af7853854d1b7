/* SPDX-License-Identifier: MIT
 *
 * Steps that take a box or some planes of an image of a file read these and nothing else, and have the pixels and planes that they have of an image
 * in memory.
 */
#include "core/base/error.h"
#include "tests/support/support.h"

typedef struct {
  ImageInfo info;
  gint64 read; /* pixels; atomic */
  gboolean fails;
} Source;

static guint8
value (gint64 plane, gint64 row, gint64 column)
{
  return (guint8) (plane * 31 + row * 7 + column * 3 + row * column % 11);
}

static gboolean
level (gpointer self, guint n, ImageLevel *level)
{
  const ImageInfo *info = &((Source *) self)->info;
  *level = (ImageLevel){info->rows, info->columns, 64, 48, FALSE};
  return n == 0;
}

static gboolean
read_region (gpointer self, guint n, gint64 plane, const ImageRegion *region, void *to, gsize stride, GError **error)
{
  Source *s = self;
  (void) n;
  __atomic_add_fetch (&s->read, region->rows * region->columns, __ATOMIC_SEQ_CST);
  if (s->fails)
    step_error_set (error, FV_BAD_INPUT, NULL, "The file is damaged.");
  for (gint64 y = 0; y < region->rows; y++)
    for (gint64 x = 0; x < region->columns; x++)
      ((guint8 *) to)[(gsize) y * stride + (gsize) x] = value (plane, region->row + y, region->column + x);
  return !s->fails;
}

static void
forget (gpointer self)
{
  (void) self;
}

static Image *
image_of_axes (Source *s, gint64 side, gint64 frames, gint64 channels, gint64 depth)
{
  static const ImageSource calls = {level, read_region, forget};
  g_autoptr (GError) error = NULL;
  *s = (Source){.info = {.type = FV_U8,
                         .frames = frames,
                         .channels = channels,
                         .depth = depth,
                         .rows = side,
                         .columns = side + 10,
                         .spacing = {1, 1, 1},
                         .name = (char *) "slide"}};
  Image *image = image_new_from_source (&s->info, &calls, s, &error);
  g_assert_no_error (error);
  return image;
}

static Image *
image_of_file (Source *s, gint64 side)
{
  return image_of_axes (s, side, 1, 3, 2);
}

/* Runs the step, and compares with the source. */
static void
check_crop (Source *s, Image *image, const char *text, const ImageRegion *box, Device *device)
{
  CallResult result;
  run_step (text, image, NULL, device, &result, NULL);
  const ImageInfo *info = image_info (result.images[0]);
  g_assert_cmpint (info->rows, ==, box->rows);
  g_assert_cmpint (info->columns, ==, box->columns);
  g_assert_cmpint (s->read, ==, 6 * box->rows * box->columns);
  for (gint64 plane = 0; plane < 6; plane++)
    for (gint64 y = 0; y < box->rows; y++)
      for (gint64 x = 0; x < box->columns; x++)
        g_assert_cmpint ((int) image_value (result.images[0], plane, y, x), ==,
                         value (plane, box->row + y, box->column + x));
  call_result_clear (&result);
}

static void
test_part (Device *device)
{
  Source s;
  g_autoptr (Image) image = image_of_file (&s, 300);
  check_crop (&s, image, "crop x=17 y=45 width=90 height=133", &(ImageRegion){45, 17, 133, 90}, device);
  g_assert_true (image_can_stream (image));
}

/* All to the right and to the lower edge. */
static void
test_edges (Device *device)
{
  Source s;
  g_autoptr (Image) image = image_of_file (&s, 100);
  check_crop (&s, image, "crop x=60 y=99", &(ImageRegion){99, 60, 1, 50}, device);
}

/* 60 GB in six planes. */
static void
test_large (Device *device)
{
  Source s;
  g_autoptr (Image) image = image_of_file (&s, 100000);
  check_crop (&s, image, "crop x=50000 y=99900 width=50 height=70", &(ImageRegion){99900, 50000, 70, 50}, device);
}

/* A step on an image of a file, of which perhaps a plane was shown before, and on the same image in memory. */
static void
check_planes (const char *text, gint64 planes, gint64 shown, Device *device)
{
  Source s, t;
  CallResult read, copied;
  g_autoptr (Image) image = image_of_axes (&s, 20, 3, 2, 5), same = image_of_axes (&t, 20, 3, 2, 5);
  g_assert_nonnull (image_on_host (same, NULL, NULL));
  g_assert_true (shown < 0 || image_plane (image, shown, NULL));
  s.read = 0;
  run_step (text, image, NULL, device, &read, NULL);
  run_step (text, same, NULL, device, &copied, NULL);
  const ImageInfo *info = image_info (read.images[0]), *wanted = image_info (copied.images[0]);
  g_assert_cmpint (s.read, ==, planes * info->rows * info->columns);
  g_assert_cmpint (info->frames, ==, wanted->frames);
  g_assert_cmpint (info->channels, ==, wanted->channels);
  g_assert_cmpint (info->depth, ==, wanted->depth);
  g_assert_cmpfloat (info->spacing[0], ==, wanted->spacing[0]);
  for (gint64 plane = 0; plane < image_info_planes (info); plane++)
    for (gint64 y = 0; y < info->rows; y++)
      for (gint64 x = 0; x < info->columns; x++)
        g_assert_cmpint ((int) image_value (read.images[0], plane, y, x), ==,
                         (int) image_value (copied.images[0], plane, y, x));
  call_result_clear (&read);
  call_result_clear (&copied);
}

/* 3 frames of 2 channels of 5 slices. */
static void
test_planes (Device *device)
{
  static const struct {
    const char *step;
    gint64 planes;
  } cases[] = {{"substack slices=1,3,5", 18},
               {"substack slices=1-5-2 channels=2", 9},
               {"substack slices=4-2 channels=2,1 frames=3,1", 12},
               {"substack frames=2", 10},
               {"substack slices=2,2 frames=3", 4},
               {"channel index=1", 15},
               {"crop x=3 y=4 width=7 height=5", 30}};
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_planes (cases[i].step, cases[i].planes, -1, device);
}

/* The window has read the plane that it shows: frame 2, channel 2, slice 1. */
static void
test_shown (Device *device)
{
  check_planes ("substack slices=1,3", 11, 15, device);
  check_planes ("channel index=1", 14, 15, device);
  check_planes ("channel index=0", 15, 15, device);
}

/* What does not exist is refused before anything is read. */
static void
test_refused (Device *device)
{
  Source s;
  CallResult result;
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = image_of_axes (&s, 20, 3, 2, 5);
  g_assert_false (run_step ("substack slices=4-6", image, NULL, device, &result, &error));
  g_assert_nonnull (strstr (error->message, "Number 6 does not exist: the image has 5 slices."));
  g_assert_cmpint (s.read, ==, 0);
}

/* What is in memory is not read again. */
static void
test_memory (Device *device)
{
  Source s;
  CallResult result;
  g_autoptr (Image) image = image_of_file (&s, 100);
  g_assert_nonnull (image_on_host (image, NULL, NULL));
  const gint64 before = s.read;
  run_step ("crop x=5 y=6 width=7 height=8", image, NULL, device, &result, NULL);
  g_assert_cmpint (s.read, ==, before);
  g_assert_cmpint ((int) image_value (result.images[0], 4, 2, 3), ==, value (4, 8, 8));
  call_result_clear (&result);
}

static void
test_damaged (Device *device)
{
  Source s;
  CallResult result;
  g_autoptr (GError) error = NULL;
  g_autoptr (Image) image = image_of_file (&s, 100);
  s.fails = TRUE;
  g_assert_false (run_step ("crop width=7 height=8", image, NULL, device, &result, &error));
  g_assert_nonnull (strstr (error->message, "The file is damaged."));
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/box/part", test_part);
  add_device_test ("/box/edges", test_edges);
  add_device_test ("/box/large", test_large);
  add_device_test ("/box/planes", test_planes);
  add_device_test ("/box/shown", test_shown);
  add_device_test ("/box/refused", test_refused);
  add_device_test ("/box/memory", test_memory);
  add_device_test ("/box/damaged", test_damaged);
  return g_test_run ();
}
