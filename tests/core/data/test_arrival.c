/* SPDX-License-Identifier: MIT
 *
 * Pixels of a file go to a device while others are still read. The source counts what was sent whenever it is asked for more, and knows
 * what each pixel is; the CPU posing as a GPU finds poison where something is sent too early.
 */
#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/data/transfer.h"
#include "tests/posing/posing_device.h"
#include "tests/support/support.h"

#include <string.h>

enum { TILE = 256, ROWS = 5000, COLUMNS = 4100, TALL = 3, SMALL_ROWS = 1100, PLANES = 12 };

/* An image that is read when it is needed. */
typedef struct {
  Device *device;
  GThread *reader; /* who wants the image; the others are slow */
  ImageInfo info;
  gint64 fails_at; /* bytes of the image from which on it cannot be read; 0: it can */
  Progress *stops; /* at the same address; or NULL */
  guint64 before;  /* bytes that had been sent to the device when it was made */
  gint reads;      /* atomic */
  gboolean first;  /* the reader itself has read from plane 0 */
  Progress progress;
  gint farthest; /* of it when the reader wanted more */
  /* Whenever the reader wanted more: most bytes that had been sent, least that were sent since, most that were there and not sent. */
  guint64 early, min, behind;
} Source;

static guint8
value_at (gint64 plane, gint64 row, gint64 column)
{
  return (guint8) (1 + (plane * 31 + row * 7 + column) % 251);
}

static gboolean
level (gpointer self, guint n, ImageLevel *level)
{
  const ImageInfo *info = &((Source *) self)->info;
  *level = (ImageLevel){info->rows, info->columns, TILE, info->columns, FALSE};
  return n == 0;
}

/* `end`: bytes of the image before which all has been read, when that is done one after the other. */
static void
look (Source *s, guint64 end)
{
  guint64 sent = s->device->uploaded - s->before;
  if (sent > s->early)
    s->min = MIN (s->min, sent - s->early);
  s->early = MAX (s->early, sent);
  g_assert_cmpint (s->progress.permille, >=, s->farthest);
  g_assert_cmpint (s->progress.permille, <=, 1000);
  s->farthest = s->progress.permille;
  s->behind = MAX (s->behind, end - MIN (end, sent));
  g_assert_cmpuint (sent, <=, (guint64) image_info_planes (&s->info) * image_info_plane_bytes (&s->info));
}

static gboolean
read_region (gpointer self, guint n, gint64 plane, const ImageRegion *r, void *to, gsize stride, GError **error)
{
  Source *s = self;
  gint64 begin = (plane * s->info.rows + r->row) * s->info.columns;
  g_assert_cmpuint (n, ==, 0);
  g_atomic_int_inc (&s->reads);
  if (g_thread_self () == s->reader) {
    s->first |= plane == 0;
    look (s, (guint64) begin);
  } else
    g_usleep (10000);
  if (s->fails_at && begin >= s->fails_at) {
    if (!s->stops) {
      g_set_error_literal (error, STEP_ERROR, FV_BAD_INPUT, "the disk is broken");
      return FALSE;
    }
    progress_stop (s->stops);
  }
  for (gint64 y = 0; y < r->rows; y++)
    for (gint64 x = 0; x < r->columns; x++)
      ((guint8 *) to)[(gsize) y * stride + (gsize) x] = value_at (plane, r->row + y, r->column + x);
  return TRUE;
}

static void
forget (gpointer self)
{
  (void) self;
}

static Image *
new_image (Source *s, Device *device, gint64 channels, gint64 depth, gint64 rows)
{
  static const ImageSource calls = {level, read_region, forget};
  g_autoptr (GError) error = NULL;
  *s = (Source){.device = device,
                .reader = g_thread_self (),
                .before = device->uploaded,
                .min = G_MAXUINT64,
                .info = {.type = FV_U8,
                         .frames = 1,
                         .channels = channels,
                         .depth = depth,
                         .rows = rows,
                         .columns = COLUMNS,
                         .spacing = {1, 1, 1},
                         .name = (char *) "scan"}};
  Image *image = image_new_from_source (&s->info, &calls, s, &error);
  g_assert_no_error (error);
  return image;
}

/* The device has what the source says. */
static void
check_pixels (Image *image, Device *device, const void *memory)
{
  const ImageInfo *info = image_info (image);
  g_autofree guint8 *back = g_malloc (image_bytes (image));
  fv_error fault = FV_ERROR_INIT;
  const guint8 *at = back;
  device->fv->copy (device->fv, device->stream, back, image_bytes (image), memory, image_bytes (image),
                    image_bytes (image), 1, device->discrete ? FV_TO_HOST : FV_ON_DEVICE, &fault);
  g_assert_cmpint (device->fv->synchronize (device->fv, device->stream, &fault), ==, FV_OK);
  for (gint64 p = 0; p < image_info_planes (info); p++)
    for (gint64 y = 0; y < info->rows; y++)
      for (gint64 x = 0; x < info->columns; x++, at++)
        if (*at != value_at (p, y, x))
          g_error ("plane %d, row %d, column %d: %u", (int) p, (int) y, (int) x, *at);
}

/* Brings all of it to the device and lets it go there. */
static void
check_arrival (Image *image, Source *s)
{
  g_autoptr (GError) error = NULL;
  s->farthest = 0;
  const void *memory = image_on_device (image, s->device, &s->progress, &error);
  g_assert_no_error (error);
  check_pixels (image, s->device, memory);
  g_assert_cmpuint (s->device->uploaded - s->before, ==, s->device->discrete ? image_bytes (image) : 0);
  image_off_device (image, s->device);
}

/* ---- What is sent when ---- */

/* Bands of a plane go while the next one is read. */
static void
test_plane (Device *device)
{
  Source s;
  g_autoptr (Image) image = new_image (&s, device, 1, 1, ROWS);
  check_arrival (image, &s);
  g_assert_cmpint (s.reads, >, 2);
  g_assert_cmpint (s.farthest, >, 500);
  if (device->discrete)
    g_assert_cmpuint (s.behind, <, TRANSFER_MIN);
  else
    g_assert_cmpuint (s.early, ==, 0);
}

/* Planes that are large enough are read one after the other; one that is there is not read again, and goes in its turn. */
static void
test_stack (Device *device)
{
  Source s;
  g_autoptr (Image) image = new_image (&s, device, 1, TALL, ROWS);
  g_assert_nonnull (image_plane (image, 1, NULL));
  check_arrival (image, &s);
  if (device->discrete)
    g_assert_cmpuint (s.early, >, image_info_plane_bytes (&s.info) * 2);
}

/* Of channels that are read together the first alone is whole before the end. */
static void
test_channels (Device *device)
{
  Source s;
  g_autoptr (Image) image = new_image (&s, device, 2, 1, ROWS);
  check_arrival (image, &s);
  if (!device->discrete)
    return;
  g_assert_cmpuint (s.early, >, 0);
  g_assert_cmpuint (s.early, <, image_info_plane_bytes (&s.info));
  g_assert_cmpuint (s.min, >=, TRANSFER_MIN); /* a band is less */
}

/* Small planes are read side by side, those of three channels in three bands, and some of them are late. */
static void
test_small (Device *device)
{
  for (gint64 channels = 1; channels <= 3; channels += 2) {
    Source s;
    g_autoptr (Image) image = new_image (&s, device, channels, PLANES / channels, SMALL_ROWS);
    check_arrival (image, &s);
    g_assert_cmpint (s.reads, >=, PLANES);
    if (device->discrete && s.first) /* else it may have waited for plane 0 to the end */
      g_assert_cmpuint (s.early, >, 0);
  }
}

/* Work that is asked for after that finds all pixels. */
static void
test_run (Device *device)
{
  static const char text[] = "gaussian sigma=2 | otsu | label";
  Source s;
  g_autoptr (Image) image = new_image (&s, device, 1, 1, ROWS), same = image_new (&s.info, NULL);
  g_autoptr (GError) error = NULL;
  for (gint64 y = 0; y < ROWS; y++)
    for (gint64 x = 0; x < COLUMNS; x++)
      ((guint8 *) image_pixels (same))[y * COLUMNS + x] = value_at (0, y, x);
  g_autoptr (Run) from_file = run_of (text, image), from_memory = run_of (text, same);
  g_assert_true (run_execute (from_file, device, NULL, &error) && run_execute (from_memory, device, NULL, &error));
  for (guint i = 0; i < run_length (from_file); i++) {
    const CallResult *a = &run_result (from_file, i)->result, *b = &run_result (from_memory, i)->result;
    for (guint k = 0; k < a->n_images; k++)
      assert_images_equal (a->images[k], b->images[k]);
  }
}

/* ---- Where it is read to ---- */

static void *pinned; /* what was given out last */

static fv_status
pin (const fv_device *fv, size_t bytes, void **memory, fv_error *error)
{
  fv_status status = posing_device.host_alloc (fv, bytes, memory, error);
  pinned = *memory;
  return status;
}

/* Into memory from which the GPU reads fast, where it is known for which GPU before anything is read. */
static void
test_pinned (void)
{
  fv_device fv = posing_device;
  Source s, other;
  fv.host_alloc = pin;
  Device *device = device_new (&fv);
  g_assert_true (device_ready (device, fv.key, NULL));
  g_autoptr (Image) image = new_image (&s, device, 1, TALL, ROWS), begun = new_image (&other, device, 1, TALL, ROWS);
  image_near (image, device);
  g_assert_cmpint (s.reads, ==, 0);
  g_assert_true (image_plane (image, 0, NULL) == pinned);
  check_arrival (image, &s);
  g_assert_true (image_plane (image, 0, NULL) == pinned);
  const void *plane = image_plane (begun, 1, NULL);
  image_near (begun, device);
  other.before = device->uploaded;
  check_arrival (begun, &other);
  g_assert_true (image_plane (begun, 1, NULL) == plane);
  image_unref (g_steal_pointer (&image));
  image_unref (g_steal_pointer (&begun));
  device_free (device);
}

/* ---- What goes wrong ---- */

/* Nothing stays on the device, and the image comes when it is wanted again. */
static void
check_undone (Image *image, Source *s, gsize used, const GError *error, fv_status code)
{
  g_test_message ("%s", error->message);
  g_assert_true (g_error_matches (error, STEP_ERROR, code));
  g_assert_cmpuint (s->device->used, ==, used);
  g_assert_false (image_is_on (image, s->device));
  s->fails_at = 0;
  s->before = s->device->uploaded;
  check_arrival (image, s);
}

static void
test_fault (Device *device)
{
  gsize used = device->used;
  Source s;
  g_autoptr (Image) image = new_image (&s, device, 1, 1, ROWS);
  g_autoptr (GError) error = NULL;
  s.fails_at = ROWS / 4 * COLUMNS;
  g_assert_null (image_on_device (image, device, NULL, &error));
  if (device->discrete)
    g_assert_cmpuint (s.early, >, 0);
  g_assert_nonnull (strstr (error->message, "the disk is broken"));
  check_undone (image, &s, used, error, FV_BAD_INPUT);
}

static void
test_stop (Device *device)
{
  gsize used = device->used;
  Source s;
  g_autoptr (Image) image = new_image (&s, device, 1, 1, ROWS);
  g_autoptr (GError) error = NULL;
  Progress progress = {0};
  s.fails_at = ROWS / 4 * COLUMNS;
  s.stops = &progress;
  g_assert_null (image_on_device (image, device, &progress, &error));
  check_undone (image, &s, used, error, FV_CANCELLED);
}

/* A device that has no room says so before anything is read. */
static void
test_no_room (Device *device)
{
  Source s;
  g_autoptr (Image) image = new_image (&s, device, 1, 1, ROWS);
  g_autoptr (GError) error = NULL;
  if (!device->discrete)
    return;
  device_set_limit (device, device->used + image_bytes (image) - 1);
  g_assert_null (image_on_device (image, device, NULL, &error));
  device_set_limit (device, 0);
  g_assert_true (g_error_matches (error, STEP_ERROR, FV_NO_MEMORY));
  g_assert_cmpint (s.reads, ==, 0);
  check_arrival (image, &s);
}

/* Nor is anything read where host memory has no room for what is read; the only step is named. */
static void
test_no_host_room (gconstpointer data)
{
  Device *posing = (Device *) data;
  Source s;
  g_autoptr (Image) image = new_image (&s, posing, 1, TALL, ROWS);
  g_autoptr (Run) run = run_of ("otsu", image);
  g_autoptr (GError) error = NULL;
  HostRoom room;
  g_setenv ("FOVEA_HOST_MEMORY", "1", TRUE);
  g_setenv ("FOVEA_SCRATCH_LIMIT", "0", TRUE);
  g_assert_false (host_memory_fits ((gsize) 1 << 46, 0, &room)); /* earlier observations no longer hold */
  g_assert_false (run_execute (run, posing, NULL, &error));
  g_unsetenv ("FOVEA_HOST_MEMORY");
  g_unsetenv ("FOVEA_SCRATCH_LIMIT");
  g_assert_false (host_memory_fits ((gsize) 1 << 46, 0, &room));
  g_assert_error (error, STEP_ERROR, FV_NO_MEMORY);
  g_assert_true (g_str_has_prefix (error->message, "otsu"));
  g_assert_cmpint (s.reads, ==, 0);
}

/* Of a GPU's memory counts what the program uses and has used, not what it could not have or may not use. */
static void
test_room (gconstpointer data)
{
  Device *posing = (Device *) data;
  gsize room = device_room (posing);
  fv_error fault = FV_ERROR_INIT;
  void *memory;
  Source s;
  g_autoptr (Image) image = new_image (&s, posing, 1, TALL, ROWS);
  check_arrival (image, &s);
  g_assert_cmpuint (device_room (posing), ==, room);
  image_unref (g_steal_pointer (&image));
  g_assert_cmpuint (device_room (posing), ==, room);
  g_assert_cmpint (device_take (posing, 2 * room, &memory, &fault), ==, FV_NO_MEMORY);
  g_assert_cmpuint (device_room (posing), ==, room);
  device_set_limit (posing, 1000);
  g_assert_cmpuint (device_room (posing), ==, 1000);
  device_set_limit (posing, 0);
}

/* ---- Devices ---- */

static const struct {
  const char *name;
  void (*test) (Device *device);
} cases[] = {{"plane", test_plane}, {"stack", test_stack}, {"channels", test_channels}, {"small", test_small},
             {"fault", test_fault}, {"stop", test_stop},   {"no-room", test_no_room}};

int
main (int argc, char **argv)
{
  int failed;
  g_setenv ("OMP_NUM_THREADS", "2", TRUE); /* bands are as high as that */
  init_tests (&argc, &argv);
  Device *posing = device_new (&posing_device);
  g_assert_true (device_ready (posing, posing->fv->key, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strdup_printf ("/arrival/%s", cases[i].name),
                    *posed = g_strdup_printf ("%s/pose:0", path);
    add_device_test (path, cases[i].test);
    g_test_add_data_func (posed, posing, (GTestDataFunc) cases[i].test);
  }
  g_test_add_data_func ("/arrival/room", posing, test_room);
  g_test_add_data_func ("/arrival/no-host-room", posing, test_no_host_room);
  add_device_test ("/arrival/run", test_run);
  g_test_add_func ("/arrival/pinned", test_pinned);
  failed = g_test_run ();
  device_free (posing);
  return failed;
}
