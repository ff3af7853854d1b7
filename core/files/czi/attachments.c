/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/attachments.h"

#include "core/base/text.h"

enum {
  RESERVED = 256, /* before the first entry, with their number; and before the data of an attachment, with their size */
  ENTRY = 128,
  POSITION = 12,
  NAME = 48,
  MAX_ENTRIES = 1024,
  MAX_TIMES = 1 << 20,
};

static void
read_times (FilesBytes *bytes, gint64 at, GArray *times)
{
  FilesCziSegment segment;
  guint8 head[RESERVED + 8];
  if (times->len || !files_czi_segment (bytes, at, "ZISRAWATTACH", &segment)
      || !files_czi_segment_head (bytes, &segment, head, sizeof head))
    return;
  const gint32 n = files_czi_i32 (head + RESERVED + 4); /* behind the size of the list */
  if (n < 0 || n > MAX_TIMES || (guint64) n > (segment.size - sizeof head) / sizeof (double))
    return;
  g_autofree guint8 *data = g_malloc ((gsize) n * sizeof (double));
  if (!files_bytes_read (bytes, segment.at + sizeof head, data, (gsize) n * sizeof (double)))
    return;
  for (gint32 i = 0; i < n; i++) {
    const double time = files_czi_double (data + (gsize) i * sizeof time);
    g_array_append_val (times, time);
  }
}

void
files_czi_attachments_read (FilesBytes *bytes, gint64 at, GPtrArray *names, GArray *times)
{
  FilesCziSegment segment;
  guint8 entry[RESERVED];
  if (at <= 0 || !files_czi_segment (bytes, at, "ZISRAWATTDIR", &segment)
      || !files_czi_segment_head (bytes, &segment, entry, RESERVED))
    return;
  const gint32 n = MIN (files_czi_i32 (entry), MAX_ENTRIES);
  for (gint32 i = 0; i < n && (guint64) (i + 1) * ENTRY <= segment.size - RESERVED; i++) {
    if (!files_bytes_read (bytes, segment.at + RESERVED + (guint64) i * ENTRY, entry, ENTRY))
      return;
    g_autofree char *name = g_strndup ((const char *) entry + NAME, ENTRY - NAME);
    if (!strcmp (name, "TimeStamps"))
      read_times (bytes, files_czi_i64 (entry + POSITION), times);
    else
      g_ptr_array_add (names, text_visible (name, ""));
  }
}
