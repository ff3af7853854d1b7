/* SPDX-License-Identifier: MIT
 *
 * JPEG-LS (ISO/IEC 14495-1) by libcharls, in a process of its own.
 */
#ifndef CORE_FILES_CODEC_JPEG_LS_H
#define CORE_FILES_CODEC_JPEG_LS_H

#include "core/files/codec/job.h"

#include <glib.h>

/* Whether the library is there. Any thread. */
gboolean files_jpeg_ls_can (void);
/* Decodes n bytes to numbers of 1 or 2 bytes in this machine's order, the samples of a pixel side by side. wanted: their columns, rows, bytes and samples. What
 * is wrong with the bytes, behind a noun, or NULL. */
const char *files_jpeg_ls_decode (const guint8 *packed, gsize n, const codec_job *wanted, guint8 *to);

#endif
