/* SPDX-License-Identifier: MIT
 *
 * What a step made on a device with memory of its own is drawn there: the picture is that of `display`, and it alone comes to the
 * host.
 */
#include "core/base/error.h"
#include "core/view/look_limits.h"
#include "core/view/shown_range.h"
#include "ui/canvas/paint_preview.h"
#include "ui/canvas/painter.h"
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

/* Swaps red and blue. */
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

/* A document of these steps on the image, computed on the device, as it is seen and drawn. */
typedef struct {
  Worker *worker;
  Document *document;
  View *view;
  Painter *painter;
  Paint *got; /* the last picture */
} Page;

static void
page_open (Page *page, Image *source, const Device *device, const char *steps)
{
  page->worker = worker_new ();
  page->document = document_new (test_modules (), page->worker, source, NULL);
  page->view = view_new (page->document);
  page->got = NULL;
  page->painter = painter_new (test_modules (), on_ready, &page->got);
  document_set_device (page->document, device->fv->key);
  g_assert_true (document_set_steps (page->document, steps, NULL, NULL));
  wait_for_results (page->document);
}

static void
page_close (Page *page)
{
  g_clear_pointer (&page->got, paint_free);
  g_object_unref (page->painter);
  g_object_unref (page->view);
  g_object_unref (page->document);
  worker_free (page->worker);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
check_picture (Page *page, Device *device, double zoom)
{
  PaintArea area = {10.5, -3, zoom, WIDTH, HEIGHT};
  const ImageInfo *info = image_info (view_image (page->view));
  Range limits;
  if (!shown_range_known (info->type, &limits)) /* once for all pictures: those of the middle slice */
    g_assert_true (look_limits (&LOOK_USUAL, view_image (page->view), info->depth / 2, &limits, NULL));
  guint64 downloaded = device->downloaded;
  g_autofree char *step =
    g_strdup_printf ("display mode=single z=%d x=10.5 y=-3 zoom=%g width=%d height=%d overlay_alpha=0.5 "
                     "overlay_mode=outline contrast='%.17g %.17g'",
                     (int) view_slice (page->view), zoom, WIDTH, HEIGHT, limits.low, limits.high);
  CallResult expected = {0};
  g_clear_pointer (&page->got, paint_free);
  painter_ask (page->painter, page->view, &area);
  wait_for_picture (&page->got);
  g_assert_cmpuint (device->downloaded - downloaded, ==, WIDTH * HEIGHT * 4);
  run_step (step, view_image (page->view), view_labels (page->view), device, &expected, NULL);
  assert_same_picture (page->got, expected.images[0]);
  call_result_clear (&expected);
}

static void
draw_made_on_device (Device *device, fv_type type)
{
  g_autoptr (Image) source = image_random (type, FV_IMAGE, 1, 3, 121, 203, 7);
  gboolean discrete = device->discrete;
  Page page;
  device->discrete = TRUE;
  page_open (&page, source, device, "gaussian sigma=2 | otsu | label");
  view_set_overlay (page.view, 0.5);
  view_set_index (page.view, 0);
  for (int slice = 0; slice < 3; slice += 2) {
    view_set_position (page.view, 0, slice, 0);
    g_assert_true (image_device (view_image (page.view)) == device && image_device (view_labels (page.view)) == device);
    check_picture (&page, device, 0.37);
    check_picture (&page, device, 3);
  }
  g_clear_pointer (&page.got, paint_free);
  painter_ask (page.painter, page.view, &(PaintArea){0, 0, 1, WIDTH, HEIGHT});
  worker_cancel (page.worker); /* what was to be drawn between the steps is drawn all the same */
  wait_for_picture (&page.got);
  page_close (&page);
  device->discrete = discrete;
}

/* The limits of 16 bits are those of the middle slice; those of 8 bits are known. */
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
  gboolean discrete = device->discrete;
  Page page;
  device->discrete = TRUE;
  page_open (&page, source, device, "gaussian sigma=4 | otsu | label | regionprops properties=label,centroid,area");
  view_set_overlay (page.view, 0);
  view_set_index (page.view, 0);
  Table *table = run_last_table (document_run (page.document));
  const double *areas = table_find (table, "area")->values;
  gint64 row = 0; /* a small one; the largest may be all over the image */
  for (gint64 i = 0; i < table_rows (table); i++)
    row = areas[i] < areas[row] ? i : row;
  const int label = (int) table_find (table, "label")->values[row];
  const double y = round (table_find (table, "centroid-0")->values[row]);
  const double x = round (table_find (table, "centroid-1")->values[row]);
  guint64 before = device->downloaded;
  pick_object (page.view, page.worker, (gint64) x, (gint64) y, FALSE);
  for (gint64 end = g_get_monotonic_time () + 500 * 1000; !view_object (page.view) && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (device->downloaded - before, ==, 4);
  view_set_object (page.view, label);
  before = device->downloaded;
  painter_ask (page.painter, page.view, &(PaintArea){0, 0, 1, WIDTH, HEIGHT});
  wait_for_picture (&page.got);
  const graphene_rect_t *box = &page.got->box;
  g_assert_cmpint (page.got->object, ==, label);
  g_assert_true (box->origin.x <= x && x <= box->origin.x + box->size.width);
  g_assert_true (box->origin.y <= y && y <= box->origin.y + box->size.height);
  g_assert_cmpuint (device->downloaded - before, <, WIDTH * HEIGHT * 4 + 100000);
  page_close (&page);
  device->discrete = discrete;
}

/* A preview that does not pay, asked for right after a picture: that one comes all the same. */
static void
test_preview_after_picture (void)
{
  const PaintArea area = {0, 0, 1, WIDTH, HEIGHT};
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 121, 203, 7);
  Worker *worker = worker_new ();
  Paint *got = NULL;
  {
    g_autoptr (Document) document = document_new (test_modules (), worker, source, NULL);
    g_autoptr (View) view = view_new (document);
    Painter *painter = painter_new (test_modules (), on_ready, &got);
    document_set_device (document, "cpu");
    g_assert_true (document_set_steps (document, "gaussian sigma=2", NULL, NULL));
    wait_for_results (document);
    g_assert_true (document_set_steps (document, "gaussian sigma=3", NULL, NULL));
    g_assert_true (document_lags (document));
    painter_ask (painter, view, &area);
    painter_ask_preview (painter, view, &area);
    while (!painter_idle (painter))
      g_main_context_iteration (NULL, TRUE);
    g_assert_nonnull (got);
    paint_free (got);
    g_object_unref (painter);
    wait_for_results (document);
  }
  worker_free (worker);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* A preview of a stack is of the slice and frame that are looked at: each plane has a value of its own. */
static void
test_preview_of_a_slice (void)
{
  enum { DEPTH = 5, ROWS = 61, COLUMNS = 83, SLICE = 3 };
  g_autofree double *values = g_new (double, DEPTH *ROWS *COLUMNS);
  for (int i = 0; i < DEPTH * ROWS * COLUMNS; i++)
    values[i] = 10 * (i / (ROWS * COLUMNS));
  g_autoptr (Image) source = image_of_planes (FV_U8, FV_IMAGE, 1, DEPTH, ROWS, COLUMNS, values);
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  Page page;
  page_open (&page, source, cpu, "gaussian sigma=1");
  view_set_position (page.view, 0, SLICE, 0);
  g_assert_true (document_set_steps (page.document, "gaussian sigma=2", NULL, NULL));
  PaintPreview *preview = paint_preview_new (page.view);
  PreviewCache *cache = preview_cache_new ();
  PaintPart part = {NULL};
  preview->late = TRUE;
  g_assert_true (paint_preview_make (preview, cache, &(PaintArea){0, 0, 1, 40, 30}, cpu, &part));
  g_assert_cmpfloat_with_epsilon (image_value (part.image, part.preview->slice, 7, 9), 10 * SLICE, 0.01);
  paint_part_clear (&part);
  preview_cache_free (cache);
  paint_preview_free (preview);
  wait_for_results (page.document);
  page_close (&page);
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
  static const double views[][3] = {{10.5, -3, 1}, {1490.25, 1017, 3}, {2950, 2955, 0.75}, {700, 300, 8}};
  g_autoptr (Image) source = image_new_from_source (&info, &functions, (gpointer) &info, NULL);
  Device *cpu = modules_device (test_modules (), "cpu", NULL);
  Page page;
  page_open (&page, source, cpu, "otsu as=mask | label");
  view_set_overlay (page.view, 0.5);
  view_set_index (page.view, -1);
  g_assert_true (view_image (page.view) == source && view_labels (page.view));
  for (guint i = 0; i < G_N_ELEMENTS (views); i++) {
    const double *at = views[i];
    g_autofree char *step =
      g_strdup_printf ("display mode=single x=%g y=%g zoom=%g width=%d height=%d overlay_alpha=0.5 "
                       "overlay_mode=outline",
                       at[0], at[1], at[2], WIDTH, HEIGHT);
    CallResult expected = {0};
    g_clear_pointer (&page.got, paint_free);
    painter_ask (page.painter, page.view, &(PaintArea){at[0], at[1], at[2], WIDTH, HEIGHT});
    while (!page.got || !painter_idle (page.painter))
      g_main_context_iteration (NULL, TRUE);
    run_step (step, source, view_labels (page.view), cpu, &expected, NULL);
    assert_same_picture (page.got, expected.images[0]);
    call_result_clear (&expected);
  }
  page_close (&page);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  add_device_test ("/paint/made-on-device", test_made_on_device);
  add_device_test ("/paint/pick", test_pick);
  g_test_add_func ("/paint/parts", test_parts);
  g_test_add_func ("/paint/preview-after-picture", test_preview_after_picture);
  g_test_add_func ("/paint/preview-of-a-slice", test_preview_of_a_slice);
  return g_test_run ();
}
