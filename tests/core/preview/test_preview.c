/* SPDX-License-Identifier: MIT
 *
 * Previews against the part of what the whole run makes: equal to the last pixel where nothing is halved, at every edge, with
 * the number of the last run where an operation needs the whole.
 */
#include "core/preview/preview.h"

#include "core/base/parallel.h"
#include "core/files/files.h"
#include "core/call/op.h"
#include "core/run/execute.h"
#include "core/run/speed.h"
#include "tests/support/support.h"

#include <string.h>

enum { ROWS = 301, COLUMNS = 407 };

static Device *
cpu (void)
{
  return modules_device (test_modules (), "cpu", NULL);
}

static Run *
new_run (const char *steps, Image *source)
{
  g_autoptr (Recipe) none = recipe_new ();
  return *steps ? run_of (steps, source) : run_new (none, source, RUN_KEEP_ALL);
}

static Run *
executed (const char *steps, Image *source)
{
  Run *run = new_run (steps, source);
  g_autoptr (GError) error = NULL;
  run_execute (run, cpu (), NULL, &error);
  g_assert_no_error (error);
  return run;
}

static Run *
continued (const char *steps, const Run *before)
{
  Run *run = new_run (steps, run_source (before));
  run_continue (run, before);
  return run;
}

/* What of the preview's image is seen is that part of the whole one: bytes of its pixels, all channels. */
static void
assert_part (const Preview *p, Image *part, Image *whole, const PreviewArea *area)
{
  const ImageInfo *a = image_info (part), *b = image_info (whole);
  const gsize pixel = image_info_plane_bytes (a) / (gsize) (a->rows * a->columns);
  const gint64 slice = b->depth > 1 ? area->slice : 0, in_part = a->depth > 1 ? p->slice : 0;
  const gint64 top = (gint64) MAX (area->y, 0), bottom = (gint64) MIN (area->y + area->rows, (double) b->rows);
  const gint64 left = (gint64) MAX (area->x, 0), right = (gint64) MIN (area->x + area->columns, (double) b->columns);
  g_assert_true (a->type == b->type && a->role == b->role && a->channels == b->channels);
  g_assert_true (a->rows == p->region.rows && a->columns == p->region.columns && a->frames == 1);
  g_assert_cmpint (top, <, bottom);
  for (gint64 c = 0; c < b->channels; c++) {
    const char *to = image_plane (part, c * a->depth + in_part, NULL);
    const char *from = image_plane (whole, (area->frame * b->channels + c) * b->depth + slice, NULL);
    for (gint64 y = top; y < bottom; y++)
      g_assert_cmpmem (to + (gsize) ((y - p->region.row) * a->columns + left - p->region.column) * pixel,
                       (gsize) (right - left) * pixel, from + (gsize) (y * b->columns + left) * pixel,
                       (gsize) (right - left) * pixel);
  }
}

/* Corners, edges, the middle; one that reaches beyond the image. */
static const PreviewArea areas[] = {{120, 90, 100, 80, 1, 0, 0},        {0, 0, 60, 50, 2, 0, 0},
                                    {COLUMNS - 70, 0, 70, 33, 1, 0, 0}, {0, ROWS - 41, 99, 41, 1, 0, 0},
                                    {-20, -30, 120, 90, 0.6, 0, 0},     {COLUMNS - 30, ROWS - 20, 90, 70, 1, 0, 0}};

/* After steps `before` were run, `now` is changed: every area of the image of step `index` is that of the whole. */
static void
check_exact (const char *before, const char *now, int index, Image *source)
{
  g_autoptr (Run) last = executed (before, source), whole = executed (now, source);
  for (guint i = 0; i < G_N_ELEMENTS (areas); i++) {
    PreviewCache *cache = preview_cache_new ();
    g_autoptr (Run) run = continued (now, last);
    g_autoptr (GError) error = NULL;
    g_autoptr (Preview) p = preview_make (cache, run, index, &areas[i], cpu (), &error);
    g_assert_no_error (error);
    g_assert_cmpuint (p->level, ==, 0);
    assert_part (p, run_image (p->run, (guint) index, 0), run_image (whole, (guint) index, 0), &areas[i]);
    preview_cache_free (cache);
  }
}

static void
test_exact (void)
{
  static const fv_type types[] = {FV_U8, FV_U16, FV_F32};
  for (guint t = 0; t < G_N_ELEMENTS (types); t++) {
    g_autoptr (Image) source = image_random (types[t], FV_IMAGE, 1, 1, ROWS, COLUMNS, 7);
    check_exact ("", "gaussian sigma=3.7", 0, source);
    check_exact ("gaussian sigma=2", "gaussian sigma=3.7", 0, source);
    check_exact ("gaussian sigma=2 | erosion footprint=disk radius=3 | dilation radius=2",
                 "gaussian sigma=2 | erosion footprint=disk radius=4 iterations=2 | dilation radius=2", 2, source);
    check_exact ("gaussian sigma=2", "gaussian sigma=2 border=wrap", 0, source);
    check_exact ("gaussian sigma=1 | gaussian sigma=2", "gaussian sigma=5 | gaussian sigma=2", 1, source);
    /* together they reach further than the room around what is seen */
    check_exact ("", "gaussian sigma=12 | gaussian sigma=9", 1, source);
    check_exact ("erosion", "threshold method=manual lower=100 | closing radius=2 | keep inside=oval(100,80,150,120)",
                 2, source);
  }
}

/* All channels, one slice and one frame of many; a blur along z takes the slices around it. */
static void
test_stack (void)
{
  g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 2, 9, 61, 67, 8);
  static const char *const steps[] = {"gaussian sigma=1.5", "gaussian sigma=1.5 volume=yes",
                                      "erosion footprint=ball radius=2 volume=yes",
                                      "channel index=1 | gaussian sigma=1"};
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    for (gint64 slice = 0; slice < 9; slice += 4) {
      g_autoptr (Run) last = executed ("", source), run = continued (steps[i], last),
                      whole = executed (steps[i], source);
      const PreviewArea area = {10, 12, 30, 25, 1, slice, 0};
      const guint index = recipe_length (run_recipe (run)) - 1;
      PreviewCache *cache = preview_cache_new ();
      g_autoptr (Preview) p = preview_make (cache, run, (int) index, &area, cpu (), NULL);
      assert_part (p, run_image (p->run, index, 0), run_image (whole, index, 0), &area);
      preview_cache_free (cache);
    }
}

/* A plane whose brightness varies: statistics of a part differ from those of the whole. */
static Image *
uneven (gint64 channels, gint64 depth)
{
  Image *image = image_random (FV_U16, FV_IMAGE, channels, depth, ROWS, COLUMNS, 9);
  guint16 *v = image_pixels (image);
  for (gint64 p = 0; p < channels * depth; p++)
    for (gint64 y = 0; y < ROWS; y++)
      for (gint64 x = 0; x < COLUMNS; x++, v++)
        *v = (guint16) (*v / 8 + x * 80 + y * 40 + p * 900);
  return image;
}

/* A derived value takes the number of the last whole run, of the slice that is looked at; a step whose number is not there has no preview. */
static void
test_derived_values (void)
{
  static const char *const steps[] = {"sigma_clip | threshold lower={sigma_clip.mean}*.9",
                                      "sigma_clip | gaussian sigma={sigma_clip.mean}/9000"};
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    for (gint64 slice = 0; slice < 5; slice += 2) {
      g_autoptr (Image) source = image_random (FV_U16, FV_IMAGE, 1, 5, ROWS, COLUMNS, 9);
      for (gint64 k = 0; k < 5 * ROWS * COLUMNS; k++)
        ((guint16 *) image_pixels (source))[k] /= (guint16) (1 + k / (ROWS * COLUMNS));
      g_autoptr (Run) last = executed ("sigma_clip", source), run = continued (steps[i], last),
                      whole = executed (steps[i], source), new = new_run (steps[i], source);
      const PreviewArea area = {100, 120, 60, 50, 1, slice, 0};
      g_autoptr (GError) error = NULL;
      PreviewCache *cache = preview_cache_new ();
      g_autoptr (Preview) p = preview_make (cache, run, 1, &area, cpu (), &error);
      g_assert_no_error (error);
      assert_part (p, run_image (p->run, 1, 0), run_image (whole, 1, 0), &area);
      g_assert_null (preview_make (cache, new, 1, &area, cpu (), &error));
      preview_cache_free (cache);
    }
}

/* The threshold is the last whole run's, and so is every pixel, although the steps before have changed. */
static void
check_given (const char *threshold, gint64 channels, gint64 depth)
{
  g_autoptr (Image) source = uneven (channels, depth);
  g_autofree char *before = g_strdup_printf ("gaussian sigma=2 | %s", threshold);
  g_autofree char *now = g_strdup_printf ("gaussian sigma=3 | %s", threshold);
  g_autoptr (Run) last = executed (before, source), run = continued (now, last),
                  blurred = executed ("gaussian sigma=3", source);
  const PreviewArea area = {170, 110, 100, 80, 1, depth / 2, 0};
  const RunStep *found = run_result (last, 1);
  PreviewCache *cache = preview_cache_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (Preview) p = preview_make (cache, run, 1, &area, cpu (), &error);
  g_assert_no_error (error);
  for (gint64 c = 0; c < channels; c++) {
    const gint64 plane = c * depth + depth / 2;
    const double t = found->result.scalars[found->result.scalar_rows == channels ? c : plane];
    const float *v = image_plane (run_image (blurred, 0, 0), plane, NULL);
    const guint8 *is = image_plane (run_image (p->run, 1, 0), c, NULL);
    int in = 0;
    for (gint64 y = 110; y < 190; y++)
      for (gint64 x = 170; x < 270; x++) {
        const gboolean bright = (double) v[y * COLUMNS + x] > t;
        g_assert_cmpint (is[(y - p->region.row) * p->region.columns + x - p->region.column], ==,
                         bright != (strstr (threshold, "dark_background=no") != NULL) ? 255 : 0);
        in += bright;
      }
    g_assert_true (in > 400 && in < 7600);
  }
  g_assert_cmpint (image_info (run_image (p->run, 1, 0))->depth, ==, 1);
  preview_cache_free (cache);
}

static void
test_given (void)
{
  check_given ("otsu", 1, 1);
  check_given ("otsu", 2, 3);
  check_given ("otsu volume=yes", 2, 3);
  check_given ("threshold method=li", 2, 1);
  check_given ("threshold method=triangle dark_background=no", 1, 2);
}

/* Looking at the blur, the labels of later steps come, too, for their outlines; tables do not. */
static void
test_labels (void)
{
  static const char before[] = "gaussian sigma=2 | otsu | label | regionprops properties=label,area";
  static const char now[] = "gaussian sigma=3 | otsu | label | regionprops properties=label,area";
  g_autoptr (Image) source = uneven (1, 1);
  g_autoptr (Run) last = executed (before, source), run = continued (now, last);
  PreviewCache *cache = preview_cache_new ();
  g_autoptr (Preview) p = preview_make (cache, run, 0, &areas[0], cpu (), NULL);
  g_assert_nonnull (run_image (p->run, 0, 0));
  g_assert_cmpint (image_info (run_image (p->run, 2, 0))->role, ==, FV_LABELS);
  g_assert_null (run_last_table (p->run));
  preview_cache_free (cache);
}

/* From afar: about the blur of the whole, by lengths that shrink with the image. */
static void
test_halved (void)
{
  g_autoptr (Image) source = uneven (1, 1);
  g_autoptr (Run) last = executed ("gaussian sigma=4", source), run = continued ("gaussian sigma=12", last),
                  whole = executed ("gaussian sigma=12", source);
  const PreviewArea area = {0, 0, COLUMNS, ROWS, 0.25, 0, 0};
  PreviewCache *cache = preview_cache_new ();
  for (int again = 0; again < 2; again++) {
    g_autoptr (Preview) p = preview_make (cache, run, 0, &area, cpu (), NULL);
    const float *small = image_plane (run_image (p->run, 0, 0), 0, NULL),
                *large = image_plane (run_image (whole, 0, 0), 0, NULL);
    g_assert_cmpuint (p->level, ==, 2);
    g_assert_cmpint (p->region.rows, ==, ROWS / 4);
    for (gint64 y = 10; y < ROWS / 4 - 10; y++)
      for (gint64 x = 10; x < COLUMNS / 4 - 10; x++) {
        const float *at = large + (4 * y + 1) * COLUMNS + 4 * x + 1;
        const float mean = (at[0] + at[1] + at[COLUMNS] + at[COLUMNS + 1]) / 4;
        g_assert_cmpfloat_with_epsilon (small[y * p->region.columns + x], mean, 60);
      }
  }
  preview_cache_free (cache);
}

/* A mask stays one, and its objects keep their sizes. */
static void
test_halved_mask (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_MASK, 1, 1, 64, 64, 1);
  guint8 *v = image_pixels (source);
  for (int i = 0; i < 64 * 64; i++)
    v[i] = i / 64 >= 16 && i / 64 < 40 && i % 64 >= 16 && i % 64 < 44 ? 255 : 0;
  v[5 * 64 + 5] = 255; /* less than half of a pixel */
  g_autoptr (Run) last = executed ("", source), run = continued ("label min_size=600", last);
  const PreviewArea area = {0, 0, 64, 64, 0.25, 0, 0};
  PreviewCache *cache = preview_cache_new ();
  g_autoptr (Preview) p = preview_make (cache, run, 0, &area, cpu (), NULL);
  const gint32 *labels = image_plane (run_image (p->run, 0, 0), 0, NULL);
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x++)
      g_assert_cmpint (labels[y * 16 + x], ==, y >= 4 && y < 10 && x >= 4 && x < 11);
  preview_cache_free (cache);
}

/* A square of 32 becomes one of 16, and of 4 when zoomed out, for all steps that reach 8 pixels far. */
static void
test_halved_iterations (void)
{
  static const char *const steps[] = {
    "erosion footprint=matrix iterations=8", "erosion footprint=square radius=1 iterations=8",
    "erosion footprint=square radius=2 iterations=4", "erosion footprint=square radius=8"};
  g_autoptr (Image) source = image_random (FV_U8, FV_MASK, 1, 1, 64, 64, 1);
  guint8 *v = image_pixels (source);
  for (int i = 0; i < 64 * 64; i++)
    v[i] = i / 64 >= 16 && i / 64 < 48 && i % 64 >= 16 && i % 64 < 48 ? 255 : 0;
  g_autoptr (Run) last = executed ("", source);
  for (guint k = 0; k < G_N_ELEMENTS (steps); k++) {
    g_autoptr (Run) run = continued (steps[k], last);
    const PreviewArea area = {0, 0, 64, 64, 0.25, 0, 0};
    PreviewCache *cache = preview_cache_new ();
    g_autoptr (Preview) p = preview_make (cache, run, 0, &area, cpu (), NULL);
    const guint8 *mask = image_plane (run_image (p->run, 0, 0), 0, NULL);
    for (int y = 0; y < 16; y++)
      for (int x = 0; x < 16; x++)
        g_assert_cmpint (mask[y * 16 + x], ==, y >= 6 && y < 10 && x >= 6 && x < 10 ? 255 : 0);
    preview_cache_free (cache);
  }
}

/* A file of 4 GiB: pixel values by position, and how many were read. */
static gint pixels_read;

static gboolean
large_level (gpointer self, guint n, ImageLevel *level)
{
  (void) self;
  *level = (ImageLevel){65536, 65536, 256, 256, FALSE};
  return n == 0;
}

static gboolean
large_read (gpointer self, guint level, gint64 plane, const ImageRegion *r, void *to, gsize stride, GError **error)
{
  (void) self, (void) level, (void) plane, (void) error;
  g_atomic_int_add (&pixels_read, (gint) (r->rows * r->columns));
  for (gint64 y = 0; y < r->rows; y++)
    for (gint64 x = 0; x < r->columns; x++)
      ((guint8 *) to)[(gsize) y * stride + (gsize) x] = (guint8) ((r->row + y) / 64 + (r->column + x) / 32);
  return TRUE;
}

static void
large_free (gpointer self)
{
  (void) self;
}

/* Of a large image that is not in memory no more is read than what is seen. */
static void
test_large (void)
{
  static const ImageSource functions = {large_level, large_read, large_free};
  const ImageInfo info = {.type = FV_U8,
                          .frames = 1,
                          .channels = 1,
                          .depth = 1,
                          .rows = 65536,
                          .columns = 65536,
                          .spacing = {1, 1, 1},
                          .name = (char *) ""};
  g_autoptr (Image) source = image_new_from_source (&info, &functions, NULL, NULL);
  g_autoptr (Run) last = executed ("", source), run = continued ("erosion radius=0", last);
  for (int near = 0; near < 2; near++) {
    const PreviewArea area = {20000, 30000, 3600, 2400, near ? 1 : 0.25, 0, 0};
    PreviewCache *cache = preview_cache_new ();
    g_autoptr (GError) error = NULL;
    g_autoptr (Preview) p = preview_make (cache, run, 0, &area, cpu (), &error);
    g_assert_no_error (error);
    const guint8 *v = image_plane (run_image (p->run, 0, 0), 0, NULL);
    const gint64 scale = (gint64) 1 << p->level;
    g_assert_cmpint (scale, >=, near ? 1 : 4);
    for (gint64 i = 0; i < p->region.rows * p->region.columns; i += 101) {
      const gint64 y = (p->region.row + i / p->region.columns) * scale,
                   x = (p->region.column + i % p->region.columns) * scale;
      g_assert_cmpint (v[i], ==, (guint8) (y / 64 + x / 32));
    }
    preview_cache_free (cache);
  }
  g_assert_cmpint (pixels_read, <, 40 * 1000 * 1000);
}

static void
refused (const char *before, const char *now, int index, const PreviewArea *area)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 7);
  g_autoptr (Run) last = executed (before, source), run = continued (now, last);
  PreviewCache *cache = preview_cache_new ();
  g_autoptr (GError) error = NULL;
  g_assert_null (preview_make (cache, run, index, area, cpu (), &error));
  g_assert_nonnull (error);
  preview_cache_free (cache);
}

/* What has other pixels, or shows nothing, has no part. */
static void
test_refused (void)
{
  static const PreviewArea outside = {COLUMNS + 100, 0, 50, 50, 1, 0, 0};
  refused ("", "zoom factor=0.5", 0, &areas[0]);
  refused ("gaussian sigma=2 | zoom factor=0.5", "gaussian sigma=3 | zoom factor=0.5", 1, &areas[0]);
  refused ("", "gaussian sigma=2", 0, &outside);
  /* a part knows nothing of where it is; and one that asks a neighbor does not have to */
  refused ("", "expression expression='a * (x < 100)'", 0, &areas[0]);
  refused ("", "expression expression='a + t'", 0, &areas[0]);
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 7);
  check_exact ("gaussian sigma=2 | zoom factor=0.5", "gaussian sigma=3 | zoom factor=0.5", 0, source);
  /* pixels that were moved before the change are a start like any other */
  g_autoptr (Run) last = executed ("zoom factor=0.5 | gaussian sigma=2", source),
                  run = continued ("zoom factor=0.5 | gaussian sigma=3", last),
                  whole = executed ("zoom factor=0.5 | gaussian sigma=3", source);
  const PreviewArea area = {20, 30, 100, 80, 1, 0, 0};
  PreviewCache *cache = preview_cache_new ();
  g_autoptr (Preview) p = preview_make (cache, run, 1, &area, cpu (), NULL);
  assert_part (p, run_image (p->run, 1, 0), run_image (whole, 1, 0), &area);
  preview_cache_free (cache);
}

/* Steps with a file, which a placeholder names. */
static char *
with_file (const char *steps, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (steps, "FILE", -1);
  g_autofree char *file = g_strconcat ("file:", path, NULL);
  return g_strjoinv (file, parts);
}

/* A file whose pixels have the positions of the image is cropped like the image; what a kernel reads is unknown. */
static void
test_file (void)
{
  static const char *const changes[][2] = {
    {"gaussian sigma=2 | keep inside=FILE", "gaussian sigma=3 | keep inside=FILE"},
    {"keep inside=oval(100,80,150,120) outside=FILE", "keep inside=oval(90,80,150,120) outside=FILE"},
    {"expression expression=a+p*b b=FILE", "expression expression=a+p*b p=3 b=FILE"},
    {"expression b=FILE", "expression expression=a[1,0]-b[-3,5] b=FILE"},
    {"keep inside=FILE | gaussian sigma=2", "keep inside=FILE | gaussian sigma=3"}};
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 7),
                    mask = image_random (FV_U8, FV_MASK, 1, 1, ROWS, COLUMNS, 8);
  g_autofree char *path = g_build_filename (g_getenv ("XDG_CACHE_HOME"), "mask.tif", NULL),
                  *soft = with_file ("gaussian sigma=2 | convolve shape=image kernel=FILE", path),
                  *softer = with_file ("gaussian sigma=3 | convolve shape=image kernel=FILE", path);
  g_assert_true (files_save (mask, path, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_autofree char *before = with_file (changes[i][0], path), *now = with_file (changes[i][1], path);
    g_autoptr (Recipe) recipe = recipe_parse (test_modules (), now, NULL);
    check_exact (before, now, (int) recipe_length (recipe) - 1, source);
  }
  refused (soft, softer, 1, &areas[0]);
  check_exact (soft, softer, 0, source);
}

/* Seen from afar a file is as much smaller as the image: of the same pixels the difference is none. */
static void
test_file_from_afar (void)
{
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, ROWS, COLUMNS, 7);
  g_autofree char *path = g_build_filename (g_getenv ("XDG_CACHE_HOME"), "same.tif", NULL),
                  *now = with_file ("expression expression=a-b b=FILE", path);
  const PreviewArea area = {60, 50, 200, 160, 0.25, 0, 0};
  g_assert_true (files_save (source, path, NULL));
  PreviewCache *cache = preview_cache_new ();
  g_autoptr (Run) last = executed ("", source), run = continued (now, last);
  g_autoptr (Preview) p = preview_make (cache, run, 0, &area, cpu (), NULL);
  g_assert_cmpuint (p->level, ==, 2);
  Image *made = run_image (p->run, 0, 0);
  for (gsize i = 0; i < image_bytes (made) / sizeof (float); i++)
    g_assert_cmpfloat (((const float *) image_pixels (made))[i], ==, 0);
  preview_cache_free (cache);
}

/* A large plane is worth a preview, whose part is small; a small one is not. */
static void
test_pays (void)
{
  const ImageInfo info = {.type = FV_U16,
                          .frames = 1,
                          .channels = 1,
                          .depth = 1,
                          .rows = 16384,
                          .columns = 16384,
                          .spacing = {1, 1, 1},
                          .name = (char *) ""};
  g_autoptr (Image) large = image_new_promised (&info), small = image_random (FV_U16, FV_IMAGE, 1, 1, 256, 256, 1);
  g_autoptr (Run) long_run = run_of ("gaussian sigma=2 | otsu | label", large),
                  short_run = run_of ("gaussian sigma=2", small);
  g_assert_true (preview_pays (long_run, cpu ()));
  g_assert_false (preview_pays (short_run, cpu ()));
}

/* What the last run took is known better than what steps say of themselves. */
static void
test_pays_after_long (void)
{
  g_autoptr (Image) image = image_random (FV_U16, FV_IMAGE, 1, 1, 64, 64, 1);
  g_autoptr (Run) before = executed ("gaussian sigma=2 | otsu | label", image);
  g_autoptr (Run) first = continued ("gaussian sigma=3 | otsu | label", before);
  g_assert_false (preview_pays (first, cpu ()));
  run_step_at (before, 2)->result.ms = 1000;
  g_autoptr (Run) changed = continued ("gaussian sigma=3 | otsu | label", before);
  g_autoptr (Run) same = continued ("gaussian sigma=2 | otsu | label", before);
  g_assert_true (preview_pays (changed, cpu ()));
  g_assert_false (preview_pays (same, cpu ()));
  g_assert_cmpuint (preview_wait_ms (before), ==, 150);
  run_step_at (before, 2)->result.ms = 250 - run_step_at (before, 0)->result.ms - run_step_at (before, 1)->result.ms;
  g_assert_cmpuint (preview_wait_ms (before), >=, 499);
  g_assert_cmpuint (preview_wait_ms (before), <=, 500);
  run_step_at (before, 2)->result.ms = 0;
  g_assert_cmpuint (preview_wait_ms (before), ==, 150);
}

/* ---- Threads ---- */

static double counting_arithmetic; /* products for a pixel */

static double
count_arithmetic (const fv_op *op, const void *args, const fv_grid *const *in)
{
  (void) op, (void) args, (void) in;
  return counting_arithmetic;
}

static gint32 counting_limit;

static void
count_limit (gint32 threads)
{
  counting_limit = threads;
}

/* With how many threads it may compute. */
static fv_status
count_run (const fv_call *call, fv_error *error)
{
  (void) error;
  *(guint8 *) call->outputs[0]->tensor.data = (guint8) counting_limit;
  return FV_OK;
}

static const fv_op counting = {
  FV_OP (char),
  .key = "counting",
  .label = "Counting",
  .help = "Counts threads.",
  .kind = FV_POINT,
  .inputs = (const fv_input[]){{"image", "Image", "The image.", FV_U8, false}, {0}},
  .outputs = (const fv_output[]){{"threads", "Threads"}, {0}},
  .arithmetic = count_arithmetic,
  .run = {[FV_CPU] = count_run},
};

static Modules *
counting_modules (void)
{
  static const fv_op *const ops[] = {&counting, NULL};
  static const fv_plugin plugin = {.size = sizeof (fv_plugin),
                                   .abi = FV_ABI,
                                   .name = "counting",
                                   .version = "1",
                                   .ops = ops,
                                   .limit_threads = count_limit};
  Modules *modules = modules_new_empty ();
  g_assert_true (modules_add (modules, &plugin, NULL));
  return modules;
}

/* Products for a pixel of 512 x 512 so that the step is likely to take so long. */
static double
arithmetic_of (double ms)
{
  return ms / (1e-6 * 512 * 512 * speed_of_cpu (cpu ()).arithmetic_ns);
}

/* What one thread does soon enough, it does alone; a larger part is for all. */
static void
test_threads (void)
{
  static const double ms[] = {1, 12};
  const PreviewArea area = {0, 0, 512, 512, 1, 0, 0};
  g_autoptr (Modules) modules = counting_modules ();
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 512, 512, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (Recipe) recipe = recipe_parse (modules, "counting", &error);
  g_assert_no_error (error);
  for (int large = 0; large < 2; large++) {
    PreviewCache *cache = preview_cache_new ();
    g_autoptr (Run) run = run_new (recipe, source, RUN_KEEP_ALL);
    counting_arithmetic = arithmetic_of (ms[large]);
    g_autoptr (Preview) p = preview_make (cache, run, 0, &area, cpu (), &error);
    g_assert_no_error (error);
    const guint8 *threads = image_plane (run_image (p->run, 0, 0), 0, NULL);
    g_assert_cmpuint (*threads, ==, large ? 0 : 1);
    g_assert_cmpint (counting_limit, ==, 0);
    preview_cache_free (cache);
  }
}

/* A costly step that nothing that is seen needs does not make the preview coarse. */
static void
test_unseen (void)
{
  const PreviewArea area = {0, 0, 512, 512, 1, 0, 0};
  g_autoptr (Modules) modules = counting_modules ();
  g_autoptr (Image) source = image_random (FV_U8, FV_IMAGE, 1, 1, 512, 512, 1);
  g_autoptr (Recipe) recipe = recipe_parse (modules, "counting | counting", NULL);
  g_autoptr (Run) run = run_new (recipe, source, RUN_KEEP_ALL);
  PreviewCache *cache = preview_cache_new ();
  counting_arithmetic = arithmetic_of (12);
  for (int index = 0; index < 2; index++) {
    g_autoptr (Preview) p = preview_make (cache, run, index, &area, cpu (), NULL);
    g_assert_cmpuint (p->level, ==, index);
  }
  preview_cache_free (cache);
}

/* With the usual figures of a machine, not those that another test has measured. */
int
main (int argc, char **argv)
{
  char *folder = g_dir_make_tmp ("fovea-preview-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  init_tests (&argc, &argv);
  g_test_add_func ("/preview/exact", test_exact);
  g_test_add_func ("/preview/derived-values", test_derived_values);
  g_test_add_func ("/preview/stack", test_stack);
  g_test_add_func ("/preview/given", test_given);
  g_test_add_func ("/preview/labels", test_labels);
  g_test_add_func ("/preview/halved", test_halved);
  g_test_add_func ("/preview/halved-mask", test_halved_mask);
  g_test_add_func ("/preview/halved-iterations", test_halved_iterations);
  g_test_add_func ("/preview/large", test_large);
  g_test_add_func ("/preview/refused", test_refused);
  g_test_add_func ("/preview/file", test_file);
  g_test_add_func ("/preview/file-from-afar", test_file_from_afar);
  g_test_add_func ("/preview/pays", test_pays);
  g_test_add_func ("/preview/pays-after-long", test_pays_after_long);
  g_test_add_func ("/preview/threads", test_threads);
  g_test_add_func ("/preview/unseen", test_unseen);
  return run_tests_in (folder);
}
