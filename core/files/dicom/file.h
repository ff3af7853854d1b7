/* SPDX-License-Identifier: MIT
 *
 * A DICOM file: its header, and where its frames lie.
 */
#ifndef CORE_FILES_DICOM_FILE_H
#define CORE_FILES_DICOM_FILE_H

#include "core/files/dicom/frames.h"

typedef struct DicomFile {
  gatomicrefcount references;
  char *path;
  guint64 size;
  FilesBytes *bytes; /* NULL: opened for each reading, since a series may have thousands of files */
  DicomHeader *header;
  DicomFrames *frames; /* NULL: the file has no pixels */
  guint8 *palette;     /* as of dicom_palette_read(), or NULL */
} DicomFile;

/* NULL with *error. */
DicomFile *dicom_file_new (const char *path, gboolean keep_open, GError **error);
DicomFile *dicom_file_ref (DicomFile *self);
void dicom_file_unref (DicomFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DicomFile, dicom_file_unref)
/* The open file, or what it unpacks to. NULL with *error, also when it has another size than before. */
FilesBytes *dicom_file_bytes (const DicomFile *self, GError **error);

#endif
