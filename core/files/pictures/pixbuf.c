/* SPDX-License-Identifier: MIT
 *
 * gdk-pixbuf is asked for the size first, so that nothing is allocated for a size that the file cannot hold.
 */
#include "core/files/pictures/pixbuf.h"

#include "core/base/error.h"
#include "core/base/file_name.h"
#include "core/base/fork.h"
#include "core/base/file_target.h"
#include "core/data/pixel_type.h"
#include "core/files/shared/jpeg.h"
#include "core/files/pictures/lossless_picture.h"
#include "core/files/shared/samples.h"
#include "core/base/file_read.h"
#include "core/base/progress.h"
#include "core/ops/module_path.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gstdio.h>
#include <string.h>

typedef struct Format Format;

typedef struct {
  const char *path;
  const Format *format;
  guint8 *bytes;
  gsize size;
  int rows, columns; /* as claimed */
  gboolean refused;  /* for that claim */
} Source;

struct Format {
  const char *type, *mime; /* the key of the format, and by what gdk-pixbuf finds a loader */
  const char *head;        /* first bytes; '?' is any byte */
  gsize length;
  guint64 ratio; /* pixels that one byte of the file can make at most */
  /* Looks for faults that gdk-pixbuf passes over, or NULL. */
  gboolean (*check) (Source *s, GError **error);
  const char *package; /* that often has a loader */
};

/* Before a decoder is asked for. What is added last is asked first, so the system's list has to be there already. */
static gboolean
take_own_decoders (void)
{
  g_autofree char *folder = module_path_decoders ();
  if (folder) {
    g_slist_free (gdk_pixbuf_get_formats ());
    gdk_pixbuf_init_modules (folder, NULL);
  }
  return TRUE;
}

static void
prepare_decoders (void)
{
  static int state;
  fork_once (&state, take_own_decoders);
}

/* ---- What gdk-pixbuf does not check ---- */

static guint64
max_pixels (const Source *s)
{
  return (s->size + 64) * s->format->ratio;
}

static guint32
little_endian (const guint8 *p, int n)
{
  return n ? p[0] | little_endian (p + 1, n - 1) << 8 : 0;
}

/* Whether an uncompressed BMP file has what its header claims; the decoder would leave missing rows black. */
static gboolean
check_bmp (Source *s, GError **error)
{
  const guint8 *b = s->bytes;
  guint64 columns, rows, bits, row, header = s->size < 26 ? 0 : little_endian (b + 14, 4);
  guint64 start = s->size < 26 ? 0 : little_endian (b + 10, 4);
  gboolean old = header == 12;
  if ((!old && (header < 40 || header > 124)) || start < 14 + header || start >= s->size
      || (!old && little_endian (b + 46, 4) > (start - 14 - header) / 4))
    return file_fail (error, FILE_ERROR_DAMAGED, s->path, "is damaged or truncated.");
  columns = old ? little_endian (b + 18, 2) : little_endian (b + 18, 4);
  rows = old ? little_endian (b + 20, 2) : (guint64) ABS ((gint64) (gint32) little_endian (b + 22, 4));
  bits = little_endian (b + (old ? 24 : 28), 2);
  if (!old && (b[30] == 1 || b[30] == 2))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, s->path,
                      "is a run-length compressed BMP file: save it as PNG first.");
  row = (columns * bits + 31) / 32 * 4;
  if (row && rows && rows <= (s->size - start) / row)
    return TRUE;
  return file_fail (error, FILE_ERROR_DAMAGED, s->path,
                    "is truncated: it has less than its %" G_GUINT64_FORMAT " rows.", rows);
}

static gboolean
check_jpeg (Source *s, GError **error)
{
  return files_jpeg_check (s->path, s->bytes, s->size, max_pixels (s), error);
}

/* ---- Reading ---- */

enum { FLAT = 1 << 17 /* pixels of a byte, where large areas of one color need next to nothing */ };

static const Format formats[] = {
  {"jpeg", "image/jpeg", "\xff\xd8\xff", 3, 1024, check_jpeg, "libgdk-pixbuf-2.0-0"},
  {"bmp", "image/bmp", "BM", 2, 8, check_bmp, "libgdk-pixbuf-2.0-0"},
  {"webp", "image/webp", "RIFF????WEBP", 12, 16384, NULL, "webp-pixbuf-loader"},
  {"heif", "image/heif", "????ftyphei", 11, FLAT, NULL, "heif-gdk-pixbuf"},
  {"heif", "image/heif", "????ftyphev", 11, FLAT, NULL, "heif-gdk-pixbuf"},
  {"heif", "image/heif", "????ftypmif", 11, FLAT, NULL, "heif-gdk-pixbuf"},
  {"heif", "image/heif", "????ftypmsf", 11, FLAT, NULL, "heif-gdk-pixbuf"},
  {"avif", "image/avif", "????ftypavi", 11, FLAT, NULL, "libavif-gdk-pixbuf"},
  {"jxl", "image/jxl", "\0\0\0\x0cJXL \r\n\x87\n", 12, FLAT, NULL, "libjxl-gdk-pixbuf"},
  {"jxl", "image/jxl", "\xff\x0a", 2, FLAT, NULL, "libjxl-gdk-pixbuf"},
};

static const Format *
find_format (const guint8 *head, gsize n)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    gsize same = 0;
    while (same < formats[i].length && same < n
           && (formats[i].head[same] == '?' || head[same] == (guint8) formats[i].head[same]))
      same++;
    if (same == formats[i].length)
      return &formats[i];
  }
  return NULL;
}

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  const Format *format = find_format (head, n);
  (void) path;
  return format && !strcmp (format->type, self->key);
}

/* Called before the pixels are allocated. A size of 0 makes the loader stop. */
static void
on_size (GdkPixbufLoader *loader, int columns, int rows, gpointer data)
{
  Source *s = data;
  s->rows = rows;
  s->columns = columns;
  s->refused = (guint64) rows * (guint64) columns > max_pixels (s);
  if (s->refused)
    gdk_pixbuf_loader_set_size (loader, 0, 0);
}

/* Gives the loader the file. */
static gboolean
feed (GdkPixbufLoader *loader, const Source *s, GError **error)
{
  for (gsize at = 0, n; at < s->size; at += n) {
    n = MIN (s->size - at, 1 << 18);
    if (progress_stopped (error) || !gdk_pixbuf_loader_write (loader, s->bytes + at, n, error))
      return FALSE;
  }
  return TRUE;
}

static GdkPixbufLoader *
new_loader (Source *s, GError **error)
{
  prepare_decoders ();
  GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_mime_type (s->format->mime, NULL);
  if (loader)
    g_signal_connect (loader, "size-prepared", G_CALLBACK (on_size), s);
  else
    file_fail (
      error, FILE_ERROR_UNSUPPORTED, s->path,
      "cannot be opened: gdk-pixbuf has no loader for %s here. The package %s has one; or save it as TIFF or PNG "
      "with GIMP or ImageMagick.",
      s->format->mime, s->format->package);
  return loader;
}

/* Gives the reason for the missing picture. Takes the fault, which may be NULL. */
static void
fail_to_decode (const Source *s, GError *fault, GError **error)
{
  g_autoptr (GError) own = fault;
  if (fault && step_error_is_cancelled (fault))
    g_propagate_error (error, g_steal_pointer (&own));
  else if (s->refused)
    file_fail (error, FILE_ERROR_DAMAGED, s->path, "is damaged: it claims %d×%d pixels, more than it can hold.",
               s->columns, s->rows);
  else
    file_fail (error, FILE_ERROR_DAMAGED, s->path, "is damaged or truncated (%s).",
               fault ? fault->message : "no image");
}

/* The decoded picture as the file wants it shown. */
static GdkPixbuf *
decode (Source *s, GError **error)
{
  GError *fault = NULL;
  g_autoptr (GdkPixbufLoader) loader = new_loader (s, error);
  if (!loader)
    return NULL;
  gboolean complete = feed (loader, s, &fault);
  complete = gdk_pixbuf_loader_close (loader, complete ? &fault : NULL) && complete;
  if (complete && gdk_pixbuf_loader_get_pixbuf (loader))
    return gdk_pixbuf_apply_embedded_orientation (gdk_pixbuf_loader_get_pixbuf (loader));
  fail_to_decode (s, fault, error);
  return NULL;
}

/* Of a picture of that size and so many samples a pixel. Clear with image_info_clear(). */
static ImageInfo
info_of (const char *path, int rows, int columns)
{
  return (ImageInfo){.type = FV_U8,
                     .frames = 1,
                     .depth = 1,
                     .rows = rows,
                     .columns = columns,
                     .spacing = {1, 1, 1},
                     .name = file_name_short (path)};
}

/* Whether it is a BMP file that check_bmp() has seen, with a color map. */
static gboolean
has_color_map (const Source *s)
{
  return !strcmp (s->format->type, "bmp") && little_endian (s->bytes + 14, 4) >= 40
         && little_endian (s->bytes + 28, 2) <= 8;
}

static Image *
make_image (const Source *s, const GdkPixbuf *pixbuf, GError **error)
{
  ImageInfo info = info_of (s->path, gdk_pixbuf_get_height (pixbuf), gdk_pixbuf_get_width (pixbuf));
  FilesSamples samples = {gdk_pixbuf_read_pixels (pixbuf), (gsize) gdk_pixbuf_get_rowstride (pixbuf),
                          (guint) gdk_pixbuf_get_n_channels (pixbuf), FALSE};
  samples.gray = files_samples_are_gray (&samples, info.rows, info.columns);
  info.source_type = has_color_map (s) && !samples.gray ? g_strdup (IMAGE_INFO_INDEXED) : NULL;
  Image *image = files_samples_image (&info, &samples, error);
  image_info_clear (&info);
  return image;
}

/* The indices of a BMP file of 8 bits that check_bmp() has seen, if they are labels. NULL: they are not. */
static Image *
open_bmp_labels (const Source *s)
{
  const guint8 *b = s->bytes;
  const guint32 header = little_endian (b + 14, 4), colors = header >= 40 ? little_endian (b + 46, 4) : 256;
  const guint n = colors ? MIN (colors, 256) : 256;
  const gsize start = little_endian (b + 10, 4);
  guint8 palette[3 * 256] = {0};
  if (header < 40 || little_endian (b + 28, 2) != 8 || little_endian (b + 30, 4) || start < 14 + header + 4 * (gsize) n)
    return NULL;
  for (guint i = 0; i < 3 * n; i++) /* stored as blue, green, red and a byte more */
    palette[i] = b[14 + header + 4 * (i / 3) + 2 - i % 3];
  const gint32 height = (gint32) little_endian (b + 22, 4);
  ImageInfo info = info_of (s->path, ABS (height), (int) little_endian (b + 18, 4));
  const gsize columns = (gsize) info.columns, row = (columns + 3) / 4 * 4;
  g_autofree guint8 *indices = g_try_malloc_n ((gsize) info.rows, columns);
  for (gint64 y = 0; indices && y < info.rows; y++) /* the last row comes first, unless the height is negative */
    memcpy (indices + (gsize) y * columns, b + start + (gsize) (height > 0 ? info.rows - 1 - y : y) * row, columns);
  const FilesSamples samples = {indices, columns, 1, TRUE};
  Image *image = indices && files_samples_are_labels (&samples, info.rows, info.columns, palette, n)
                   ? files_samples_image (&info, &samples, NULL)
                   : NULL;
  image_info_clear (&info);
  return image;
}

static Image *
open_picture (gpointer path, guint n, GError **error)
{
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  g_autofree char *bytes = NULL;
  Source s = {.path = path};
  (void) n;
  if (!(bytes = file_read_small (path, 0, G_MAXUINT32, &s.size, error)))
    return NULL;
  s.bytes = (guint8 *) bytes;
  s.format = find_format (s.bytes, s.size);
  if (!s.format) {
    file_fail (error, FILE_ERROR_FORMAT, path, "is not an image.");
    return NULL;
  }
  FilesLosslessJpeg lossless;
  if (!strcmp (s.format->type, "jpeg") && files_lossless_jpeg_header (s.bytes, s.size, &lossless))
    return files_lossless_picture_open (path, s.bytes, s.size, &lossless, error);
  if (s.format->check && !s.format->check (&s, error))
    return NULL;
  Image *labels = !strcmp (s.format->type, "bmp") ? open_bmp_labels (&s) : NULL;
  if (labels)
    return labels;
  pixbuf = decode (&s, error);
  return pixbuf ? make_image (&s, pixbuf, error) : NULL;
}

/* ---- Headers alone ---- */

static void
on_prepared (GdkPixbufLoader *loader, gpointer prepared)
{
  (void) loader;
  *(gboolean *) prepared = TRUE;
}

/* Gives the loader the file until it knows of what size and kind the picture is. */
static gboolean
feed_header (GdkPixbufLoader *loader, FILE *file, GByteArray *bytes, const gboolean *prepared, GError **error)
{
  guint8 part[4096];
  for (gsize n; !*prepared && (n = fread (part, 1, sizeof part, file)) > 0;) {
    g_byte_array_append (bytes, part, (guint) n);
    if (progress_stopped (error) || !gdk_pixbuf_loader_write (loader, part, n, error))
      return *prepared;
  }
  return *prepared;
}

/* Whether EXIF asks for a picture that lies on its side. */
static gboolean
is_turned (GdkPixbuf *pixbuf)
{
  const char *orientation = gdk_pixbuf_get_option (pixbuf, "orientation");
  return orientation && *orientation >= '5' && *orientation <= '8' && !orientation[1];
}

static const char *
describe_source (const Source *s, GdkPixbuf *pixbuf, const GByteArray *bytes, ImageInfo *info)
{
  const gboolean turned = is_turned (pixbuf);
  const int rows = gdk_pixbuf_get_height (pixbuf), columns = gdk_pixbuf_get_width (pixbuf);
  ImageInfo size = info_of (s->path, turned ? columns : rows, turned ? rows : columns);
  FilesSamples samples = {.samples = (guint) gdk_pixbuf_get_n_channels (pixbuf)};
  samples.gray = !strcmp (s->format->type, "jpeg") && files_jpeg_components (bytes->data, bytes->len) == 1;
  const char *depends = files_samples_describe (&size, &samples, TRUE, info);
  image_info_clear (&size);
  return depends && samples.samples == 3 && !strcmp (s->format->type, "bmp")
           ? "one channel if all its colors are gray or those of labels"
           : depends;
}

/* Of a file that is at its beginning. */
static gboolean
is_lossless (const Source *s, FILE *file, FilesLosslessJpeg *header)
{
  enum { HEADER_BYTES = 1 << 16 };
  if (!s->format || strcmp (s->format->type, "jpeg"))
    return FALSE;
  g_autofree guint8 *bytes = g_malloc (HEADER_BYTES);
  const gsize n = fread (bytes, 1, HEADER_BYTES, file);
  rewind (file);
  return files_lossless_jpeg_header (bytes, n, header);
}

static gboolean
describe (gpointer path, guint n, ImageInfo *info, const char **depends, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Source s = {.path = path};
  struct stat about;
  GError *fault = NULL;
  gboolean prepared = FALSE;
  guint8 head[16] = {0};
  FILE *file = file_open_stream (path, &about, error);
  (void) n;
  if (!file)
    return FALSE;
  s.format = find_format (head, fread (head, 1, sizeof head, file));
  s.size = (gsize) about.st_size;
  rewind (file);
  FilesLosslessJpeg lossless;
  if (is_lossless (&s, file, &lossless)) {
    fclose (file);
    return files_lossless_picture_describe (path, s.size, &lossless, info, error);
  }
  g_autoptr (GdkPixbufLoader) loader = s.format ? new_loader (&s, error) : NULL;
  if (!s.format)
    file_fail (error, FILE_ERROR_FORMAT, path, "is not an image.");
  if (loader) {
    g_signal_connect (loader, "area-prepared", G_CALLBACK (on_prepared), &prepared);
    prepared = feed_header (loader, file, bytes, &prepared, &fault);
    gdk_pixbuf_loader_close (loader,
                             prepared || fault ? NULL : &fault); /* what follows of the file is missing, of course */
    if (prepared && !s.refused)
      *depends = describe_source (&s, gdk_pixbuf_loader_get_pixbuf (loader), bytes, info);
    else
      fail_to_decode (&s, g_steal_pointer (&fault), error);
  }
  g_clear_error (&fault);
  fclose (file);
  return prepared && !s.refused;
}

/* ---- Writing ---- */

static gboolean
check_kind (const ImageInfo *info, const char *path, GError **error)
{
  gint64 planes = image_info_planes (info);
  if (planes != 1 && !(info->role == FV_RGB && planes == 3))
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: JPEG holds one plane and '%s' has %" G_GINT64_FORMAT
                      "; save it as .tif, or take one plane first.",
                      info->name, planes);
  if (info->type != FV_U8)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: JPEG holds numbers from 0 to 255 and '%s' is %s; "
                      "save it as .tif, or convert it to 8-bit first.",
                      info->name, pixel_type (info->type)->words);
  if (info->role == FV_MASK)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: JPEG changes values, and '%s' is a mask; save it as .png or .tif.",
                      info->name);
  if (info->rows > 65500 || info->columns > 65500)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: JPEG holds at most 65500×65500 pixels; "
                      "save it as .tif or .png.");
  return TRUE;
}

/* The image as RGB. */
static GdkPixbuf *
make_pixbuf (Image *image, GError **error)
{
  const ImageInfo *info = image_info (image);
  const guint8 *planes[3];
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  for (int c = 0; c < 3; c++)
    if (!(planes[c] = image_plane (image, info->role == FV_RGB ? c : 0, error)))
      return NULL;
  prepare_decoders ();
  pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, (int) info->columns, (int) info->rows);
  if (!pixbuf)
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory to write '%s' as JPEG.", info->name);
  for (gint64 y = 0; pixbuf && y < info->rows; y++) {
    if (progress_stopped (error))
      return NULL;
    files_samples_interleave (gdk_pixbuf_get_pixels (pixbuf) + y * gdk_pixbuf_get_rowstride (pixbuf), planes,
                              info->columns, y, 1);
  }
  return g_steal_pointer (&pixbuf);
}

static gboolean
write_bytes (const char *bytes, gsize n, GError **error, gpointer target)
{
  return file_target_write (target, bytes, n, error);
}

static gboolean
save_jpeg (Image *image, const char *path, gconstpointer options, GError **error)
{
  g_autoptr (FileTarget) target = NULL;
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  GError *fault = NULL;
  (void) options;
  if (!check_kind (image_info (image), path, error) || !(pixbuf = make_pixbuf (image, error))
      || !(target = file_target_new (path, error)))
    return FALSE;
  if (gdk_pixbuf_save_to_callback (pixbuf, write_bytes, target, "jpeg", &fault, "quality", "95", NULL))
    return file_target_commit (g_steal_pointer (&target), error);
  if (fault->domain != GDK_PIXBUF_ERROR) {
    g_propagate_error (error, fault);
    return FALSE;
  }
  file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", fault->message);
  g_error_free (fault);
  return FALSE;
}

/* ---- Formats ---- */

const FileFormat format_jpeg = {
  .key = "jpeg",
  .label = "JPEG",
  .endings = (const char *const[]){"jpg", "jpeg", NULL},
  .mime = (const char *const[]){"image/jpeg", NULL},
  .is = is,
  .describe = describe,
  .open = open_picture,
  .n_written = 2,
  .macro = "Jpeg",
  .save = save_jpeg,
};

const FileFormat format_bmp = {
  .key = "bmp",
  .label = "BMP",
  .endings = (const char *const[]){"bmp", NULL},
  .mime = (const char *const[]){"image/bmp", NULL},
  .is = is,
  .describe = describe,
  .open = open_picture,
};

const FileFormat format_webp = {
  .key = "webp",
  .label = "WebP",
  .endings = (const char *const[]){"webp", NULL},
  .mime = (const char *const[]){"image/webp", NULL},
  .is = is,
  .describe = describe,
  .open = open_picture,
};

const FileFormat format_heif = {
  .key = "heif",
  .label = "HEIF",
  .endings = (const char *const[]){"heic", "heif", NULL},
  .mime = (const char *const[]){"image/heif", "image/heic", NULL},
  .is = is,
  .describe = describe,
  .open = open_picture,
};

const FileFormat format_avif = {
  .key = "avif",
  .label = "AVIF",
  .endings = (const char *const[]){"avif", NULL},
  .mime = (const char *const[]){"image/avif", NULL},
  .is = is,
  .describe = describe,
  .open = open_picture,
};

const FileFormat format_jxl = {
  .key = "jxl",
  .label = "JXL",
  .endings = (const char *const[]){"jxl", NULL},
  .mime = (const char *const[]){"image/jxl", NULL},
  .is = is,
  .describe = describe,
  .open = open_picture,
};
