/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/plain.h"

#include "core/base/file_name.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/files/shared/bzip2.h"
#include "core/files/shared/hex.h"
#include "core/files/shared/text_numbers.h"
#include "core/files/shared/unpack.h"

#include <math.h>

/* ImageJ's word for the unit of such values. */
#define VALUE_UNIT "Gray Value"

FilesPlain *
files_plain_new (const char *path, GError **error)
{
  FilesBytes *file = files_bytes_open (path, error);
  if (!file)
    return NULL;
  FilesPlain *self = g_new (FilesPlain, 1);
  *self = (FilesPlain){.file = file, .header = g_string_new (NULL)};
  self->data = g_ptr_array_new_with_free_func ((GDestroyNotify) files_bytes_unref);
  self->others = g_ptr_array_new_with_free_func (g_free);
  self->properties = g_ptr_array_new_with_free_func (g_free);
  self->info = (ImageInfo){.frames = 1,
                           .channels = 1,
                           .depth = 1,
                           .rows = 1,
                           .columns = 1,
                           .spacing = {1, 1, 1},
                           .name = file_name_short (path)};
  return self;
}

void
files_plain_free (gpointer layout)
{
  FilesPlain *self = layout;
  files_bytes_unref (self->file);
  g_ptr_array_unref (self->data);
  g_ptr_array_unref (self->others);
  g_ptr_array_unref (self->properties);
  g_string_free (self->header, TRUE);
  g_clear_pointer (&self->planes, g_array_unref);
  image_info_clear (&self->info);
  g_free (self->left_out);
  g_free (self);
}

/* ---- What a header says ---- */

gboolean
files_plain_add_data (FilesPlain *self, const char *path, GError **error)
{
  FilesBytes *data = files_bytes_open (path, error);
  if (!data)
    return FALSE;
  g_ptr_array_add (self->data, data);
  g_ptr_array_add (self->others, g_strdup (path));
  return TRUE;
}

/* To be changed as long as no image has them. */
static ImageNotes *
notes_of (FilesPlain *self)
{
  if (!self->info.notes)
    self->info.notes = image_notes_new (NULL);
  return self->info.notes;
}

void
files_plain_calibrate (FilesPlain *self, double slope, double intercept)
{
  FilesNumber *number = &self->blocks.number;
  intercept = isfinite (intercept) ? intercept : 0;
  if (!isfinite (slope) || slope == 0 || (slope == 1 && intercept == 0))
    return;
  if (number->bytes > 2 || number->is_signed || number->is_float) {
    number->scale = slope;
    number->zero = intercept;
    return;
  }
  ImageNotes *notes = notes_of (self);
  notes->function = 0;
  notes->n_coefficients = 2;
  notes->coefficients[0] = intercept;
  notes->coefficients[1] = slope;
  notes->value_unit = g_strdup (VALUE_UNIT);
  image_notes_describe_values (notes);
}

void
files_plain_set_spacing (FilesPlain *self, guint axis, double spacing, const char *unit)
{
  g_autofree char *normal = units_normal (unit);
  const gboolean known = isfinite (spacing) && spacing > 0 && *normal;
  self->info.spacing[axis] = known ? spacing : 1;
  g_free (self->info.units[axis]);
  self->info.units[axis] = g_strdup (known ? normal : "");
}

void
files_plain_say (FilesPlain *self, const char *key, const char *format, ...)
{
  va_list list;
  va_start (list, format);
  g_autofree char *value = g_strdup_vprintf (format, list);
  va_end (list);
  g_string_append_printf (self->header, "%s: %s\n", key, value);
}

void
files_plain_keep (FilesPlain *self, const char *key, const char *format, ...)
{
  va_list list;
  va_start (list, format);
  g_autofree char *value = g_strdup_vprintf (format, list);
  va_end (list);
  g_ptr_array_add (self->properties, g_strdup (key));
  g_ptr_array_add (self->properties, text_visible (value, ""));
}

void
files_plain_set_colors (FilesPlain *self, guint samples)
{
  static const char *const names[] = {"red", "green", "blue", "alpha", NULL};
  self->info.channels = samples;
  if (samples == 3 && files_number_type (&self->blocks.number) == FV_U8) {
    self->info.role = FV_RGB;
    return;
  }
  self->info.channel_names = g_strdupv ((char **) names);
  if (samples == 3)
    g_clear_pointer (&self->info.channel_names[3], g_free);
}

/* ---- All of it ---- */

/* Without another file, the pixels are in the one that was opened. */
static void
set_data (FilesPlain *self)
{
  if (!self->data->len)
    g_ptr_array_add (self->data, files_bytes_ref (self->file));
  self->blocks.files = (FilesBytes **) self->data->pdata;
  self->blocks.n_files = self->data->len;
  self->blocks.planes = self->planes ? (const FilesBlock *) (const void *) self->planes->data : NULL;
}

static guint64
pixel_bytes (const FilesPlain *self)
{
  return (guint64) (image_info_planes (&self->info) * self->info.rows * self->info.columns) * self->blocks.number.bytes;
}

guint64
files_plain_bytes (const FilesPlain *self)
{
  return self->blocks.at + pixel_bytes (self);
}

gboolean
files_plain_can_be (const FilesPlain *self, guint64 packed, GError **error)
{
  return files_unpack_check (self->file->path, packed, files_plain_bytes (self), error);
}

gboolean
files_plain_finish (FilesPlain *self, GError **error)
{
  ImageInfo *info = &self->info;
  set_data (self);
  info->type = files_number_type (&self->blocks.number);
  info->source_type = g_strdup (files_number_source (&self->blocks.number));
  info->frame_unit = info->frame_unit ? info->frame_unit : g_strdup ("");
  for (int axis = 0; axis < 3; axis++)
    if (!info->units[axis])
      info->units[axis] = g_strdup ("");
  if (info->depth == 1 && !*info->units[0]) {
    g_free (info->units[0]);
    info->units[0] = g_strdup (info->units[2]);
  }
  if (self->header->len) {
    g_autofree char *text = text_visible (self->header->str, "\n");
    info->description = g_ref_string_new (text);
  }
  if (self->properties->len) {
    g_ptr_array_add (self->properties, NULL);
    notes_of (self)->properties = g_strdupv ((char **) self->properties->pdata);
  }
  if (!image_info_check (info, error))
    return FALSE;
  return self->packing != FILES_PLAIN || files_blocks_check (&self->blocks, info, error);
}

/* ---- Functions of FileFormat ---- */

gboolean
files_plain_describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  (void) n, (void) depends, (void) error;
  image_info_copy (info, &((const FilesPlain *) layout)->info);
  return TRUE;
}

Image *
files_plain_open_unpacked (const FilesPlain *self, FilesBytes *unpacked, GError **error)
{
  FilesBlocks blocks = self->blocks;
  blocks.files = &unpacked;
  blocks.n_files = 1;
  return files_blocks_image (&blocks, &self->info, error);
}

/* NULL with *error. */
static FilesBytes *
unpack (const FilesPlain *self, GError **error)
{
  FilesBytes *data = self->data->pdata[0];
  const guint64 at = self->packed_at, bytes = files_plain_bytes (self);
  switch (self->packing) {
  case FILES_PACKED: return files_unpack (data, at, self->packed, bytes, error);
  case FILES_BZIP2: return files_bzip2_unpack_file (data, at, bytes, error);
  case FILES_HEX: return files_hex (data, at, bytes, error);
  default:
    return files_text_numbers (data, at, &self->blocks.number, pixel_bytes (self) / self->blocks.number.bytes,
                               self->packing == FILES_DIGITS, error);
  }
}

Image *
files_plain_open (gpointer layout, guint n, GError **error)
{
  const FilesPlain *self = layout;
  (void) n;
  if (self->packing == FILES_PLAIN)
    return files_blocks_image (&self->blocks, &self->info, error);
  g_autoptr (FilesBytes) unpacked = unpack (self, error);
  return unpacked ? files_plain_open_unpacked (self, unpacked, error) : NULL;
}

const char *
files_plain_left_out (gconstpointer layout)
{
  return ((const FilesPlain *) layout)->left_out;
}

const GPtrArray *
files_plain_others (gconstpointer layout)
{
  return ((const FilesPlain *) layout)->others;
}

FileHash **
files_plain_hash (gpointer layout, int *fd)
{
  FilesBytes *file = ((FilesPlain *) layout)->file;
  *fd = file->fd;
  return &file->hash;
}
