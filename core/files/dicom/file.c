/* SPDX-License-Identifier: MIT
 */
#include "core/files/dicom/file.h"

#include "core/files/dicom/inflate.h"
#include "core/files/dicom/values.h"

/* Unpacked, if it is deflated. *size: of the file. NULL with *error. */
static FilesBytes *
open_bytes (const char *path, guint64 *size, GError **error)
{
  g_autoptr (FilesBytes) file = files_bytes_open (path, error);
  guint64 at;
  if (!file)
    return NULL;
  *size = file->size;
  return dicom_is_deflated (file, &at) ? dicom_inflate (file, at, error) : g_steal_pointer (&file);
}

DicomFile *
dicom_file_new (const char *path, gboolean keep_open, GError **error)
{
  g_autoptr (DicomFile) self = g_new0 (DicomFile, 1);
  g_autoptr (FilesBytes) bytes = open_bytes (path, &self->size, error);
  g_atomic_ref_count_init (&self->references);
  self->path = g_strdup (path);
  if (!bytes || !(self->header = dicom_header_new (bytes, error)))
    return NULL;
  if (self->header->pixels_at && !(self->frames = dicom_frames_new (self->header, bytes, error)))
    return NULL;
  if (self->header->pixels_at && self->header->colors == DICOM_PALETTE
      && !(self->palette = dicom_palette_read (self->header, bytes, error)))
    return NULL;
  self->bytes = keep_open ? g_steal_pointer (&bytes) : NULL;
  return g_steal_pointer (&self);
}

DicomFile *
dicom_file_ref (DicomFile *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
dicom_file_unref (DicomFile *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_clear_pointer (&self->frames, dicom_frames_free);
  g_clear_pointer (&self->header, dicom_header_free);
  g_clear_pointer (&self->bytes, files_bytes_unref);
  g_free (self->palette);
  g_free (self->path);
  g_free (self);
}

FilesBytes *
dicom_file_bytes (const DicomFile *self, GError **error)
{
  if (self->bytes)
    return files_bytes_ref (self->bytes);
  guint64 size;
  g_autoptr (FilesBytes) bytes = open_bytes (self->path, &size, error);
  if (bytes && size == self->size)
    return g_steal_pointer (&bytes);
  if (bytes)
    file_fail (error, FILE_ERROR_OPEN, self->path, "was changed after it was opened.");
  return NULL;
}
