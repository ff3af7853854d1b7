/* SPDX-License-Identifier: MIT
 *
 * OpenSlide draws regions of any size with one thread: they are cut into blocks, and each thread draws some. Where a slide has nothing, its background
 * is seen, or white.
 */
#include "core/files/openslide/slide.h"

#include "core/base/file_error.h"
#include "core/base/file_name.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/files/openslide/library.h"
#include "core/files/openslide/vendor.h"
#include "core/files/shared/kept.h"

#include <math.h>
#include <string.h>

enum {
  BLOCK = 512 /* rows and columns */,
  TILE = 256 /* of slides that have none */,
  MAX_LEVELS = 32,
  MAX_SIDE = G_MAXINT32
};

struct FilesSlide {
  gatomicrefcount references;
  const OpenslideCalls *calls;
  Openslide *slide;
  char *path;
  GPtrArray *others;
  GPtrArray *pictures; /* names */
  guint8 background[3];
};

typedef struct {
  FilesSlide *slide;
  const char *picture; /* NULL: the slide */
  gint64 rows, columns;
  FilesKept *kept;
} Source;

/* ---- The file ---- */

static gboolean
fail (const FilesSlide *s, GError **error)
{
  const char *text = s->calls->error (s->slide);
  g_autofree char *visible = text_visible (text ? text : "it does not say why", "");
  return file_fail (error, FILE_ERROR_DAMAGED, s->path, "cannot be read by OpenSlide: %s.", visible);
}

/* "openslide.background-color", six hexadecimal digits. */
static void
set_background (FilesSlide *s)
{
  const char *text = s->calls->property (s->slide, "openslide.background-color");
  guint64 color = 0xffffff;
  if (text && strlen (text) == 6)
    g_ascii_string_to_unsigned (text, 16, 0, 0xffffff, &color, NULL);
  for (int i = 0; i < 3; i++)
    s->background[i] = (guint8) (color >> (16 - 8 * i));
}

FilesSlide *
files_slide_open (const char *path, const char *what, GError **error)
{
  g_autoptr (FilesSlide) s = g_new0 (FilesSlide, 1);
  g_atomic_ref_count_init (&s->references);
  s->path = g_strdup (path);
  s->others = openslide_vendor_others (path);
  s->pictures = g_ptr_array_new_with_free_func (g_free);
  s->calls = openslide_calls ();
  if (!s->calls) {
    file_fail (error, FILE_ERROR_UNSUPPORTED, path,
               "is %s, which OpenSlide reads: install the package libopenslide0, or libopenslide1 on newer systems.",
               what);
    return NULL;
  }
  s->slide = s->calls->open (path);
  if (!s->slide) {
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged, or %s of a kind that OpenSlide does not know.", what);
    return NULL;
  }
  if (s->calls->error (s->slide) && !fail (s, error))
    return NULL;
  const char *const *names = s->calls->pictures (s->slide);
  for (; names && *names; names++)
    if (strcmp (*names, "thumbnail")) /* which shows the slide */
      g_ptr_array_add (s->pictures, g_strdup (*names));
  set_background (s);
  return g_steal_pointer (&s);
}

FilesSlide *
files_slide_ref (FilesSlide *s)
{
  g_atomic_ref_count_inc (&s->references);
  return s;
}

void
files_slide_unref (FilesSlide *s)
{
  if (!g_atomic_ref_count_dec (&s->references))
    return;
  if (s->slide)
    s->calls->close (s->slide);
  g_ptr_array_unref (s->pictures);
  g_ptr_array_unref (s->others);
  g_free (s->path);
  g_free (s);
}

guint
files_slide_count (const FilesSlide *s)
{
  return 1 + s->pictures->len;
}

const GPtrArray *
files_slide_others (const FilesSlide *s)
{
  return s->others;
}

/* ---- Pixels ---- */

/* A region that is drawn block by block into planes of red, green and blue. */
typedef struct {
  const Source *source;
  const ImageRegion *region;
  gint32 level;
  guint64 across; /* blocks */
  guint8 *planes;
} Drawing;

/* Of premultiplied pixels above the background. */
static void
spread (const Drawing *d, const guint32 *from, gint64 row, gint64 rows, gint64 column, gint64 columns)
{
  const guint8 *background = d->source->slide->background;
  const gsize width = (gsize) d->region->columns, plane = width * (gsize) d->region->rows;
  for (gint64 y = 0; y < rows; y++) {
    guint8 *to = d->planes + (gsize) (row + y) * width + (gsize) column;
    for (gint64 x = 0; x < columns; x++, from++)
      for (guint c = 0; c < 3; c++) {
        const guint clear = 255 - (*from >> 24),
                    seen = (*from >> (16 - 8 * c) & 255) + (clear * background[c] + 127) / 255;
        to[c * plane + (gsize) x] = (guint8) MIN (seen, 255);
      }
  }
}

static gboolean
draw_block (gpointer data, guint64 i, GError **error)
{
  const Drawing *d = data;
  FilesSlide *s = d->source->slide;
  const gint64 row = (gint64) (i / d->across) * BLOCK, column = (gint64) (i % d->across) * BLOCK;
  const gint64 rows = MIN (BLOCK, d->region->rows - row), columns = MIN (BLOCK, d->region->columns - column);
  const double factor = s->calls->factor (s->slide, d->level);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) (rows * columns));
  s->calls->read (s->slide, pixels, (gint64) round ((double) (d->region->column + column) * factor),
                  (gint64) round ((double) (d->region->row + row) * factor), d->level, columns, rows);
  if (s->calls->error (s->slide))
    return fail (s, error);
  spread (d, pixels, row, rows, column, columns);
  return TRUE;
}

/* A picture is read as a whole. */
static gboolean
draw_picture (const Drawing *d, GError **error)
{
  const Source *source = d->source;
  FilesSlide *s = source->slide;
  g_autofree guint32 *pixels = g_try_new (guint32, (gsize) (source->rows * source->columns));
  if (!pixels)
    return file_fail (error, FILE_ERROR_OPEN, s->path, "cannot be read: '%s' does not fit into memory.",
                      source->picture);
  s->calls->read_picture (s->slide, source->picture, pixels);
  if (s->calls->error (s->slide))
    return fail (s, error);
  for (gint64 y = 0; y < d->region->rows; y++)
    spread (d, pixels + (d->region->row + y) * source->columns + d->region->column, y, 1, 0, d->region->columns);
  return TRUE;
}

static gboolean
draw (gpointer data, guint8 *planes, GError **error)
{
  Drawing *d = data;
  const guint64 down = (guint64) (d->region->rows - 1) / BLOCK + 1;
  d->planes = planes;
  d->across = (guint64) (d->region->columns - 1) / BLOCK + 1;
  return d->source->picture ? draw_picture (d, error) : parallel_do (d->across * down, G_MAXUINT, draw_block, d, error);
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *source = self;
  const gsize columns = (gsize) region->columns, bytes = columns * (gsize) region->rows;
  const FilesKeptRegion wanted = {level, 0, *region, 3 * bytes, 2};
  Drawing d = {.source = source, .region = region, .level = (gint32) level};
  g_autoptr (FilesKeptPixels) pixels = files_kept_take (source->kept, &wanted, draw, &d, error);
  for (gsize y = 0; pixels && y < (gsize) region->rows; y++)
    memcpy ((guint8 *) to + y * stride, files_kept_pixels (pixels) + (gsize) plane * bytes + y * columns, columns);
  return pixels != NULL;
}

/* ---- Levels ---- */

static gint64
tile_side (FilesSlide *s, guint level, const char *side)
{
  g_autofree char *name = g_strdup_printf ("openslide.level[%u].tile-%s", level, side);
  const char *text = s->calls->property (s->slide, name);
  guint64 tile = TILE;
  if (text)
    g_ascii_string_to_unsigned (text, 10, 1, MAX_SIDE, &tile, NULL);
  return (gint64) tile;
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *source = self;
  FilesSlide *s = source->slide;
  *level = (ImageLevel){source->rows, source->columns, source->rows, source->columns, FALSE};
  if (source->picture)
    return n == 0;
  if (n >= MAX_LEVELS || (gint32) n >= s->calls->levels (s->slide))
    return FALSE;
  s->calls->level_size (s->slide, (gint32) n, &level->columns, &level->rows);
  level->tile_rows = MIN (tile_side (s, n, "height"), level->rows);
  level->tile_columns = MIN (tile_side (s, n, "width"), level->columns);
  return level->rows > 0 && level->columns > 0;
}

/* ---- Opening ---- */

static void
source_free (gpointer self)
{
  Source *source = self;
  files_kept_free (source->kept);
  files_slide_unref (source->slide);
  g_free (source);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

/* In µm along an axis; 0: unknown. */
static double
pixel_size (FilesSlide *s, const char *axis)
{
  g_autofree char *name = g_strconcat ("openslide.mpp-", axis, NULL);
  const char *text = s->calls->property (s->slide, name);
  double size;
  return text && text_to_number (text, &size) && size > 0 ? size : 0;
}

static void
set_calibration (FilesSlide *s, gboolean is_slide, ImageInfo *info)
{
  const double sizes[3] = {0, is_slide ? pixel_size (s, "y") : 0, is_slide ? pixel_size (s, "x") : 0};
  for (int axis = 0; axis < 3; axis++) {
    const double size = sizes[axis ? axis : 2];
    info->spacing[axis] = axis && size > 0 ? size : 1;
    info->units[axis] = g_strdup (size > 0 ? "µm" : "");
  }
}

static GRefString *
describe (FilesSlide *s)
{
  static const char *const lines[][2] = {{"Vendor", "openslide.vendor"},
                                         {"Magnification", "openslide.objective-power"}};
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    const char *value = s->calls->property (s->slide, lines[i][1]);
    g_autofree char *visible = value && *value ? text_visible (value, "") : NULL;
    if (visible)
      g_string_append_printf (text, "%s: %s\n", lines[i][0], visible);
  }
  return text->len ? g_ref_string_new (text->str) : NULL;
}

static gboolean
set_size (Source *source, GError **error)
{
  FilesSlide *s = source->slide;
  if (source->picture)
    s->calls->picture_size (s->slide, source->picture, &source->columns, &source->rows);
  else
    s->calls->level_size (s->slide, 0, &source->columns, &source->rows);
  if (s->calls->error (s->slide))
    return fail (s, error);
  return (source->rows > 0 && source->columns > 0 && source->rows <= MAX_SIDE && source->columns <= MAX_SIDE)
         || file_fail (error, FILE_ERROR_DAMAGED, s->path, "is damaged: it has no size.");
}

Image *
files_slide_image (FilesSlide *s, guint n, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  g_autoptr (Source) source = g_new0 (Source, 1);
  g_autofree char *file = file_name_short (s->path);
  ImageInfo info = {.type = FV_U8, .role = FV_RGB, .number = n, .frames = 1, .channels = 3, .depth = 1};
  Image *image;
  source->slide = files_slide_ref (s);
  source->picture = n ? s->pictures->pdata[n - 1] : NULL;
  source->kept = files_kept_new (s->path);
  if (!set_size (source, error))
    return NULL;
  info.rows = source->rows;
  info.columns = source->columns;
  info.name = n                  ? g_strdup_printf ("%s: %s", file, source->picture)
              : s->pictures->len ? g_strdup_printf ("%s #1", file)
                                 : g_strdup (file);
  info.frame_unit = g_strdup ("");
  info.description = describe (s);
  set_calibration (s, n == 0, &info);
  image = image_info_check (&info, error) ? image_new_from_source (&info, &functions, g_steal_pointer (&source), error)
                                          : NULL;
  image_info_clear (&info);
  return image;
}
