/* SPDX-License-Identifier: MIT
 *
 * The DICOM files of a folder: its own, or where it has few or an index, as on a disc, also those of its subfolders.
 */
#ifndef CORE_FILES_DICOM_FOLDER_H
#define CORE_FILES_DICOM_FOLDER_H

#include "core/files/dicom/header.h"

#define DICOM_INDEX "DICOMDIR" /* the name of an index */

enum { DICOM_FOLDER_FILES = 1 << 17 /* and folders within a folder that are looked at */ };

typedef struct DicomFolder {
  GPtrArray *paths;  /* in natural order, of each folder its files before its subfolders; without indexes */
  gboolean is_deep;  /* with subfolders */
  gboolean has_more; /* if not: but these have DICOM files, too */
  gboolean too_many, too_deep;
  guint closed; /* folders that cannot be read */
} DicomFolder;

/* Whether it has an index, or most of its own files are DICOM, which reports and notes may accompany. */
gboolean dicom_folder_is (const char *folder);
/* is_deep: with subfolders in any case. NULL with *error. */
DicomFolder *dicom_folder_new (const char *folder, gboolean is_deep, GError **error);
void dicom_folder_free (DicomFolder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DicomFolder, dicom_folder_free)

#endif
