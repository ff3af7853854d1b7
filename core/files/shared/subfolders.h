/* SPDX-License-Identifier: MIT
 *
 * Folders whose images are in their subfolders, such as a disc with a folder for each patient, study and series.
 */
#ifndef CORE_FILES_SHARED_SUBFOLDERS_H
#define CORE_FILES_SHARED_SUBFOLDERS_H

#include "core/files/shared/format.h"

enum { SUBFOLDERS_DEEPEST = 8 /* folders in folders that are looked at */ };

/* The paths of the regular files and of the folders in a folder, in natural order; free both with g_ptr_array_unref(). Links are left out, since they can lead
 * elsewhere, and so are hidden ones. What cannot be read is empty; then FALSE. At most `max` of both together. */
gboolean subfolders_list (const char *folder, guint max, GPtrArray **files, GPtrArray **folders);
/* Whether a folder is of a format because of the files in its subfolders: most of those looked at are of it, and none is called as images of other formats
 * are. Only a few files are read, of each folder some, and only their beginnings. */
gboolean subfolders_are (const FileFormat *format, const char *folder, gboolean (*is_image_name) (const char *name));

#endif
