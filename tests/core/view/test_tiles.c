/* SPDX-License-Identifier: MIT
 *
 * Parts of large images, against the formula of a source. Pixel (y, x) of plane p is (y * 7 + x * 3 + p) % 251 of 8 bits, and the file's second level
 * has its means of 2 x 2 pixels.
 */
#include "core/view/plane_sample.h"
#include "core/view/tile_levels.h"
#include "core/view/tiles.h"

#include "tests/support/support.h"

#include <math.h>
#include <string.h>

enum { ROWS = 3001, COLUMNS = 5003, TILE = 256, FAULTY = 1000 };

typedef struct {
  guint levels;
  gint pixels; /* that were read; atomic */
  gboolean faulty, slow;
} Source;

static int
value_at (gint64 plane, gint64 y, gint64 x)
{
  return (int) ((y * 7 + x * 3 + plane) % 251);
}

/* Of a level: means of squares, halves up, made of those of the level before. */
static int
level_value (guint level, gint64 plane, gint64 y, gint64 x)
{
  if (level == 0)
    return value_at (plane, y, x);
  int sum = 2;
  for (int i = 0; i < 4; i++)
    sum += level_value (level - 1, plane, 2 * y + i / 2, 2 * x + i % 2);
  return sum / 4;
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  *level = (ImageLevel){ROWS >> n, COLUMNS >> n, TILE, TILE, FALSE};
  return n < ((Source *) self)->levels;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *r, void *to, gsize stride, GError **error)
{
  Source *source = self;
  g_assert_true (r->row >= 0 && r->column >= 0 && r->rows > 0 && r->columns > 0 && r->row + r->rows <= ROWS >> level
                 && r->column + r->columns <= COLUMNS >> level);
  g_atomic_int_add (&source->pixels, (gint) (r->rows * r->columns));
  if (source->slow)
    g_usleep (20 * 1000);
  if (source->faulty && r->row <= FAULTY && r->row + r->rows > FAULTY) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_IO, "row %d is damaged", FAULTY);
    return FALSE;
  }
  for (gint64 y = 0; y < r->rows; y++)
    for (gint64 x = 0; x < r->columns; x++)
      ((guint8 *) to)[(gsize) y * stride + (gsize) x] = (guint8) level_value (level, plane, r->row + y, r->column + x);
  return TRUE;
}

static void
source_free (gpointer self)
{
  (void) self;
}

static Image *
make_image (Source *source)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  return image_new_from_source (
    &(ImageInfo){
      .type = FV_U8, .role = FV_IMAGE, .frames = 1, .channels = 2, .depth = 3, .rows = ROWS, .columns = COLUMNS},
    &functions, source, NULL);
}

static gboolean
look (Tiles *tiles, Image *image, double x, double y, double zoom, gint64 until, TilesPart *part)
{
  const TilesLook look = {.image = image,
                          .slice = 1,
                          .x = x,
                          .y = y,
                          .width = 400 / zoom,
                          .height = 300 / zoom,
                          .zoom = zoom,
                          .until = until};
  return tiles_part (tiles, &look, part, NULL);
}

static void
assert_values (const TilesPart *part, guint level)
{
  const ImageInfo *info = image_info (part->image);
  for (gint64 c = 0; c < 2; c++)
    for (gint64 y = 0; y < info->rows; y++)
      for (gint64 x = 0; x < info->columns; x++)
        g_assert_cmpfloat (image_value (part->image, c, y, x), ==,
                           level_value (level, c * 3 + 1, part->y + y, part->x + x));
}

/* The visible part is the same for all levels of the file, and only that part is read. */
static void
test_values (void)
{
  static const struct {
    double zoom;
    guint level;
  } zooms[] = {{2, 0}, {0.6, 0}, {0.5, 1}, {0.3, 1}, {0.2, 2}, {0.125, 3}, {0.06, 4}};
  for (guint levels = 1; levels < 4; levels += 2)
    for (guint i = 0; i < G_N_ELEMENTS (zooms); i++) {
      Source source = {.levels = levels};
      g_autoptr (Image) image = make_image (&source);
      g_autoptr (Tiles) tiles = tiles_new ();
      TilesPart part;
      g_assert_true (look (tiles, image, 2345.6, 1234.5, zooms[i].zoom, 0, &part));
      g_assert_true (part.complete && !part.fault);
      g_assert_cmpfloat (part.factor, ==, 1 << zooms[i].level);
      g_assert_cmpint (part.x, <=, (gint64) (2345.6 / part.factor));
      g_assert_cmpint (part.y, <=, (gint64) (1234.5 / part.factor));
      gint64 right = MIN ((gint64) ceil ((2345.6 + 400 / zooms[i].zoom) / part.factor), COLUMNS >> zooms[i].level);
      g_assert_cmpint (part.x + image_info (part.image)->columns, >=, right);
      assert_values (&part, zooms[i].level);
      if (levels == 3 && zooms[i].level < 3)
        g_assert_cmpint (source.pixels, <, 2 * 1600 * 1600); /* of two channels */
      image_unref (part.image);
      gint before = source.pixels;
      g_assert_true (look (tiles, image, 2335, 1230, zooms[i].zoom, 0, &part)); /* what was seen is kept */
      if (zooms[i].level < 3)
        g_assert_cmpint (source.pixels, ==, before);
      image_unref (part.image);
      g_assert_cmpint (image_missing_bytes (image), ==, image_bytes (image));
    }
}

/* Beside the image, at its corners, and from so far that it is a point. */
static void
test_edges (void)
{
  static const double views[][3] = {{-1e6, -1e6, 1}, {1e6, 1e6, 1},       {-100, -100, 1},  {4900, 2950, 3},
                                    {0, 0, 1e-3},    {-1e5, -1e5, 0.002}, {4900, 2900, 0.1}};
  Source source = {.levels = 2};
  g_autoptr (Image) image = make_image (&source);
  g_autoptr (Tiles) tiles = tiles_new ();
  for (guint i = 0; i < G_N_ELEMENTS (views); i++) {
    TilesPart part;
    g_assert_true (look (tiles, image, views[i][0], views[i][1], views[i][2], 0, &part));
    assert_values (&part, (guint) log2 (part.factor));
    image_unref (part.image);
  }
}

/* What is not seen is not read. */
static void
test_channels (void)
{
  const gboolean seen[] = {FALSE, TRUE};
  Source source = {.levels = 1};
  g_autoptr (Image) image = make_image (&source);
  g_autoptr (Tiles) tiles = tiles_new ();
  TilesPart part;
  g_assert_true (tiles_part (
    tiles, &(TilesLook){.image = image, .seen = seen, .x = 600, .y = 600, .width = 100, .height = 100, .zoom = 1},
    &part, NULL));
  g_assert_cmpint (source.pixels, ==, 512 * 512);
  g_assert_cmpfloat (image_value (part.image, 0, 9, 9), ==, 0);
  g_assert_cmpfloat (image_value (part.image, 1, 9, 9), ==, value_at (3, part.y + 9, part.x + 9));
  image_unref (part.image);
}

/* Numbers of objects have no mean: of each four the first is seen, and means where they are a picture again. */
static void
test_numbers (void)
{
  Source source = {.levels = 1};
  g_autoptr (Image) image = make_image (&source);
  g_autoptr (Tiles) tiles = tiles_new ();
  for (int numbers = 1; numbers >= 0; numbers--) {
    const TilesLook look = {
      .image = image, .numbers = numbers, .x = 600, .y = 600, .width = 400, .height = 400, .zoom = 0.25};
    TilesPart part;
    g_assert_true (tiles_part (tiles, &look, &part, NULL));
    for (gint64 y = 0; y < 90; y++)
      for (gint64 x = 0; x < 90; x++)
        g_assert_cmpfloat (image_value (part.image, 0, y, x), ==,
                           numbers ? value_at (0, 4 * (part.y + y), 4 * (part.x + x))
                                   : level_value (2, 0, part.y + y, part.x + x));
    image_unref (part.image);
  }
}

/* Tiles that would take too long are shown coarser and read later. */
static void
test_time (void)
{
  Source source = {.levels = 1};
  g_autoptr (Image) image = make_image (&source);
  g_autoptr (Tiles) tiles = tiles_new ();
  TilesPart part;
  int settings = 0;
  g_assert_true (look (tiles, image, 0, 0, 0.08, 0, &part)); /* all of it, an eighth as large */
  image_unref (part.image);
  source.slow = TRUE;
  g_assert_true (look (tiles, image, 1800, 1900, 0.5, 1, &part));
  g_assert_false (part.complete);
  g_assert_cmpfloat (image_value (part.image, 0, 140, 390), ==,
                     level_value (3, 1, (part.y + 140) / 4, (part.x + 390) / 4));
  do {
    image_unref (part.image);
    g_assert_true (look (tiles, image, 1800, 1900, 0.5, 1, &part));
  } while (!part.complete && ++settings < 50);
  assert_values (&part, 1);
  g_assert_cmpint (settings, >, 0);
  image_unref (part.image);
}

/* From further away it is made of what was seen. */
static void
test_coarser (void)
{
  Source source = {.levels = 1};
  g_autoptr (Image) image = make_image (&source);
  g_autoptr (Tiles) tiles = tiles_new ();
  TilesPart part;
  g_assert_true (look (tiles, image, 0, 0, 0.08, 0, &part)); /* all of it, an eighth as large */
  image_unref (part.image);
  gint before = source.pixels;
  for (guint level = 4; level < 6; level++) {
    g_assert_true (look (tiles, image, 0, 0, ldexp (1, -(int) level), 0, &part));
    assert_values (&part, level);
    image_unref (part.image);
  }
  g_assert_cmpint (source.pixels, ==, before);
}

/* A tile that cannot be read is black, and the error is reported once. */
static void
test_fault (void)
{
  Source source = {.levels = 1, .faulty = TRUE};
  g_autoptr (Image) image = make_image (&source);
  g_autoptr (Tiles) tiles = tiles_new ();
  TilesPart part;
  g_assert_true (look (tiles, image, 0, 900, 1, 0, &part));
  g_assert_nonnull (strstr (part.fault->message, "row 1000 is damaged"));
  g_assert_cmpfloat (image_value (part.image, 0, 1000 - part.y, 10), ==, 0);
  g_assert_cmpfloat (image_value (part.image, 0, 1100 - part.y, 10), ==, value_at (1, 1100, part.x + 10));
  image_unref (part.image);
  g_clear_error (&part.fault);
  g_assert_true (look (tiles, image, 0, 900, 1, 0, &part));
  g_assert_null (part.fault);
  image_unref (part.image);
}

/* What is kept is bounded: 4 GiB are looked at, a part after the other, in a quarter of a GiB. */
static gboolean
zeros (gpointer self, guint level, gint64 plane, const ImageRegion *r, void *to, gsize stride, GError **error)
{
  (void) self, (void) level, (void) plane, (void) error;
  for (gint64 y = 0; y < r->rows; y++)
    memset ((char *) to + (gsize) y * stride, 0, (gsize) r->columns);
  return TRUE;
}

static gboolean
large_level (gpointer self, guint n, ImageLevel *level)
{
  (void) self;
  *level = (ImageLevel){65536, 65536, TILE, TILE, FALSE};
  return n == 0;
}

static void
test_bounded (void)
{
  static const ImageSource functions = {large_level, zeros, source_free};
  const ImageInfo info = {
    .type = FV_U8, .role = FV_IMAGE, .frames = 1, .channels = 1, .depth = 1, .rows = 65536, .columns = 65536};
  g_autoptr (Image) image = image_new_from_source (&info, &functions, NULL, NULL);
  g_autoptr (Tiles) tiles = tiles_new ();
  g_assert_true (tiles_suit (image, 0));
  for (int i = 0; i < 40; i++) {
    const TilesLook look = {
      .image = image, .x = 4096 * (i % 16), .y = 4096 * (i / 16), .width = 4096, .height = 4096, .zoom = 1};
    TilesPart part;
    g_assert_true (tiles_part (tiles, &look, &part, NULL));
    image_unref (part.image);
    g_assert_cmpuint (tiles_bytes (tiles), <=, (gsize) 300 << 20);
  }
  g_assert_cmpuint (tiles_bytes (tiles), >, (gsize) 200 << 20);
}

typedef struct {
  ImageLevel level; /* the first; others are halves of it */
  guint levels;
  gboolean suits;
} Layout;

static gboolean
layout_level (gpointer self, guint n, ImageLevel *level)
{
  const Layout *layout = self;
  *level = layout->level;
  level->rows >>= n;
  level->columns >>= n;
  return n < layout->levels;
}

/* What has a pyramid, however small, and planes above 256 MiB in chunks of at most 4096 x 4096 pixels, or of any where it lies as it is. */
static void
test_suits (void)
{
  static const ImageSource functions = {layout_level, zeros, source_free};
  static const Layout layouts[] = {
    {{600, 500, TILE, TILE, FALSE}, 2, TRUE},        {{600, 500, TILE, TILE, FALSE}, 1, FALSE},
    {{16384, 16384, TILE, TILE, FALSE}, 1, FALSE},   {{16384, 16385, TILE, TILE, FALSE}, 1, TRUE},
    {{16384, 16385, 4096, 4096, FALSE}, 1, TRUE},    {{16384, 16385, 1, 16385, FALSE}, 1, TRUE},
    {{16384, 16385, 16384, 16385, FALSE}, 1, FALSE}, {{16384, 16385, 16384, 16385, TRUE}, 1, TRUE},
    {{16384, 16385, 1025, 16385, FALSE}, 1, FALSE},
  };
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++) {
    const ImageInfo info = {.type = FV_U8,
                            .role = FV_IMAGE,
                            .frames = 1,
                            .channels = 1,
                            .depth = 1,
                            .rows = layouts[i].level.rows,
                            .columns = layouts[i].level.columns};
    g_autoptr (Image) image = image_new_from_source (&info, &functions, (gpointer) &layouts[i], NULL);
    g_assert_cmpint (tiles_suit (image, 0), ==, layouts[i].suits);
  }
}

/* Where a level's tiles are halves of those before: one level of the file, and as many pixels read for each. More strips than usual are read at a
 * time when one screen pixel covers more rows than that. */
static void
test_halves (void)
{
  static const ImageSource functions = {layout_level, zeros, source_free};
  static const Layout layouts[] = {{{20000, 20000, 16, 20000, FALSE}, 1, TRUE},
                                   {{8192, 8192, TILE, TILE, FALSE}, 3, TRUE}};
  static const guint first[] = {1, 4}, last[] = {7, 11}; /* of 128 rows; of the file's last level and 2048 x 2048 */
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++) {
    const ImageLevel *whole = &layouts[i].level;
    const ImageInfo info = {.type = FV_U8,
                            .role = FV_IMAGE,
                            .frames = 1,
                            .channels = 1,
                            .depth = 1,
                            .rows = whole->rows,
                            .columns = whole->columns};
    g_autoptr (Image) image = image_new_from_source (&info, &functions, (gpointer) &layouts[i], NULL);
    TileLevel levels[TILE_LEVELS];
    g_assert_cmpuint (tile_levels_of (image, levels), ==, TILE_LEVELS);
    for (guint k = 1; k < TILE_LEVELS; k++)
      g_assert_cmpint (tile_is_half (&levels[k], &levels[k - 1]), ==, k >= first[i] && k <= last[i]);
  }
}

/* Where all values are known, and where some are. */
static void
test_sample (void)
{
  Source source = {.levels = 3}, plain = {.levels = 1};
  g_autoptr (Image) image = make_image (&source), small = make_image (&plain),
                    known = image_random (FV_U16, FV_IMAGE, 1, 1, 50, 70, 1);
  gint64 n;
  g_assert_null (plane_glimpse (image, 1, 1000, &n));
  {
    g_auto (PlaneSample) sample = {0};
    g_assert_true (plane_sample_take (&sample, image, 1, NULL));
    g_assert_false (sample.exact);
    g_assert_cmpint (source.pixels, <, ROWS * COLUMNS / 2);
    g_assert_cmpint (sample.info.rows * sample.info.columns, ==, source.pixels);
    int counts[256] = {0};
    for (gint64 i = 0; i < sample.info.columns; i++)
      counts[((const guint8 *) sample.pixels)[i]]++;
    for (int v = 0; v < 251; v++) /* all values are as frequent, but in means */
      g_assert_cmpfloat (fabs (counts[v] * 251.0 / (double) sample.info.columns - 1), <, 0.3);
  }
  gint read = source.pixels;
  {
    g_auto (PlaneSample) again = {0};
    g_assert_true (plane_sample_take (&again, image, 1, NULL) && again.pixels && !again.exact);
    g_assert_cmpint (source.pixels, ==, read); /* it was kept */
  }
  g_autofree double *values = plane_glimpse (image, 1, 1000, &n);
  g_assert_true (values && n > 500 && n < 2000);
  {
    g_auto (PlaneSample) sample = {0}; /* not large, and without a pyramid: it is read as a whole and stays */
    g_assert_true (plane_sample_take (&sample, small, 1, NULL));
    g_assert_true (sample.exact && sample.pixels == image_plane_now (small, 1));
  }
  g_auto (PlaneSample) sample = {0};
  g_assert_true (plane_sample_take (&sample, known, 0, NULL));
  g_assert_true (sample.exact && sample.pixels == image_plane (known, 0, NULL) && sample.info.rows == 50);
}

int
main (int argc, char **argv)
{
  init_tests (&argc, &argv);
  g_test_add_func ("/tiles/values", test_values);
  g_test_add_func ("/tiles/numbers", test_numbers);
  g_test_add_func ("/tiles/edges", test_edges);
  g_test_add_func ("/tiles/channels", test_channels);
  g_test_add_func ("/tiles/time", test_time);
  g_test_add_func ("/tiles/coarser", test_coarser);
  g_test_add_func ("/tiles/fault", test_fault);
  g_test_add_func ("/tiles/bounded", test_bounded);
  g_test_add_func ("/tiles/suits", test_suits);
  g_test_add_func ("/tiles/halves", test_halves);
  g_test_add_func ("/tiles/sample", test_sample);
  return g_test_run ();
}
