/* SPDX-License-Identifier: MIT
 *
 * A part of a file, or of memory, as OpenJPEG reads it.
 */
#ifndef CORE_FILES_SHARED_JPEG2000_STREAM_H
#define CORE_FILES_SHARED_JPEG2000_STREAM_H

#include "core/files/shared/bytes.h"

#include <openjpeg.h>

typedef struct FilesJpeg2000Part {
  FilesBytes *bytes;
  guint64 start, n; /* where it begins, and its size */
  guint64 at;       /* what is read next, from the start */
} FilesJpeg2000Part;

/* Reads end early when the work of the thread shall stop. The part must outlive the stream, which opj_stream_destroy() frees. NULL: memory is short. */
opj_stream_t *files_jpeg2000_stream_new (FilesJpeg2000Part *part);

#endif
