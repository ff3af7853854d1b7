/* SPDX-License-Identifier: MIT
 *
 * A CZI file is a list of segments, each with a name of 16 bytes, two sizes and its data. All numbers are little-endian.
 * Source: ZISRAW (CZI) File Format, Design Specification 1.2.2, Carl Zeiss Microscopy.
 */
#ifndef CORE_FILES_CZI_SEGMENT_H
#define CORE_FILES_CZI_SEGMENT_H

#include "core/files/shared/bytes.h"

#include <string.h>

static inline gint32
files_czi_i32 (const guint8 *p)
{
  guint32 number;
  memcpy (&number, p, sizeof number);
  return (gint32) GUINT32_FROM_LE (number);
}

static inline gint64
files_czi_i64 (const guint8 *p)
{
  guint64 number;
  memcpy (&number, p, sizeof number);
  return (gint64) GUINT64_FROM_LE (number);
}

static inline double
files_czi_double (const guint8 *p)
{
  const gint64 bits = files_czi_i64 (p);
  double number;
  memcpy (&number, &bits, sizeof number);
  return number;
}

/* The data of a segment, which lie within the file. */
typedef struct FilesCziSegment {
  guint64 at, size;
} FilesCziSegment;

/* Whether a segment with this name begins at `at`, a number of the file. */
gboolean files_czi_segment (FilesBytes *bytes, gint64 at, const char *name, FilesCziSegment *segment);
/* Its first n bytes. FALSE when there are fewer. */
gboolean files_czi_segment_head (FilesBytes *bytes, const FilesCziSegment *segment, guint8 *head, gsize n);

#endif
