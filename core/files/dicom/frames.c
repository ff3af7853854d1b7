/* SPDX-License-Identifier: MIT
 */
#include "core/files/dicom/frames.h"

#include "core/files/dicom/codecs.h"
#include "core/files/shared/numbers.h"

#include <string.h>

enum { MAX_STREAM = 1 << 30 /* bytes of a compressed frame */ };

typedef struct {
  guint64 at;
  guint32 length;
} Fragment;

struct DicomFrames {
  const DicomHeader *header;
  GArray *fragments; /* of Fragment; NULL: not compressed */
  guint *first;      /* of each frame, and behind the last one */
};

guint
dicom_number_bytes (const DicomHeader *h)
{
  return h->allocated == 1 ? 1 : h->allocated / 8;
}

static gsize
frame_bytes (const DicomHeader *h)
{
  return (gsize) h->rows * h->columns * h->samples * dicom_number_bytes (h);
}

gboolean
dicom_frames_are_direct (const DicomFrames *self)
{
  return !self->fragments && !(self->header->by_sample && self->header->samples > 1) && self->header->allocated != 1;
}

/* ---- Fragments ---- */

/* The first fragment is the basic table of offsets. */
static gboolean
find_fragments (DicomFrames *self, FilesBytes *bytes, Fragment *table)
{
  DicomElements items = {bytes, self->header->pixels_at, bytes->size, TRUE, FALSE};
  DicomElement item;
  gboolean is_table = TRUE;
  while (dicom_next (&items, &item)) {
    const Fragment fragment = {item.at, item.length};
    if (item.tag != DICOM_ITEM || item.length == DICOM_UNDEFINED)
      return item.tag == DICOM_SEQUENCE_END;
    if (is_table)
      *table = fragment;
    else
      g_array_append_val (self->fragments, fragment);
    is_table = FALSE;
  }
  return self->fragments->len > 0; /* the delimiter is missing, as in some files */
}

/* Offset i of a table, from the first fragment's item on. FALSE: it does not have that many. */
static gboolean
offset_of (FilesBytes *file, guint64 at, guint32 length, guint bytes, guint i, guint64 *offset)
{
  guint8 p[8] = {0};
  if (length == DICOM_UNDEFINED || ((guint64) i + 1) * bytes > length
      || !files_bytes_read (file, at + (guint64) i * bytes, p, bytes))
    return FALSE;
  *offset = 0;
  for (guint k = 0; k < bytes; k++)
    *offset |= (guint64) p[k] << 8 * k;
  return TRUE;
}

/* By a table, or one fragment a frame, or all of the only frame. */
static gboolean
assign_fragments (DicomFrames *self, FilesBytes *bytes, const Fragment *table)
{
  const DicomHeader *h = self->header;
  const guint n = h->n_frames, fragments = self->fragments->len;
  const gboolean extended = h->offsets_at != 0;
  guint next = 0;
  self->first = g_new0 (guint, (gsize) n + 1);
  self->first[n] = fragments;
  if (n == 1 || fragments == n) {
    for (guint i = 0; i < n; i++)
      self->first[i] = i;
    return fragments > 0;
  }
  for (guint i = 0; i < n; i++) {
    guint64 offset;
    if (!(extended ? offset_of (bytes, h->offsets_at, h->offsets_length, 8, i, &offset)
                   : offset_of (bytes, table->at, table->length, 4, i, &offset)))
      return FALSE;
    const guint64 at = table->at + table->length + offset + 8;
    while (next < fragments && g_array_index (self->fragments, Fragment, next).at < at)
      next++;
    if (next == fragments || g_array_index (self->fragments, Fragment, next).at != at)
      return FALSE;
    self->first[i] = next;
  }
  return self->first[0] == 0;
}

DicomFrames *
dicom_frames_new (const DicomHeader *header, FilesBytes *bytes, GError **error)
{
  g_autoptr (DicomFrames) self = g_new0 (DicomFrames, 1);
  Fragment table = {0, 0};
  self->header = header;
  if (header->syntax->codec == DICOM_NATIVE)
    return g_steal_pointer (&self);
  self->fragments = g_array_new (FALSE, FALSE, sizeof (Fragment));
  if (find_fragments (self, bytes, &table) && assign_fragments (self, bytes, &table))
    return g_steal_pointer (&self);
  file_fail (error, FILE_ERROR_DAMAGED, bytes->path,
             "is damaged or truncated: its %u fragments are not those of %u frames.", self->fragments->len,
             header->n_frames);
  return NULL;
}

void
dicom_frames_free (DicomFrames *self)
{
  g_clear_pointer (&self->fragments, g_array_unref);
  g_free (self->first);
  g_free (self);
}

/* All bytes of a compressed frame. NULL with *error. Free with g_free(). */
static guint8 *
read_stream (const DicomFrames *self, FilesBytes *bytes, guint frame, gsize *n, GError **error)
{
  g_autofree guint8 *stream = NULL;
  gsize at = 0;
  *n = 0;
  for (guint i = self->first[frame]; i < self->first[frame + 1]; i++)
    *n += g_array_index (self->fragments, Fragment, i).length;
  if (*n <= MAX_STREAM)
    stream = g_try_malloc (MAX (*n, 1));
  gboolean read = stream != NULL;
  for (guint i = self->first[frame]; read && i < self->first[frame + 1]; i++) {
    const Fragment *fragment = &g_array_index (self->fragments, Fragment, i);
    read = files_bytes_read (bytes, fragment->at, stream + at, fragment->length);
    at += fragment->length;
  }
  if (!read)
    file_fail (error, FILE_ERROR_DAMAGED, bytes->path, "cannot be read: frame %u of it does not fit into memory.",
               frame + 1);
  return read ? g_steal_pointer (&stream) : NULL;
}

static gboolean
read_compressed (const DicomFrames *self, FilesBytes *bytes, guint frame, void *to, GError **error)
{
  gsize n;
  g_autofree guint8 *stream = read_stream (self, bytes, frame, &n, error);
  const char *why = stream ? dicom_decode (self->header, stream, n, to) : NULL;
  if (why)
    file_fail (error, FILE_ERROR_DAMAGED, bytes->path, "cannot be read: frame %u of it, %s, %s.", frame + 1,
               self->header->syntax->name, why);
  return stream && !why;
}

/* ---- Numbers that are not compressed ---- */

/* Bits, the lowest of a byte first, also across frames (PS3.5, 8.1.1). */
static gboolean
read_bits (const DicomFrames *self, FilesBytes *bytes, guint frame, guint8 *to)
{
  const gsize n = frame_bytes (self->header);
  const guint64 first = (guint64) frame * n, at = first / 8, end = (first + n + 7) / 8;
  g_autofree guint8 *bits = g_try_malloc ((gsize) (end - at));
  if (!bits || !files_bytes_read (bytes, self->header->pixels_at + at, bits, (gsize) (end - at)))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    to[i] = bits[(first % 8 + i) / 8] >> (first + i) % 8 & 1;
  return TRUE;
}

/* n bytes of numbers. Those of 8 bits may be stored in words of 16 bits, whose bytes are in the other order then. */
static gboolean
read_numbers (const DicomFrames *self, FilesBytes *file, guint64 from, gsize n, guint8 *to)
{
  const DicomHeader *h = self->header;
  const gboolean swapped = h->syntax->is_big != (G_BYTE_ORDER == G_BIG_ENDIAN);
  if (!swapped || h->allocated > 8 || !h->in_words) {
    if (!files_bytes_read (file, h->pixels_at + from, to, n))
      return FALSE;
    if (swapped)
      files_numbers_swap (to, dicom_number_bytes (h), n / dicom_number_bytes (h));
    return TRUE;
  }
  const guint64 first = from & ~(guint64) 1;
  const gsize words = (gsize) ((from + n + 1) / 2 - first / 2);
  g_autofree guint8 *stored = g_try_malloc (2 * words);
  if (!stored || !files_bytes_read (file, h->pixels_at + first, stored, 2 * words))
    return FALSE;
  files_numbers_swap (stored, 2, words);
  memcpy (to, stored + (from - first), n);
  return TRUE;
}

/* Red of all pixels, then green, then blue. */
static gboolean
read_samples (const DicomFrames *self, FilesBytes *bytes, guint frame, guint8 *to)
{
  const DicomHeader *h = self->header;
  const gsize n = frame_bytes (h), each = dicom_number_bytes (h), pixels = (gsize) h->rows * h->columns;
  g_autofree guint8 *stored = g_try_malloc (n);
  if (!stored || !read_numbers (self, bytes, (guint64) frame * n, n, stored))
    return FALSE;
  for (gsize i = 0; i < pixels * h->samples; i++)
    memcpy (to + (i % pixels * h->samples + i / pixels) * each, stored + i * each, each);
  return TRUE;
}

static gboolean
read_rows (const DicomFrames *self, FilesBytes *file, guint frame, guint row, guint n, void *to)
{
  const DicomHeader *h = self->header;
  const gsize row_bytes = frame_bytes (h) / h->rows;
  return read_numbers (self, file, (guint64) frame * frame_bytes (h) + (guint64) row * row_bytes, row_bytes * n, to);
}

gboolean
dicom_frames_read (const DicomFrames *self, FilesBytes *bytes, guint frame, guint row, guint n, void *to,
                   GError **error)
{
  if (self->fragments)
    return read_compressed (self, bytes, frame, to, error);
  return (self->header->allocated == 1                           ? read_bits (self, bytes, frame, to)
          : self->header->by_sample && self->header->samples > 1 ? read_samples (self, bytes, frame, to)
                                                                 : read_rows (self, bytes, frame, row, n, to))
         || file_fail (error, FILE_ERROR_DAMAGED, bytes->path, "cannot be read up to the end of frame %u.", frame + 1);
}
