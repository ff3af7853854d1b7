/* SPDX-License-Identifier: MIT
 *
 * libpng leaves through longjmp() when something is wrong, so what must survive that is in PngReader, which belongs to the
 * caller of the function that calls libpng.
 */
#include "core/files/pictures/png.h"

#include "core/files/shared/resolution.h"
#include "core/files/shared/samples.h"
#include "core/base/file_name.h"
#include "core/base/file_read.h"
#include "core/base/progress.h"

#include <glib/gstdio.h>
#include <png.h>

typedef struct {
  const char *path;
  FILE *file;
  png_struct *png;
  png_info *info;
  char fault[128]; /* what libpng complained about */
} Png;

static void
on_error (png_struct *png, const char *text)
{
  Png *p = png_get_error_ptr (png);
  g_strlcpy (p->fault, text, sizeof p->fault);
  png_longjmp (png, 1);
}

static void
on_warning (png_struct *png, const char *text)
{
  (void) png;
  (void) text;
}

/* ---- Pixel size ---- */

static void
read_pixel_size (const Png *p, ImageInfo *info)
{
  png_uint_32 x, y;
  int unit;
  if (png_get_pHYs (p->png, p->info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER)
    files_resolution_set (info, &(FilesResolution){x, 0.5}, &(FilesResolution){y, 0.5});
}

/* ---- Reading ---- */

typedef struct {
  Png base;
  guint64 bytes;           /* of the file */
  int passes;              /* over the rows */
  gboolean indices;        /* wanted in place of the colors of a palette */
  guint8 palette[3 * 256]; /* then it is here */
  guint colors;            /* of it; 0: there is none */
  ImageInfo info;
  FilesSamples samples;
  guint8 *pixels;
} PngReader;

/* Deflate makes at most 1032 bytes of one. */
static gboolean
check_claim (PngReader *r, GError **error)
{
  png_struct *png = r->base.png;
  gsize row = png_get_rowbytes (png, r->base.info), rows = png_get_image_height (png, r->base.info);
  if (row <= r->bytes * 1032 / rows)
    return TRUE;
  return file_fail (error, FILE_ERROR_DAMAGED, r->base.path,
                    "is damaged: it claims %" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT " pixels, more than it can hold.",
                    (gsize) png_get_image_width (png, r->base.info), rows);
}

static gboolean
palette_is_gray (const Png *p)
{
  png_color *palette;
  int n;
  gboolean gray = png_get_PLTE (p->png, p->info, &palette, &n) != 0;
  for (int i = 0; gray && i < n; i++)
    gray = palette[i].red == palette[i].green && palette[i].red == palette[i].blue;
  return gray;
}

static void
keep_palette (PngReader *r)
{
  png_color *palette;
  int n;
  r->colors = png_get_PLTE (r->base.png, r->base.info, &palette, &n) ? (guint) n : 0;
  for (guint i = 0; i < r->colors; i++) {
    r->palette[3 * i] = palette[i].red;
    r->palette[3 * i + 1] = palette[i].green;
    r->palette[3 * i + 2] = palette[i].blue;
  }
}

/* Asks libpng for bytes or native 16-bit numbers and says what they mean. */
static void
set_transformations (PngReader *r)
{
  png_struct *png = r->base.png;
  int color = png_get_color_type (png, r->base.info), bits = png_get_bit_depth (png, r->base.info);
  r->info.type = bits == 16 ? FV_U16 : FV_U8;
  if (color == PNG_COLOR_TYPE_PALETTE) {
    keep_palette (r);
    r->info.source_type = palette_is_gray (&r->base) ? NULL : g_strdup (IMAGE_INFO_INDEXED);
  }
  if (color == PNG_COLOR_TYPE_PALETTE && r->indices) {
    png_set_packing (png);
  } else if (color == PNG_COLOR_TYPE_PALETTE) {
    r->samples.gray = palette_is_gray (&r->base);
    png_set_palette_to_rgb (png);
    if (png_get_valid (png, r->base.info, PNG_INFO_tRNS))
      png_set_tRNS_to_alpha (png);
  } else if (bits == 1) {
    png_set_expand_gray_1_2_4_to_8 (png);
    r->info.role = FV_MASK;
  } else if (bits < 8) {
    png_set_packing (png);
    r->info.display_ranges = g_new0 (double, 2);
    r->info.display_ranges[1] = (1 << bits) - 1;
  }
  if (bits < 8 && color == PNG_COLOR_TYPE_GRAY)
    r->info.source_type = bits == 1 ? g_strdup ("bool") : g_strdup_printf ("uint%d", bits);
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (png);
}

/* Reads the header. */
static gboolean
read_header (PngReader *r, GError **error)
{
  png_struct *png = r->base.png;
  png_set_user_limits (png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_init_io (png, r->base.file);
  png_read_info (png, r->base.info);
  if (!check_claim (r, error))
    return FALSE;
  set_transformations (r);
  read_pixel_size (&r->base, &r->info);
  r->passes = png_set_interlace_handling (png);
  png_read_update_info (png, r->base.info);
  r->info.rows = png_get_image_height (png, r->base.info);
  r->info.columns = png_get_image_width (png, r->base.info);
  r->samples.samples = png_get_channels (png, r->base.info);
  r->samples.row_bytes = png_get_rowbytes (png, r->base.info);
  return TRUE;
}

static gboolean
read_pixels (PngReader *r, GError **error)
{
  png_struct *png = r->base.png;
  r->samples.pixels = r->pixels = g_try_malloc_n ((gsize) r->info.rows, r->samples.row_bytes);
  if (!r->pixels)
    return file_fail (error, FILE_ERROR_OPEN, r->base.path, "does not fit into the memory.");
  for (int pass = 0; pass < r->passes; pass++)
    for (gint64 y = 0; y < r->info.rows; y++) {
      if (progress_stopped (error))
        return FALSE;
      png_read_row (png, r->pixels + (gsize) y * r->samples.row_bytes, NULL);
    }
  png_read_end (png, NULL);
  return TRUE;
}

/* Reads the header or everything. libpng's own faults set base.fault and no *error. */
static gboolean
read_file (PngReader *r, gboolean pixels, GError **error)
{
  if (setjmp (png_jmpbuf (r->base.png)))
    return FALSE;
  return read_header (r, error) && (!pixels || read_pixels (r, error));
}

/* Takes the stream, which has so many bytes. FALSE with *error; reader_close() in any case. */
static gboolean
reader_open_stream (PngReader *r, const char *path, FILE *file, guint64 bytes, gboolean pixels, GError **error)
{
  GError *fault = NULL;
  const gboolean indices = r->indices;
  *r = (PngReader){.base = {.path = path, .file = file},
                   .bytes = bytes,
                   .indices = indices,
                   .info = {.frames = 1, .channels = 1, .depth = 1, .spacing = {1, 1, 1}}};
  r->base.png = png_create_read_struct (PNG_LIBPNG_VER_STRING, &r->base, on_error, on_warning);
  r->base.info = png_create_info_struct (r->base.png);
  r->info.name = file_name_short (path);
  if (read_file (r, pixels, &fault))
    return TRUE;
  if (fault)
    g_propagate_error (error, fault);
  else
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged or truncated (%s).", r->base.fault);
  return FALSE;
}

/* The same of a file. */
static gboolean
reader_open (PngReader *r, const char *path, gboolean pixels, GError **error)
{
  struct stat about;
  FILE *file = file_open_stream (path, &about, error);
  return file && reader_open_stream (r, path, file, (guint64) about.st_size, pixels, error);
}

static void
reader_close (PngReader *r)
{
  if (r->base.png)
    png_destroy_read_struct (&r->base.png, &r->base.info, NULL);
  if (r->base.file)
    fclose (r->base.file);
  g_free (r->pixels);
  image_info_clear (&r->info);
}

gboolean
files_png_read (const char *path, guint8 *bytes, gsize n, gboolean pixels, FilesPng *png, GError **error)
{
  PngReader r = {0};
  const gboolean read = reader_open_stream (&r, path, fmemopen (bytes, n, "rb"), n, pixels, error);
  *png = (FilesPng){.samples = r.samples, .pixels = g_steal_pointer (&r.pixels)};
  image_info_copy (&png->info, &r.info);
  reader_close (&r);
  return read;
}

void
files_png_clear (FilesPng *png)
{
  g_free (png->pixels);
  image_info_clear (&png->info);
}

/* As far as is known without pixels. */
static gboolean
may_be_labels (const PngReader *r)
{
  return r->colors > 2 && !r->samples.gray && !r->palette[0] && !r->palette[1] && !r->palette[2];
}

/* The labels that the indices of a palette are; NULL: they are none. */
static Image *
open_labels (const char *path)
{
  PngReader r = {.indices = TRUE};
  Image *image = reader_open (&r, path, TRUE, NULL)
                     && files_samples_are_labels (&r.samples, r.info.rows, r.info.columns, r.palette, r.colors)
                   ? files_samples_image (&r.info, &r.samples, NULL)
                   : NULL;
  reader_close (&r);
  return image;
}

Image *
files_png_open (const char *path, GError **error)
{
  PngReader r = {0};
  Image *image = reader_open (&r, path, TRUE, error) ? files_samples_image (&r.info, &r.samples, error) : NULL;
  Image *labels = image && may_be_labels (&r) ? open_labels (path) : NULL;
  reader_close (&r);
  if (labels)
    image_unref (image);
  return labels ? labels : image;
}

gboolean
files_png_describe (const char *path, ImageInfo *info, const char **depends, GError **error)
{
  PngReader r = {0};
  gboolean read = reader_open (&r, path, FALSE, error);
  if (read)
    *depends = files_samples_describe (&r.info, &r.samples, FALSE, info);
  if (read && may_be_labels (&r))
    *depends =
      *depends ? FILES_SAMPLES_LABELS ", and one more if its alpha is not opaque everywhere" : FILES_SAMPLES_LABELS;
  reader_close (&r);
  return read;
}
