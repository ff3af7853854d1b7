/* SPDX-License-Identifier: MIT
 *
 * The bytes of a FITS file, which may be compressed by gzip as a whole. Then headers are read from a stream that keeps nothing, and for pixels all
 * bytes are unpacked into memory, or onto the disk when memory is short.
 */
#ifndef CORE_FILES_FITS_FILE_H
#define CORE_FILES_FITS_FILE_H

#include "core/base/file_hash.h"
#include "core/data/host_slot.h"

/* How one begins. */
#define FILES_FITS_FIRST "SIMPLE  ="

typedef struct FilesFitsStream FilesFitsStream;

/* An open file; reads are by position, on any thread. */
typedef struct FilesFitsFile {
  int fd;
  FileHash *hash;          /* of what is read; NULL: not wanted */
  guint64 size;            /* in bytes; of a gzip file before it is unpacked the largest number */
  guint64 packed;          /* bytes of a gzip file; 0: not one */
  FilesFitsStream *stream; /* of a gzip file before it is unpacked */
  HostSlot inflated;       /* all bytes of a gzip file after that */
  GMutex unpacking;
  char *path;
} FilesFitsFile;

/* A gzip file is not unpacked yet: until then files_fits_read() takes blocks of FITS in ascending order, on one thread. */
FilesFitsFile *files_fits_file_open (const char *path, GError **error);
/* Unpacks a gzip file that is not unpacked yet, after which reads are by position. Any thread. FALSE with *error. */
gboolean files_fits_file_unpack (FilesFitsFile *file, GError **error);
/* Whether a gzip file could not be unpacked as far as it was read. */
gboolean files_fits_file_is_damaged (const FilesFitsFile *file);
/* Whether the file is known to end before this position, without reading up to it. */
gboolean files_fits_file_ends (const FilesFitsFile *file, guint64 at);
void files_fits_file_free (FilesFitsFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesFitsFile, files_fits_file_free)

/* Whether all of the `size` bytes from `at` could be read. */
gboolean files_fits_read (const FilesFitsFile *file, guint64 at, void *to, gsize size);

#endif
