/* SPDX-License-Identifier: MIT
 *
 * Bytes that are read by position, on any thread: an open file, or what was unpacked of one. Images keep them while pixels may be read.
 */
#ifndef CORE_FILES_SHARED_BYTES_H
#define CORE_FILES_SHARED_BYTES_H

#include "core/base/file_hash.h"
#include "core/data/host_slot.h"

typedef struct FilesBytes {
  gatomicrefcount references;
  char *path;
  int fd;          /* -1: they are in memory */
  HostSlot memory; /* then */
  guint64 size;    /* in bytes */
  FileHash *hash;  /* of what is read; NULL: not wanted. FileFormat's hash() gives its address. */
} FilesBytes;

/* A file. NULL with *error. */
FilesBytes *files_bytes_open (const char *path, GError **error);
/* What was unpacked of that file into another of so many bytes, whose descriptor it takes. */
FilesBytes *files_bytes_take (const char *path, int fd, guint64 size);
/* Memory for so many bytes of that file, for the caller to write, or disk when memory is short. NULL with *error. */
FilesBytes *files_bytes_new (const char *path, guint64 size, GError **error);
FilesBytes *files_bytes_ref (FilesBytes *self);
void files_bytes_unref (FilesBytes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesBytes, files_bytes_unref)
/* n bytes from `at` on. FALSE when not all of them can be read, or lie behind the end. */
gboolean files_bytes_read (FilesBytes *self, guint64 at, void *to, gsize n);

#endif
