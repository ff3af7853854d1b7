/* SPDX-License-Identifier: MIT
 *
 * Decoders whose libraries are not made for files that lie: each image is decoded in a process of its own, a program beside the module of operations.
 */
#ifndef CORE_FILES_CODEC_PROCESS_H
#define CORE_FILES_CODEC_PROCESS_H

#include "core/files/codec/job.h"

#include <glib.h>

typedef struct FilesCodec {
  const char *program;
  const char *faults[CODEC_ENDS]; /* how an image fails, behind a noun */
  int state;                      /* whether the library is there; 0: it has not been looked for */
} FilesCodec;

/* Whether the library is there. Any thread. */
gboolean files_codec_can (FilesCodec *codec);
/* Decodes n packed bytes to the columns, rows, bytes and samples of `wanted`, whose other fields are of no account. What is wrong with them, or NULL. */
const char *files_codec_decode (const FilesCodec *codec, const guint8 *packed, gsize n, const codec_job *wanted,
                                guint8 *to);
/* Runs a program with these words (NULL at the end), with a file as CODEC_FILE unless it is negative, for so many seconds at most, and until the work of the
 * thread shall stop. */
codec_end files_codec_process (const char *path, char *const *words, int file, double seconds);

#endif
