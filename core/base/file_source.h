/* SPDX-License-Identifier: MIT
 *
 * Where the bytes of a file are that people name: a path, a URL or a stream. URLs and streams are copied into an
 * unnamed file in the folder of disk_memory.h, which vanishes with the process.
 *
 * https:// and http:// are fetched by the program curl, as are s3:// and gs:// (file_cloud.h). file:// is a path. Other schemes are GIO's, which has them from GVfs.
 */
#ifndef CORE_BASE_FILE_SOURCE_H
#define CORE_BASE_FILE_SOURCE_H

#include "core/base/file_error.h"

typedef struct FileSource FileSource;

/* Whether it is scheme://..., and not a path. */
gboolean file_source_is_url (const char *given);
/* given: a path, at which nothing is looked, or a URL, which is fetched: up to FOVEA_FETCH_LIMIT, until the work of the thread shall
 * stop, with its progress (progress.h). NULL with *error, which names the URL and says what would work. */
FileSource *file_source_new (const char *given, GError **error);
/* The same of all that a descriptor, which stays the caller's, has to read; messages call it `name`. The bytes of a regular
 * file are not copied. */
FileSource *file_source_of_stream (int fd, const char *name, GError **error);
/* Its path, as long as the source exists. */
const char *file_source_path (const FileSource *source);
FileSource *file_source_ref (FileSource *source);
void file_source_unref (FileSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FileSource, file_source_unref)

#endif
