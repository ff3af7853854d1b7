/* SPDX-License-Identifier: MIT
 */
#include "core/files/czi/segment.h"

enum { NAME = 16, HEADER = 32, USED = 24 };

gboolean
files_czi_segment (FilesBytes *bytes, gint64 at, const char *name, FilesCziSegment *segment)
{
  guint8 header[HEADER];
  char wanted[NAME] = {0};
  memcpy (wanted, name, MIN (strlen (name), NAME));
  if (at < 0 || !files_bytes_read (bytes, (guint64) at, header, sizeof header) || memcmp (header, wanted, NAME))
    return FALSE;
  *segment = (FilesCziSegment){(guint64) at + HEADER, (guint64) files_czi_i64 (header + USED)};
  if (!segment->size) /* all that is allocated is used */
    segment->size = (guint64) files_czi_i64 (header + NAME);
  return segment->size <= bytes->size - segment->at;
}

gboolean
files_czi_segment_head (FilesBytes *bytes, const FilesCziSegment *segment, guint8 *head, gsize n)
{
  return n <= segment->size && files_bytes_read (bytes, segment->at, head, n);
}
