/* SPDX-License-Identifier: MIT
 *
 * What a step made on a device with memory of its own is drawn there: the picture is that of `display`, and it alone comes to the
 * host.
 */
#include "core/base/error.h"
#include "ui/canvas/paint.h"
#include "ui/canvas/pick.h"
#include "tests/support/support.h"

#include <math.h>

enum { WIDTH = 100, HEIGHT = 80 };

static void
on_ready (gpointer data, Paint *paint, const GError *error)
{
  Paint **got = data;
  g_assert_no_error (error);
  paint_free (*got);
  *got = paint;
}

static void
wait_for_results (Document *document)
{
  while (document_busy (document))
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (document_error (document, &(guint){0}));
}

/* Red and blue change places. */
static void
assert_same_picture (const Paint *paint, Image *expected)
{
  const guchar *a = cairo_image_surface_get_data (paint->surface), *b = image_plane (expected, 0, NULL);
  int differ = 0;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    differ += a[4 * i] != b[4 * i + 2] || a[4 * i + 1] != b[4 * i + 1] || a[4 * i + 2] != b[4 * i];
  g_assert_cmpint (differ, ==, 0);
}

static void
wait_for_picture (Paint **got)
{
  while (!*got)
    g_main_context_iteration (NULL, TRUE);
}

static void
check_picture (View *view, Painter *painter, Paint **got, Device *device, double zoom)
{
  PaintArea area = {10.5, -3, zoom, WIDTH, HEIGHT};
  guint64 downloaded = device->downloaded;
  g_autofree char *step =
    g_strdup_printf ("display mode=single z=%d x=10.5 y=-3 zoom=%g width=%d height=%d overlay_alpha=0.5 "
                     "overlay_mode=outline",
                     (int) view_slice (view), zoom, WIDTH, HEIGHT);
  CallResult expected = {0};
  g_clear_pointer (got, paint_free);
  painter_ask (painter, view, &area);
  wait_for_picture (got);
  g_assert_cmpuint (device->downloaded - downloaded, ==, WIDTH * HEIGHT * 4);
  run_step (step, view_image (view), view_labels (view), device, &expected, NULL);
  assert_same_picture (*got, expected.images[0]);
  call_result_clear (&expected);
}

static void
draw_made_on_device (Device *device, fv_type type)
{
  g_autoptr (Image) source = image_random (type, FV_IMAGE, 1, 3, 121, 203, 7);
  Worker *worker = worker_new ();
  gboolean discrete = device->discrete;
  Paint *got = NULL;
  device->discrete = TRUE;
  {
    g_autoptr (Document) document = document_new (test_modules (), worker, source, NULL);
    g_autoptr (View) view = view_new (document);
    Painter *painter = painter_new (test_modules (), on_ready, &got);
    document_set_device (document, device->fv->key);
    g_assert_true (document_set_steps (document, "gaussian sigma=2 | otsu | label", NULL, NULL));
    wait_for_results (document);
    view_set_overlay (view, 0.5);
    view_set_place (view, 0);
    for (int slice = 0; slice < 3; slice += 2) {
      view_set_position (view, 0, slice, 0);
      g_assert_true (image_device (view_image (view)) == device && image_device (view_labels (view)) == device);
      check_picture (view, painter, &got, device, 0.37);
      check_picture (view, painter, &got, device, 3);
    }
    g_clear_pointer (&got, paint_free);
    painter_ask (painter, view, &(PaintArea){0, 0, 1, WIDTH, HEIGHT});
    worker_cancel (worker); /* what was to be drawn between the steps is drawn all the same */
    wait_for_picture (&got);
    g_clear_pointer (&got, paint_free);
    g_object_unref (painter);
  }
  worker_free (worker);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  device->discrete = discrete;
}

/* `display` finds the limits of 16 bits; those of 8 bits are known. */
static void
test_made_on_device (Device *device)
{
  draw_made_on_device (device, FV_U16);
  draw_made_on_device (device, FV_U8);
}

/* A pixel is brought for a click, and for the outline what is around the object, by where the table says that it is. */
static void
test_pick (Device *device)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 701, 809, 7);
  Worker *worker = worker_new ();
  gboolean discrete = device->discrete;
  Paint *got = NULL;
  device->discrete = TRUE;
  {
    g_autoptr (Document) document = document_new (test_modules (), worker, source, NULL);
    g_autoptr (View) view = view_new (document);
    Painter *painter = painter_new (test_modules (), on_ready, &got);
    document_set_device (document, device->fv->key);
    g_assert_true (document_set_steps (
      document, "gaussian sigma=4 | otsu | label | regionprops properties=label,centroid,area", NULL, NULL));
    wait_for_results (document);
    view_set_overlay (view, 0);
    view_set_place (view, 0);
    Table *table = run_last_table (document_run (document));
    const double *areas = table_find (table, "area")->values;
    gint64 row = 0; /* a small one; the largest may be all over the image */
    for (gint64 i = 0; i < table_rows (table); i++)
      row = areas[i] < areas[row] ? i : row;
    const int label = (int) table_find (table, "label")->values[row];
    const double y = round (table_find (table, "centroid-0")->values[row]);
    const double x = round (table_find (table, "centroid-1")->values[row]);
    guint64 before = device->downloaded;
    pick_object (view, worker, (gint64) x, (gint64) y);
    for (gint64 end = g_get_monotonic_time () + 500 * 1000; !view_object (view) && g_get_monotonic_time () < end;)
      g_main_context_iteration (NULL, FALSE);
    g_assert_cmpuint (device->downloaded - before, ==, 4);
    view_set_object (view, label);
    before = device->downloaded;
    painter_ask (painter, view, &(PaintArea){0, 0, 1, WIDTH, HEIGHT});
    wait_for_picture (&got);
    g_assert_cmpint (got->object, ==, label);
    g_assert_true (got->box.origin.x <= x && x <= got->box.origin.x + got->box.size.width);
    g_assert_true (got->box.origin.y <= y && y <= got->box.origin.y + got->box.size.height);
    g_assert_cmpuint (device->downloaded - before, <, WIDTH * HEIGHT * 4 + 100000);
    g_clear_pointer (&got, paint_free);
    g_object_unref (painter);
  }
  worker_free (worker);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  device->discrete = discrete;
}

/* A file with a pyramid. */
enum { SIDE = 3000 };

static gboolean
large_level (gpointer self, guint n, ImageLevel *level)
{
  (void) self;
  *level = (ImageLevel){SIDE >> n, SIDE >> n, 256, 256, FALSE};
  return n < 3;
}

static gboolean
large_read (gpointer self, guint level, gint64 plane, const ImageRegion *r, void *to, gsize stride, GError **error)
{
  (void) self, (void) plane, (void) error;
  for (gint64 y = 0; y < r->rows; y++)
    for (gint64 x = 0; x < r->columns; x++) {
      gint64 row = (r->row + y) << level, column = (r->column + x) << level;
      ((guint8 *) to)[(gsize) y * stride + (gsize) x] =
        (guint8) ((row / 23 + column / 31) % 3 == 0 ? 200 - row % 23 : column % 31);
    }
  return TRUE;
}

static void
large_free (gpointer self)
{
  (void) self;
}

/* What is drawn of it part by part, with outlines, is what `display` makes of the whole. */
static void
test_parts (void)
{
  static const ImageSource functions = {large_level, large_read, large_free};
  const ImageInfo info = {
    .type = FV_U8, .role = FV_IMAGE, .frames = 1, .channels = 1, .depth = 1, .rows = SIDE, .columns = SIDE};
  static const double places[][3] = {{10.5, -3, 1}, {1490.25, 1017, 3}, {2950, 2955, 0.75}, {700, 300, 8}};
  g_autoptr (Image) source = image_new_from_source (&info, &functions, (gpointer) &info, NULL);
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  Worker *worker = worker_new ();
  Paint *got = NULL;
  {
    g_autoptr (Document) document = document_new (test_modules (), worker, source, NULL);
    g_autoptr (View) view = view_new (document);
    Painter *painter = painter_new (test_modules (), on_ready, &got);
    document_set_device (document, "cpu");
    g_assert_true (document_set_steps (document, "otsu as=mask | label", NULL, NULL));
    wait_for_results (document);
    view_set_overlay (view, 0.5);
    view_set_place (view, -1);
    g_assert_true (view_image (view) == source && view_labels (view));
    for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
      const double *at = places[i];
      g_autofree char *step =
        g_strdup_printf ("display mode=single x=%g y=%g zoom=%g width=%d height=%d overlay_alpha=0.5 "
                         "overlay_mode=outline",
                         at[0], at[1], at[2], WIDTH, HEIGHT);
      CallResult expected = {0};
      g_clear_pointer (&got, paint_free);
      painter_ask (painter, view, &(PaintArea){at[0], at[1], at[2], WIDTH, HEIGHT});
      while (!got || !painter_idle (painter))
        g_main_context_iteration (NULL, TRUE);
      run_step (step, source, view_labels (view), cpu, &expected, NULL);
      assert_same_picture (got, expected.images[0]);
      call_result_clear (&expected);
    }
    g_clear_pointer (&got, paint_free);
    g_object_unref (painter);
  }
  worker_free (worker);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_device_test ("/paint/made-on-device", test_made_on_device);
  add_device_test ("/paint/pick", test_pick);
  g_test_add_func ("/paint/parts", test_parts);
  return g_test_run ();
}
