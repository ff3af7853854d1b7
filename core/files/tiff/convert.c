/* SPDX-License-Identifier: MIT
 *
 * Widening: 1 bit becomes 0 or 255, a mask; 2 to 8 bits u8 or i8, 9 to 16 u16 or i16, 17 to 31 i32, 64 bits f64. NaN and
 * infinities stay. Which type is decided before any value is seen.
 */
#include "core/files/tiff/convert.h"

#include "core/base/file_error.h"
#include "core/base/vectorised.h"
#include "core/data/pixel_type.h"

#include <string.h>
#include <tiffio.h>

/* ---- Which type ---- */

static gboolean
unsupported (const FilesTiffFile *file, const char *type, const char *hint, GError **error)
{
  return file_fail (error, FILE_ERROR_UNSUPPORTED, file->path, "has pixels of type %s, which cannot be read; %s.", type,
                    hint);
}

static gboolean
integer_format (const FilesTiffFile *file, FilesTiffFormat *f, GError **error)
{
  char name[16];
  g_snprintf (name, sizeof name, "%s%u", f->is_signed ? "int" : "uint", f->bits);
  if ((f->bits > 32 && f->bits != 64) || f->bits == 0)
    return unsupported (file, name, "save it as 32-bit or 64-bit integers", error);
  if (f->bits == 64)
    f->type = FV_F64;
  else if (f->bits > 16)
    f->type = f->bits == 32 && !f->is_signed ? FV_U32 : FV_I32;
  else if (f->bits > 8)
    f->type = f->is_signed ? FV_I16 : FV_U16;
  else
    f->type = f->is_signed ? FV_I8 : FV_U8;
  f->copied = f->bits == 8 || f->bits == 16 || f->bits == 32;
  if (!f->copied)
    g_strlcpy (f->source, f->bits == 1 ? "bool" : name, sizeof f->source);
  return TRUE;
}

static gboolean
float_format (const FilesTiffFile *file, FilesTiffFormat *f, GError **error)
{
  char name[16];
  g_snprintf (name, sizeof name, "float%u", f->bits);
  if (f->bits != 16 && f->bits != 32 && f->bits != 64)
    return unsupported (file, name, "save it as 32-bit floating point", error);
  f->type = f->bits == 64 ? FV_F64 : f->bits == 32 ? FV_F32 : FV_F16;
  f->copied = TRUE;
  return TRUE;
}

gboolean
files_tiff_format (const FilesTiffFile *file, const FilesTiffPage *page, FilesTiffFormat *f, GError **error)
{
  gboolean done;
  *f = (FilesTiffFormat){.bits = page->bits, .samples = page->samples};
  if (page->color != FILES_TIFF_PLAIN) {
    if (page->bits != 8 || page->samples != 3)
      return unsupported (file, "YCbCr with other than three 8-bit samples", "save it as RGB", error);
    page = NULL;
  }
  if (page && (page->format == SAMPLEFORMAT_COMPLEXINT || page->format == SAMPLEFORMAT_COMPLEXIEEEFP))
    return unsupported (file, "complex", "save its real part or its magnitude as 32-bit floating point", error);
  f->is_signed = page && page->format == SAMPLEFORMAT_INT;
  f->is_float = page && page->format == SAMPLEFORMAT_IEEEFP;
  done = f->is_float ? float_format (file, f, error) : integer_format (file, f, error);
  f->bytes = (guint) (done ? pixel_type_bytes (f->type) : 0);
  return done;
}

void
files_tiff_format_offset (FilesTiffFormat *f, gint32 offset)
{
  if (f->type != FV_U16 || f->bits != 16)
    return;
  f->type = FV_I16;
  f->copied = FALSE;
  f->offset = offset;
}

/* ---- Pixels ---- */

/* Inlined where `bytes` and perhaps `step` are constants, so that the compiler makes moves of it, many at once. */
static inline void
gather (guint bytes, const guint8 *restrict from, gsize step, gsize n, guint8 *restrict to)
{
  for (gsize i = 0; i < n; i++)
    memcpy (to + i * bytes, from + i * step * bytes, bytes);
}

/* One of the colors of RGB. */
VECTORISED static void
gather_8_of_3 (const guint8 *restrict from, gsize n, guint8 *restrict to)
{
  gather (1, from, 3, n, to);
}

VECTORISED static void
gather_16_of_3 (const guint8 *restrict from, gsize n, guint8 *restrict to)
{
  gather (2, from, 3, n, to);
}

static void
copy (guint bytes, const guint8 *from, gsize step, gsize n, guint8 *to)
{
  if (step == 1)
    memcpy (to, from, n * bytes);
  else if (step == 3 && bytes == 1)
    gather_8_of_3 (from, n, to);
  else if (step == 3 && bytes == 2)
    gather_16_of_3 (from, n, to);
  else if (bytes == 1)
    gather (1, from, step, n, to);
  else if (bytes == 2)
    gather (2, from, step, n, to);
  else
    gather (bytes, from, step, n, to);
}

/* `bits` bits from bit `at` on, the highest first. */
static guint32
read_bits (const guint8 *row, gsize at, guint bits)
{
  guint64 v = 0;
  gsize first = at / 8, last = (at + bits - 1) / 8;
  for (gsize i = first; i <= last; i++)
    v = v << 8 | row[i];
  return (guint32) (v >> (7 - (at + bits - 1) % 8)) & (guint32) ((G_GUINT64_CONSTANT (1) << bits) - 1);
}

/* One unsigned sample of any width. */
static guint32
read_sample (const FilesTiffFormat *f, const guint8 *row, gsize i)
{
  guint16 v16;
  guint32 v32 = 0;
  switch (f->bits) {
  case 8: return row[i];
  case 16: memcpy (&v16, row + 2 * i, 2); return v16;
  case 24: memcpy ((guint8 *) &v32 + (G_BYTE_ORDER == G_BIG_ENDIAN), row + 3 * i, 3); return v32;
  case 32: memcpy (&v32, row + 4 * i, 4); return v32;
  default: return read_bits (row, i * f->bits, f->bits);
  }
}

static guint64
read_64 (const guint8 *row, gsize i)
{
  guint64 v;
  memcpy (&v, row + 8 * i, 8);
  return v;
}

/* Stops at the first that f64 does not hold. Conversion rounds, at most to the next power of two, which is outside of 64-bit integers. */
static gsize
widen_64 (const FilesTiffFormat *f, const guint8 *row, gsize first, gsize step, gsize n, double *pixels)
{
  double end = f->is_signed ? 0x1p63 : 0x1p64;
  for (gsize i = 0; i < n; i++) {
    guint64 v = read_64 (row, first + i * step);
    double d = f->is_signed ? (double) (gint64) v : (double) v;
    if (d == end || (f->is_signed ? (guint64) (gint64) d : (guint64) d) != v)
      return i;
    pixels[i] = d;
  }
  return n;
}

char *
files_tiff_convert_text (const FilesTiffFormat *f, const guint8 *row, gsize i)
{
  guint64 v = read_64 (row, i);
  return f->is_signed ? g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) v) : g_strdup_printf ("%" G_GUINT64_FORMAT, v);
}

gsize
files_tiff_convert (const FilesTiffFormat *f, const guint8 *row, gsize first, gsize step, gsize n, void *pixels)
{
  guint unused = 32 - f->bits;
  gboolean is_mask = f->bits == 1 && !f->is_signed;
  if (f->copied) {
    copy (f->bytes, row + first * f->bytes, step, n, pixels);
    return n;
  }
  if (f->bits == 64)
    return widen_64 (f, row, first, step, n, pixels);
  for (gsize i = 0; i < n; i++) {
    guint32 v = read_sample (f, row, first + i * step);
    gint32 signed_v = f->is_signed ? (gint32) (v << unused) >> unused : (gint32) v;
    switch (f->bytes) {
    case 1: ((guint8 *) pixels)[i] = (guint8) (is_mask ? -signed_v : signed_v); break;
    case 2: ((guint16 *) pixels)[i] = (guint16) (signed_v + f->offset); break;
    default: ((gint32 *) pixels)[i] = signed_v;
    }
  }
  return n;
}
