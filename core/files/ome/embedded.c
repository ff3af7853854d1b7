/* SPDX-License-Identifier: MIT
 *
 * By the schema each plane has a BinData element, in the order of dimensions. Files exist in which one has all planes, or all samples of a pixel. Elements
 * that are missing at the end are planes that were not acquired.
 */
#include "core/files/ome/embedded.h"

#include "core/base/file_error.h"
#include "core/base/file_name.h"
#include "core/data/pixel_type.h"
#include "core/files/ome/base64.h"
#include "core/files/shared/bzip2.h"
#include "core/files/shared/complete.h"
#include "core/files/shared/decoded.h"
#include "core/files/shared/numbers.h"
#include "core/files/shared/ome_info.h"
#include "core/files/shared/unpack.h"

#include <string.h>

enum { MOST_MISSING = 1 << 20 /* planes */ };

typedef struct {
  const FilesOmeImage *ome;
  guint number; /* in the file */
  ImageInfo info;
  FilesNumber numbers;
  guint each;      /* planes of a BinData element */
  gint64 all[3];   /* sizes by axis of files_complete_find(), of which the image has the first ones */
  GArray *kept[3]; /* gint64; NULL: all positions of that axis */
} Embedded;

struct OmeEmbedded {
  gatomicrefcount references;
  FilesBytes *file;
  FilesOme *ome;
  GArray *images; /* Embedded */
  GString *left_out;
  GRefString *description;
};

/* ---- Which BinData element has a plane ---- */

/* The number of a plane in the order of dimensions. at: position by axis. */
static gint64
stored_plane (const Embedded *image, const gint64 at[3])
{
  gint64 n = 0;
  for (int i = 2; i >= 0; i--) {
    const char axis = image->ome->order[i];
    const int which = axis == 'Z' ? FILES_SLICES : axis == 'C' ? FILES_CHANNELS : FILES_FRAMES;
    n = n * image->all[which] + at[which];
  }
  return n;
}

static gint64
position (const Embedded *image, int axis, gint64 n)
{
  return image->kept[axis] ? g_array_index (image->kept[axis], gint64, n) : n;
}

/* Of the image's planes, in its order. */
static gint64
stored_plane_of (const Embedded *image, gint64 plane)
{
  const gint64 depth = image->info.depth, channels = image->info.channels;
  gint64 at[3];
  at[FILES_SLICES] = position (image, FILES_SLICES, plane % depth);
  at[FILES_CHANNELS] = position (image, FILES_CHANNELS, plane / depth % channels);
  at[FILES_FRAMES] = position (image, FILES_FRAMES, plane / depth / channels);
  return stored_plane (image, at);
}

static gboolean
is_there (gconstpointer data, gint64 plane)
{
  const Embedded *image = data;
  return stored_plane_of (image, plane) / image->each < image->ome->data->len;
}

/* Leaves out positions along an axis, of those that were left. */
static void
keep (Embedded *image, int axis, GArray *kept)
{
  gint64 *const sizes[] = {&image->info.depth, &image->info.channels, &image->info.frames};
  for (guint i = 0; i < kept->len; i++)
    g_array_index (kept, gint64, i) = position (image, axis, g_array_index (kept, gint64, i));
  if (image->kept[axis])
    g_array_unref (image->kept[axis]);
  image->kept[axis] = kept;
  *sizes[axis] = kept->len;
}

/* FALSE: nothing complete remains. */
static gboolean
trim (Embedded *image)
{
  for (;;) {
    const gint64 sizes[3] = {image->info.depth, image->info.channels, image->info.frames};
    GArray *kept = NULL;
    int axis;
    if (!files_complete_find (sizes, is_there, image, &axis, &kept))
      return FALSE;
    if (!kept)
      return TRUE;
    keep (image, axis, kept);
  }
}

/* ---- What the text says of an image ---- */

static gboolean
set_numbers (Embedded *image, const char *path, GError **error)
{
  static const struct {
    const char *name;
    guint bytes;
    gboolean is_float, is_signed;
  } types[] = {{"uint8", 1, FALSE, FALSE}, {"int8", 1, FALSE, TRUE},    {"uint16", 2, FALSE, FALSE},
               {"int16", 2, FALSE, TRUE},  {"uint32", 4, FALSE, FALSE}, {"int32", 4, FALSE, TRUE},
               {"float", 4, TRUE, TRUE},   {"double", 8, TRUE, TRUE}};
  const FilesOmeData *first = &g_array_index (image->ome->data, FilesOmeData, 0);
  for (guint i = 0; image->ome->type && i < G_N_ELEMENTS (types); i++)
    if (!g_ascii_strcasecmp (image->ome->type, types[i].name)) {
      image->numbers =
        (FilesNumber){.bytes = types[i].bytes,
                      .is_float = types[i].is_float,
                      .is_signed = types[i].is_signed,
                      .swapped = types[i].bytes > 1 && first->is_big == (G_BYTE_ORDER == G_LITTLE_ENDIAN)};
      return TRUE;
    }
  return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                    "has pixels of the type '%s', which are not read; integers of 8 to 32 bits, float and double are.",
                    image->ome->type ? image->ome->type : "");
}

static gboolean
set_sizes (Embedded *image, const char *path, GError **error)
{
  const FilesOmeImage *ome = image->ome;
  const FilesOmeChannel *channel = ome->channel->len ? ome->channel->pdata[0] : NULL;
  const gint64 n = ome->data->len, samples = channel ? channel->samples : 1;
  gint64 planes;
  if (!ome->rows || !ome->columns)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: it does not say how many pixels an image has.");
  image->info.frames = image->all[FILES_FRAMES] = ome->frames;
  image->info.channels = image->all[FILES_CHANNELS] = ome->channels;
  image->info.depth = image->all[FILES_SLICES] = ome->depth;
  image->info.rows = ome->rows;
  image->info.columns = ome->columns;
  if (!image_info_check (&image->info, error))
    return FALSE;
  planes = image_info_planes (&image->info);
  image->each = 1;
  if (n < planes && planes % n == 0 && planes / n <= G_MAXUINT32
      && (n == 1 || (planes / n == samples && ome->order[0] == 'C')))
    image->each = (guint) (planes / n);
  if (planes / image->each - n > MOST_MISSING)
    return file_fail (
      error, FILE_ERROR_DAMAGED, path,
      "is damaged: it claims %" G_GINT64_FORMAT " planes, and has %" G_GINT64_FORMAT " BinData elements.", planes, n);
  if (ome->interleaved && samples > 1 && (image->each != samples || ome->order[0] != 'C'))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "has interleaved colors that are not in the order XYC; save the image as OME-TIFF.");
  return TRUE;
}

static guint64
data_bytes (const Embedded *image)
{
  return (guint64) (image->info.rows * image->info.columns) * image->numbers.bytes * image->each;
}

static gboolean
check_data (const OmeEmbedded *self, const Embedded *image, const FilesOmeData *data, GError **error)
{
  const char *path = self->file->path;
  const guint64 bytes = data_bytes (image), packed = data->length / 4 * 3 + 3;
  if (data->at > self->file->size || data->length > self->file->size - data->at)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: pixels lie outside of the file.");
  if (!*data->compression || !strcmp (data->compression, "none"))
    return packed >= bytes
           || file_fail (error, FILE_ERROR_DAMAGED, path,
                         "is damaged or truncated: a BinData element has %" G_GUINT64_FORMAT
                         " characters, too few for %" G_GUINT64_FORMAT " bytes of pixels.",
                         data->length, bytes);
  if (!strcmp (data->compression, "zlib"))
    return files_unpack_check (path, packed, bytes, error);
  if (strcmp (data->compression, "bzip2"))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "has pixels with the compression '%s', which is not read; zlib and bzip2 are.",
                      data->compression);
  return files_bzip2_can (path, error) && files_bzip2_check (path, packed, bytes, error);
}

static void
set_info (const OmeEmbedded *self, Embedded *image)
{
  g_autofree char *name = file_name_short (self->file->path);
  const FilesOmeImage *ome = image->ome;
  const FilesOmeChannel *channel = ome->channel->len ? ome->channel->pdata[0] : NULL;
  ImageInfo *info = &image->info;
  info->number = image->number;
  info->description = g_ref_string_acquire (self->description);
  if (ome->name && *ome->name && self->ome->images->len > 1)
    info->name = g_strdup_printf ("%s: %s", name, ome->name);
  else
    info->name =
      self->ome->images->len > 1 ? g_strdup_printf ("%s #%u", name, image->number + 1) : g_steal_pointer (&name);
  for (int axis = 0; axis < 3; axis++) {
    info->spacing[axis] = 1;
    info->units[axis] = g_strdup ("");
  }
  files_ome_calibrate (ome, info);
  if (info->depth == 1 && !*info->units[0]) {
    g_free (info->units[0]);
    info->units[0] = g_strdup (info->units[2]);
  }
  info->frame_interval = ome->interval;
  info->frame_unit = g_strdup (ome->interval_unit);
  if (channel && channel->samples == 3 && info->channels == 3 && info->type == FV_U8)
    info->role = FV_RGB;
  else if (!channel || channel->samples == 1)
    files_ome_name_channels (ome, image->kept[FILES_CHANNELS], info);
}

static gboolean
set_image (OmeEmbedded *self, Embedded *image, GError **error)
{
  const char *path = self->file->path;
  if (!set_numbers (image, path, error))
    return FALSE;
  image->info.type = files_number_type (&image->numbers);
  if (!set_sizes (image, path, error))
    return FALSE;
  const gint64 all = image_info_planes (&image->info), n = (gint64) image->ome->data->len * image->each;
  for (guint i = 0; i < image->ome->data->len; i++)
    if (!check_data (self, image, &g_array_index (image->ome->data, FilesOmeData, i), error))
      return FALSE;
  if (n < all && !trim (image))
    return file_fail (error, FILE_ERROR_DAMAGED, path,
                      "is damaged or truncated: no frame, slice or channel is complete.");
  if (n > all)
    g_string_append_printf (self->left_out, "%s%" G_GINT64_FORMAT " BinData elements that are no plane",
                            self->left_out->len ? ", " : "", n - all);
  else if (n < all)
    g_string_append_printf (self->left_out,
                            "%s%" G_GINT64_FORMAT " of the %" G_GINT64_FORMAT " planes, as %" G_GINT64_FORMAT
                            " have no pixels in the file",
                            self->left_out->len ? ", " : "", all - image_info_planes (&image->info), all, all - n);
  set_info (self, image);
  return TRUE;
}

/* ---- The layout ---- */

static void
clear_image (gpointer data)
{
  Embedded *image = data;
  image_info_clear (&image->info);
  for (int axis = 0; axis < 3; axis++)
    g_clear_pointer (&image->kept[axis], g_array_unref);
}

gboolean
ome_embedded_is (const FilesOme *ome)
{
  for (guint i = 0; i < ome->images->len; i++)
    if (((const FilesOmeImage *) ome->images->pdata[i])->data->len)
      return TRUE;
  return FALSE;
}

OmeEmbedded *
ome_embedded_new (FilesBytes *file, FilesOme *ome, const char *text, GError **error)
{
  OmeEmbedded *self = g_new0 (OmeEmbedded, 1);
  guint without = 0;
  g_atomic_ref_count_init (&self->references);
  self->file = files_bytes_ref (file);
  self->ome = ome;
  self->images = g_array_new (FALSE, TRUE, sizeof (Embedded));
  g_array_set_clear_func (self->images, clear_image);
  self->left_out = g_string_new (NULL);
  self->description = g_ref_string_new (text);
  for (guint i = 0; i < ome->images->len; i++) {
    if (!((const FilesOmeImage *) ome->images->pdata[i])->data->len) {
      without++;
      continue;
    }
    g_array_set_size (self->images, self->images->len + 1);
    Embedded *image = &g_array_index (self->images, Embedded, self->images->len - 1);
    image->ome = ome->images->pdata[i];
    image->number = self->images->len - 1;
    if (!set_image (self, image, error)) {
      ome_embedded_unref (self);
      return NULL;
    }
  }
  if (without)
    g_string_append_printf (self->left_out, "%s%u image%s without pixels", self->left_out->len ? ", " : "", without,
                            without == 1 ? "" : "s");
  return self;
}

void
ome_embedded_unref (OmeEmbedded *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_array_unref (self->images);
  files_ome_free (self->ome);
  files_bytes_unref (self->file);
  g_string_free (self->left_out, TRUE);
  g_ref_string_release (self->description);
  g_free (self);
}

guint
ome_embedded_count (const OmeEmbedded *self)
{
  return self->images->len;
}

const char *
ome_embedded_left_out (const OmeEmbedded *self)
{
  return self->left_out->len ? self->left_out->str : NULL;
}

FilesBytes *
ome_embedded_file (const OmeEmbedded *self)
{
  return self->file;
}

/* ---- Pixels ---- */

typedef struct {
  OmeEmbedded *layout;
  const Embedded *image;
  FilesDecoded *kept; /* BinData elements, by their FilesOmeData */
} Source;

/* What a BinData element decodes to. Free with g_free(). NULL: it is damaged. */
static guint8 *
unpack (const FilesOmeData *data, guint8 *bytes, gsize n, gsize size)
{
  g_autofree guint8 *to = NULL;
  if (!*data->compression || !strcmp (data->compression, "none"))
    return n >= size ? bytes : NULL;
  to = g_try_malloc (size);
  if (!to
      || !(*data->compression == 'z' ? files_unpack_bytes (bytes, n, to, size)
                                     : files_bzip2_unpack (bytes, n, to, size)))
    return NULL;
  return g_steal_pointer (&to);
}

static guint8 *
decode (gpointer self, gconstpointer part, GError **error)
{
  const Source *s = self;
  const FilesOmeData *data = part;
  FilesBytes *file = s->layout->file;
  const gsize size = data_bytes (s->image);
  g_autofree guint8 *text = g_try_malloc (MAX (data->length, size));
  gsize n;
  if (!text)
    file_fail (error, FILE_ERROR_OPEN, file->path, "cannot be read: a plane does not fit into memory.");
  else if (!files_bytes_read (file, data->at, text, data->length))
    file_fail (error, FILE_ERROR_DAMAGED, file->path, "cannot be read up to its end.");
  else if (!ome_base64_decode (text, data->length, &n))
    file_fail (error, FILE_ERROR_DAMAGED, file->path,
               "is damaged: the BinData element at byte %" G_GUINT64_FORMAT " is not base64.", data->at);
  else {
    guint8 *pixels = unpack (data, text, n, size);
    if (pixels == text)
      text = NULL;
    if (!pixels)
      file_fail (error, FILE_ERROR_DAMAGED, file->path,
                 "is damaged or truncated: the BinData element at byte %" G_GUINT64_FORMAT
                 " does not have the pixels of its plane.",
                 data->at);
    return pixels;
  }
  return NULL;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  const Embedded *image = s->image;
  const guint bytes = image->numbers.bytes, each = image->each;
  const gint64 stored = stored_plane_of (image, plane), step = image->ome->interleaved ? (gint64) each * bytes : bytes;
  const FilesOmeData *data = &g_array_index (image->ome->data, FilesOmeData, stored / each);
  const gsize within = (gsize) (stored % each), pixels = (gsize) (image->info.rows * image->info.columns);
  (void) level;
  g_autoptr (FilesDecodedPart) part =
    files_decoded_take (s->kept, data, data_bytes (image), (guint64) (region->rows * region->columns) * bytes, error);
  if (!part)
    return FALSE;
  const guint8 *from = files_decoded_bytes (part) + within * bytes * (image->ome->interleaved ? 1 : pixels);
  for (gint64 y = 0; y < region->rows; y++) {
    guint8 *row = (guint8 *) to + (gsize) y * stride;
    files_numbers_move (bytes, from + ((region->row + y) * image->info.columns + region->column) * step, step,
                        (gsize) region->columns, row, bytes);
    if (image->numbers.swapped)
      files_numbers_swap (row, bytes, (gsize) region->columns);
  }
  return TRUE;
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const ImageInfo *info = &((const Source *) self)->image->info;
  *level = (ImageLevel){info->rows, info->columns, info->rows, info->columns, FALSE};
  return n == 0;
}

static void
source_free (gpointer self)
{
  Source *s = self;
  files_decoded_free (s->kept);
  ome_embedded_unref (s->layout);
  g_free (s);
}

Image *
ome_embedded_open (OmeEmbedded *self, guint n, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  Source *s = g_new0 (Source, 1);
  s->image = &g_array_index (self->images, Embedded, n);
  g_atomic_ref_count_inc (&self->references);
  s->layout = self;
  s->kept = files_decoded_new (decode, s);
  return image_new_from_source (&s->image->info, &functions, s, error);
}
