/* SPDX-License-Identifier: MIT
 *
 * libpng leaves through longjmp() when something is wrong, so what must survive that is in PngReader and PngWriter,
 * which belong to the caller of the function that calls libpng.
 */
#include "core/files/png.h"

#include "core/base/file_target.h"
#include "core/files/shared/samples.h"
#include "core/base/file_read.h"
#include "core/base/progress.h"
#include "core/base/units.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <png.h>
#include <string.h>

typedef struct {
  const char *path;
  FILE *file;
  png_struct *png;
  png_info *info;
  char fault[128]; /* what libpng complained about */
} Png;

gboolean
files_png_is (const guint8 *head, gsize n)
{
  return n >= 8 && !png_sig_cmp (head, 0, 8);
}

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

/* Whether so many pixels per metre are a resolution in dots per inch that programs write unasked. */
static gboolean
is_usual_resolution (guint32 per_metre)
{
  static const int usual[] = {72,  75,  90,  96,  100, 120, 144, 150,  180, 192,
                              200, 240, 300, 360, 400, 600, 720, 1200, 2400};
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    if (fabs (per_metre - usual[i] / 0.0254) <= 1)
      return TRUE;
  return FALSE;
}

/* The shortest number of micrometres that is so many pixels per metre. */
static double
micrometres (guint32 per_metre)
{
  double size = 1e6 / per_metre;
  for (int digits = 1; digits < 17; digits++) {
    char text[G_ASCII_DTOSTR_BUF_SIZE], format[] = {'%', '.', '0', '0', 'e', 0};
    format[2] = (char) ('0' + digits / 10);
    format[3] = (char) ('0' + digits % 10);
    size = g_ascii_strtod (g_ascii_formatd (text, sizeof text, format, 1e6 / per_metre), NULL);
    if (lround (1e6 / size) == (long) per_metre)
      break;
  }
  return size;
}

static void
read_pixel_size (const Png *p, ImageInfo *info)
{
  png_uint_32 x, y;
  int unit;
  if (!png_get_pHYs (p->png, p->info, &x, &y, &unit) || unit != PNG_RESOLUTION_METER || !x || !y
      || (is_usual_resolution (x) && is_usual_resolution (y)))
    return;
  info->spacing[1] = micrometres (y);
  info->spacing[2] = micrometres (x);
  for (int i = 0; i < 3; i++)
    info->units[i] = g_strdup ("µm");
}

/* ---- Reading ---- */

typedef struct {
  Png base;
  guint64 bytes; /* of the file */
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

/* Asks libpng for bytes or native 16-bit numbers and says what they mean. */
static void
set_transformations (PngReader *r)
{
  png_struct *png = r->base.png;
  int color = png_get_color_type (png, r->base.info), bits = png_get_bit_depth (png, r->base.info);
  r->info.type = bits == 16 ? FV_U16 : FV_U8;
  if (color == PNG_COLOR_TYPE_PALETTE) {
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

/* Reads everything. libpng's own faults set base.fault and no *error. */
static gboolean
read_file (PngReader *r, GError **error)
{
  png_struct *png = r->base.png;
  int passes;
  if (setjmp (png_jmpbuf (png)))
    return FALSE;
  png_set_user_limits (png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_init_io (png, r->base.file);
  png_read_info (png, r->base.info);
  if (!check_claim (r, error))
    return FALSE;
  set_transformations (r);
  read_pixel_size (&r->base, &r->info);
  passes = png_set_interlace_handling (png);
  png_read_update_info (png, r->base.info);
  r->info.rows = png_get_image_height (png, r->base.info);
  r->info.columns = png_get_image_width (png, r->base.info);
  r->samples.samples = png_get_channels (png, r->base.info);
  r->samples.row_bytes = png_get_rowbytes (png, r->base.info);
  r->samples.pixels = r->pixels = g_try_malloc_n ((gsize) r->info.rows, r->samples.row_bytes);
  if (!r->pixels)
    return file_fail (error, FILE_ERROR_OPEN, r->base.path, "does not fit into the memory.");
  for (int pass = 0; pass < passes; pass++)
    for (gint64 y = 0; y < r->info.rows; y++) {
      if (progress_stopped (error))
        return FALSE;
      png_read_row (png, r->pixels + (gsize) y * r->samples.row_bytes, NULL);
    }
  png_read_end (png, NULL);
  return TRUE;
}

Image *
files_png_open (const char *path, GError **error)
{
  PngReader r = {.base = {.path = path}, .info = {.frames = 1, .channels = 1, .depth = 1, .spacing = {1, 1, 1}}};
  Image *image = NULL;
  GError *fault = NULL;
  struct stat about;
  int fd = file_open_regular (path, 0, &about, error);
  if (fd < 0)
    return NULL;
  r.base.file = fdopen (fd, "rb");
  r.bytes = (guint64) about.st_size;
  r.base.png = png_create_read_struct (PNG_LIBPNG_VER_STRING, &r.base, on_error, on_warning);
  r.base.info = png_create_info_struct (r.base.png);
  r.info.name = g_filename_display_basename (path);
  if (read_file (&r, &fault))
    image = files_samples_image (&r.info, &r.samples, error);
  else if (fault)
    g_propagate_error (error, fault);
  else
    file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged or truncated (%s).", r.base.fault);
  png_destroy_read_struct (&r.base.png, &r.base.info, NULL);
  fclose (r.base.file);
  g_free (r.pixels);
  image_info_clear (&r.info);
  return image;
}

/* ---- Writing ---- */

typedef struct {
  Png base;
  FileTarget *target;
  GError *error; /* of the target or the stopped work */
  const ImageInfo *info;
  const void *planes[3];
  guint8 *row; /* one row as PNG wants it */
  int channels, bits;
} PngWriter;

static void
write_pixel_size (const PngWriter *w)
{
  double per_metre[2];
  for (int i = 0; i < 2; i++) {
    per_metre[i] = 1 / (w->info->spacing[1 + i] * units_factor (w->info->units[1 + i], "m"));
    if (!(per_metre[i] >= 1 && per_metre[i] <= G_MAXINT32))
      return;
  }
  png_set_pHYs (w->base.png, w->base.info, (png_uint_32) lround (per_metre[1]), (png_uint_32) lround (per_metre[0]),
                PNG_RESOLUTION_METER);
}

/* Pixels that were widened from a file's integers are whole numbers, too. */
static gboolean
has_whole_numbers (const ImageInfo *info)
{
  return info->type == FV_I32 || (info->type == FV_F64 && info->source_type);
}

static double
whole_number (const ImageInfo *info, const void *plane, gsize i)
{
  return info->type == FV_I32 ? ((const gint32 *) plane)[i] : ((const double *) plane)[i];
}

/* Row y in PNG's form; 16-bit numbers are still in this machine's byte order. */
static const guint8 *
make_row (PngWriter *w, gint64 y)
{
  gsize columns = (gsize) w->info->columns, start = (gsize) y * columns;
  if (w->channels == 3)
    files_samples_interleave (w->row, (const guint8 *const *) w->planes, w->info->columns, y, 1);
  else if (w->info->type == FV_U8)
    memcpy (w->row, (const guint8 *) w->planes[0] + start, columns);
  else if (w->info->type == FV_U16)
    memcpy (w->row, (const guint16 *) w->planes[0] + start, columns * 2);
  else
    for (gsize x = 0; x < columns; x++)
      ((guint16 *) w->row)[x] = (guint16) whole_number (w->info, w->planes[0], start + x);
  return w->row;
}

static void
write_bytes (png_struct *png, guint8 *bytes, gsize n)
{
  PngWriter *w = png_get_io_ptr (png);
  if (!file_target_write (w->target, bytes, n, &w->error))
    png_error (png, "stopped");
}

static void
check_stop (png_struct *png)
{
  PngWriter *w = png_get_io_ptr (png);
  if (progress_stopped (&w->error))
    png_error (png, "stopped");
}

static void
flush_nothing (png_struct *png)
{
  (void) png;
}

static gboolean
write_file (PngWriter *w)
{
  png_struct *png = w->base.png;
  if (setjmp (png_jmpbuf (png)))
    return FALSE;
  png_set_user_limits (png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_write_fn (png, w, write_bytes, flush_nothing);
  png_set_IHDR (png, w->base.info, (png_uint_32) w->info->columns, (png_uint_32) w->info->rows, w->bits,
                w->channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  write_pixel_size (w);
  png_write_info (png, w->base.info);
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (png);
  for (gint64 y = 0; y < w->info->rows; y++) {
    check_stop (png);
    png_write_row (png, make_row (w, y));
  }
  png_write_end (png, NULL);
  return TRUE;
}

/* Whether PNG can hold the image, as far as that can be said without its pixels. */
static gboolean
check_kind (const ImageInfo *info, const char *path, GError **error)
{
  gint64 planes = image_info_planes (info);
  if (planes != 1 && !(info->role == FV_RGB && planes == 3))
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: PNG holds one plane and '%s' has %" G_GINT64_FORMAT
                      "; save it as .tif, or take one plane first.",
                      info->name, planes);
  if (info->type & FV_FLOATS && !has_whole_numbers (info))
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: PNG holds whole numbers from 0 to 65535 and '%s' "
                      "has decimal ones; save it as .tif, or convert it to 8-bit or 16-bit first.",
                      info->name);
  if (info->rows > PNG_UINT_31_MAX || info->columns > PNG_UINT_31_MAX)
    return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: it is too large for PNG; save it as .tif.");
  return TRUE;
}

/* Gets the planes and sees that integers fit into 16 bits. */
static gboolean
get_planes (PngWriter *w, Image *image, GError **error)
{
  const ImageInfo *info = w->info;
  gsize n = (gsize) info->rows * (gsize) info->columns;
  for (int c = 0; c < w->channels; c++)
    if (!(w->planes[c] = image_plane (image, c, error)))
      return FALSE;
  for (gsize i = 0; has_whole_numbers (info) && i < n; i++) {
    double value = whole_number (info, w->planes[0], i);
    if (value < 0 || value > G_MAXUINT16)
      return file_fail (error, FILE_ERROR_WRITE, w->base.path,
                        "cannot be written: PNG holds numbers from 0 to 65535 and "
                        "'%s' has %.0f; save it as .tif.",
                        info->name, value);
  }
  return TRUE;
}

static gboolean
write_to (PngWriter *w, GError **error)
{
  gboolean written;
  w->row = g_try_malloc_n ((gsize) w->info->columns, (gsize) (w->channels * w->bits / 8));
  w->base.png = w->row ? png_create_write_struct (PNG_LIBPNG_VER_STRING, &w->base, on_error, on_warning) : NULL;
  w->base.info = w->base.png ? png_create_info_struct (w->base.png) : NULL;
  written = w->base.info && write_file (w);
  if (w->error)
    g_propagate_error (error, w->error);
  else if (!written)
    file_fail (error, FILE_ERROR_WRITE, w->base.path, "cannot be written: %s.",
               w->base.info ? w->base.fault : "there is not enough memory");
  png_destroy_write_struct (&w->base.png, &w->base.info);
  g_free (w->row);
  return written;
}

gboolean
files_png_save (Image *image, const char *path, GError **error)
{
  g_autoptr (FileTarget) target = NULL;
  const ImageInfo *info = image_info (image);
  PngWriter w = {.base = {.path = path},
                 .info = info,
                 .channels = info->role == FV_RGB ? 3 : 1,
                 .bits = info->type == FV_U8 ? 8 : 16};
  if (!check_kind (info, path, error) || !get_planes (&w, image, error))
    return FALSE;
  target = w.target = file_target_new (path, error);
  return target && write_to (&w, error) && file_target_commit (g_steal_pointer (&target), error);
}
