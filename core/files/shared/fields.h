/* SPDX-License-Identifier: MIT
 *
 * Numbers at known offsets of a binary header, in either byte order. The caller has checked that the header is long enough.
 */
#ifndef CORE_FILES_SHARED_FIELDS_H
#define CORE_FILES_SHARED_FIELDS_H

#include <glib.h>
#include <string.h>

typedef struct FilesFields {
  const guint8 *bytes;
  gboolean swapped; /* in the other byte order than this machine's */
} FilesFields;

static inline guint16
files_field_u16 (const FilesFields *f, gsize at)
{
  guint16 v;
  memcpy (&v, f->bytes + at, sizeof v);
  return f->swapped ? GUINT16_SWAP_LE_BE (v) : v;
}

static inline gint16
files_field_i16 (const FilesFields *f, gsize at)
{
  return (gint16) files_field_u16 (f, at);
}

static inline guint32
files_field_u32 (const FilesFields *f, gsize at)
{
  guint32 v;
  memcpy (&v, f->bytes + at, sizeof v);
  return f->swapped ? GUINT32_SWAP_LE_BE (v) : v;
}

static inline gint32
files_field_i32 (const FilesFields *f, gsize at)
{
  return (gint32) files_field_u32 (f, at);
}

static inline guint64
files_field_u64 (const FilesFields *f, gsize at)
{
  guint64 v;
  memcpy (&v, f->bytes + at, sizeof v);
  return f->swapped ? GUINT64_SWAP_LE_BE (v) : v;
}

static inline double
files_field_f32 (const FilesFields *f, gsize at)
{
  const guint32 bits = files_field_u32 (f, at);
  float v;
  memcpy (&v, &bits, sizeof v);
  return (double) v;
}

static inline double
files_field_f64 (const FilesFields *f, gsize at)
{
  const guint64 bits = files_field_u64 (f, at);
  double v;
  memcpy (&v, &bits, sizeof v);
  return v;
}

/* At most n bytes, up to a NUL and without blanks around it. Free with g_free(). */
static inline char *
files_field_text (const FilesFields *f, gsize at, gsize n)
{
  return g_strstrip (g_strndup ((const char *) f->bytes + at, n));
}

#endif
