/* SPDX-License-Identifier: MIT
 *
 * What a step made on a device with memory of its own is drawn there: the picture is that of `display`, and it alone comes to the
 * host.
 */
#include "core/base/error.h"
#include "ui/canvas/paint.h"
#include "tests/support/support.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_device_test ("/paint/made-on-device", test_made_on_device);
  return g_test_run ();
}
