/* SPDX-License-Identifier: MIT
 *
 * Files of nothing but pixels. The user describes them: "width=512 height=512 slices=10 type=u16 offset=128 endian=big".
 */
#ifndef CORE_FILES_RAW_H
#define CORE_FILES_RAW_H

#include "core/files/shared/format.h"
#include "core/ops/op.h"

typedef enum { FILES_RAW_SLICES, FILES_RAW_CHANNELS, FILES_RAW_SAMPLES } FilesRawOrder;

typedef struct FilesRaw {
  int32_t width, height, slices, channels, frames;
  int32_t type;   /* index of its choice */
  int32_t endian; /* 0 little, 1 big */
  int32_t order;  /* FilesRawOrder */
  int32_t offset; /* bytes before the first pixel */
  int32_t gap;    /* bytes between planes */
} FilesRaw;

/* Its parameters, declared as if they were those of an operation. */
const Op *files_raw_op (void);
/* Reads "width=512 height=512 type=u16"; what is not said has its default. FALSE with *error. */
gboolean files_raw_parse (const char *text, FilesRaw *raw, GError **error);
/* As text that reads back to the same. Free with g_free(). */
char *files_raw_format (const FilesRaw *raw);
/* Where the last pixel ends, in bytes; 0: the sizes are impossible. */
guint64 files_raw_end (const FilesRaw *raw);
/* Whether a file of so many bytes has all pixels. FALSE with *error. path: for it. */
gboolean files_raw_fits (const FilesRaw *raw, const char *path, guint64 size, GError **error);
/* What a file of that name and size may be: sizes and a type that its name has, such as head_256x256x128_u16.raw, if they fit, or else squares. */
FilesRaw files_raw_guess (const char *path, guint64 size);

/* From now on all of the program reads the file at the path so, regardless of its first bytes; NULL: by its contents. Any thread. FALSE with *error when the
 * text is wrong. */
gboolean files_raw_set (const char *path, const char *text, GError **error);
/* What was set, or NULL. Free with g_free(). Any thread. */
char *files_raw_of (const char *path);
/* Whether a file that no format knows has the name of such a file: FALSE and *error says how to open it. */
gboolean files_raw_explain (const char *path, GError **error);

/* For files that were set; not in the list of formats.h, since no contents show it. */
extern const FileFormat format_raw;

#endif
