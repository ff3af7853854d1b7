/* SPDX-License-Identifier: MIT
 *
 * The bytes of a FITS file, which may be compressed by gzip as a whole: then they are in memory, or on the disk where there is no room.
 */
#ifndef CORE_FILES_FITS_FILE_H
#define CORE_FILES_FITS_FILE_H

#include "core/base/file_hash.h"
#include "core/data/host_slot.h"

/* How one begins. */
#define FILES_FITS_FIRST "SIMPLE  ="

/* An open file; reads are by position, on any thread. */
typedef struct FilesFitsFile {
  int fd;
  FileHash *hash;    /* of what is read; NULL: nobody wants it */
  guint64 size;      /* in bytes, without gzip */
  HostSlot inflated; /* all of them, if the file is one of gzip */
  char *path;
} FilesFitsFile;

FilesFitsFile *files_fits_file_open (const char *path, GError **error);
void files_fits_file_free (FilesFitsFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesFitsFile, files_fits_file_free)

/* Whether all of the `size` bytes from `at` could be read. */
gboolean files_fits_read (const FilesFitsFile *file, guint64 at, void *to, gsize size);

#endif
