/* SPDX-License-Identifier: MIT
 */
#include "core/files/dicom/values.h"

#include "core/base/vectorised.h"
#include "core/data/pixel_type.h"

#include <math.h>
#include <string.h>

/* ---- Types ---- */

static void
add_values (DicomRange *range, const DicomHeader *h, const DicomFrame *frame)
{
  const double half = ldexp (1, (int) h->stored - 1), first = h->is_signed ? -half : 0,
               last = h->is_signed ? half - 1 : 2 * half - 1;
  const double a = frame->intercept + frame->slope * first, b = frame->intercept + frame->slope * last;
  range->low = range->some ? fmin (range->low, fmin (a, b)) : fmin (a, b);
  range->high = range->some ? fmax (range->high, fmax (a, b)) : fmax (a, b);
  range->some = TRUE;
  range->is_scaled |= fabs (frame->slope) != 1 || frame->intercept != floor (frame->intercept);
}

void
dicom_range_add (DicomRange *range, const DicomHeader *h)
{
  range->is_float |= h->is_float;
  range->allocated = MAX (range->allocated, h->allocated);
  range->stored = MAX (range->stored, h->stored);
  for (guint i = 0; i < h->n_frames; i++)
    add_values (range, h, h->frames + i);
}

fv_type
dicom_range_type (const DicomRange *range)
{
  static const struct {
    fv_type type;
    double low, high;
  } integers[] = {{FV_U8, 0, G_MAXUINT8},           {FV_I8, G_MININT8, G_MAXINT8},    {FV_U16, 0, G_MAXUINT16},
                  {FV_I16, G_MININT16, G_MAXINT16}, {FV_I32, G_MININT32, G_MAXINT32}, {FV_U32, 0, G_MAXUINT32}};
  if (range->is_float)
    return range->allocated == 32 && !range->is_scaled ? FV_F32 : FV_F64;
  for (guint i = 0; !range->is_scaled && i < G_N_ELEMENTS (integers); i++)
    if (range->low >= integers[i].low && range->high <= integers[i].high
        && pixel_type_bytes (integers[i].type) * 8 >= range->allocated)
      return integers[i].type;
  return range->stored <= 16 ? FV_F32 : FV_F64;
}

/* ---- Values ---- */

/* The bits that count, from `high` down, signed or not. */
#define DEFINE_VALUES(NAME, FROM, TO)                                                                                  \
  VECTORISED static void NAME (const DicomHeader *h, const DicomFrame *f, const FROM *from, gsize n, TO *to)           \
  {                                                                                                                    \
    const guint left = 31 - h->high, right = 32 - h->stored;                                                           \
    const double slope = f->slope, intercept = f->intercept;                                                           \
    if (h->is_signed)                                                                                                  \
      for (gsize i = 0; i < n; i++)                                                                                    \
        to[i] = (TO) (intercept + slope * ((gint32) ((guint32) from[i] << left) >> right));                            \
    else                                                                                                               \
      for (gsize i = 0; i < n; i++)                                                                                    \
        to[i] = (TO) (intercept + slope * ((guint32) from[i] << left >> right));                                       \
  }
#define DEFINE_FROM(NAME, FROM)                                                                                        \
  DEFINE_VALUES (NAME##_u8, FROM, guint8)                                                                              \
  DEFINE_VALUES (NAME##_i8, FROM, gint8)                                                                               \
  DEFINE_VALUES (NAME##_u16, FROM, guint16)                                                                            \
  DEFINE_VALUES (NAME##_i16, FROM, gint16)                                                                             \
  DEFINE_VALUES (NAME##_u32, FROM, guint32)                                                                            \
  DEFINE_VALUES (NAME##_i32, FROM, gint32)                                                                             \
  DEFINE_VALUES (NAME##_f32, FROM, float)                                                                              \
  DEFINE_VALUES (NAME##_f64, FROM, double)                                                                             \
  static void NAME (const DicomHeader *h, const DicomFrame *f, const void *from, gsize n, fv_type type, void *to)      \
  {                                                                                                                    \
    switch (type) {                                                                                                    \
    case FV_U8: NAME##_u8 (h, f, from, n, to); break;                                                                  \
    case FV_I8: NAME##_i8 (h, f, from, n, to); break;                                                                  \
    case FV_U16: NAME##_u16 (h, f, from, n, to); break;                                                                \
    case FV_I16: NAME##_i16 (h, f, from, n, to); break;                                                                \
    case FV_U32: NAME##_u32 (h, f, from, n, to); break;                                                                \
    case FV_I32: NAME##_i32 (h, f, from, n, to); break;                                                                \
    case FV_F32: NAME##_f32 (h, f, from, n, to); break;                                                                \
    default: NAME##_f64 (h, f, from, n, to);                                                                           \
    }                                                                                                                  \
  }
DEFINE_FROM (from_u8, guint8)
DEFINE_FROM (from_u16, guint16)
DEFINE_FROM (from_u32, guint32)

static void
from_floats (const DicomHeader *h, const DicomFrame *f, const void *from, gsize n, fv_type type, void *to)
{
  for (gsize i = 0; i < n; i++) {
    const double number = h->allocated == 32 ? ((const float *) from)[i] : ((const double *) from)[i];
    if (type == FV_F32)
      ((float *) to)[i] = (float) (f->intercept + f->slope * number);
    else
      ((double *) to)[i] = f->intercept + f->slope * number;
  }
}

void
dicom_values (const DicomHeader *h, const DicomFrame *frame, const void *numbers, gsize n, fv_type type, void *to)
{
  if (h->is_float)
    from_floats (h, frame, numbers, n, type, to);
  else if (h->allocated == 1) /* a mask */
    for (gsize i = 0; i < n; i++)
      ((guint8 *) to)[i] = ((const guint8 *) numbers)[i] ? G_MAXUINT8 : 0;
  else
    (h->allocated == 8 ? from_u8 : h->allocated == 16 ? from_u16 : from_u32) (h, frame, numbers, n, type, to);
}

/* ---- Colors ---- */

/* PS3.3, C.7.6.3.1.2: the full range of ITU-R BT.601. */
static guint8
of_ybr (const guint8 *p, guint c)
{
  const double y = p[0], b = p[1] - 128.0, r = p[2] - 128.0;
  const double value = c == 0 ? y + 1.402 * r : c == 1 ? y - 0.344136 * b - 0.714136 * r : y + 1.772 * b;
  return (guint8) CLAMP (floor (value + 0.5), 0, G_MAXUINT8);
}

void
dicom_color (const DicomHeader *h, const void *pixels, gsize n, guint c, void *to)
{
  const guint8 *from = pixels;
  /* libjpeg has made RGB of it. */
  const gboolean is_rgb = h->colors == DICOM_RGB || h->syntax->codec == DICOM_JPEG;
  for (gsize i = 0; i < n; i++)
    if (h->allocated == 16)
      ((guint16 *) to)[i] = ((const guint16 *) pixels)[3 * i + c];
    else
      ((guint8 *) to)[i] = is_rgb ? from[3 * i + c] : of_ybr (from + 3 * i, c);
}

guint8 *
dicom_palette_read (const DicomHeader *h, FilesBytes *bytes, GError **error)
{
  const DicomPalette *p = &h->palette;
  const guint each = p->bits > 8 ? 2 : 1;
  g_autofree guint8 *colors = g_malloc0 (3 << 16), *stored = g_malloc0 (2 << 16);
  for (guint c = 0; c < 3; c++) {
    const guint wide = p->length[c] >= 2 * p->entries ? 2 : each; /* many have words of 8 bits */
    if (!p->entries || p->length[c] == DICOM_UNDEFINED || p->length[c] < wide * p->entries
        || !files_bytes_read (bytes, p->at[c], stored, wide * p->entries)) {
      file_fail (error, FILE_ERROR_DAMAGED, bytes->path, "is damaged: the table of its colors is incomplete.");
      return NULL;
    }
    for (gint64 i = 0; i < 1 << 16; i++) {
      const gint64 number = h->is_signed && h->allocated == 16 ? (gint16) i : i;
      const guint8 *entry = stored + CLAMP (number - p->first, 0, (gint64) p->entries - 1) * wide;
      const guint value = wide == 1 ? *entry : h->syntax->is_big ? entry[0] << 8 | entry[1] : entry[1] << 8 | entry[0];
      colors[(c << 16) + i] = (guint8) (p->bits > 8 ? value >> 8 : value);
    }
  }
  return g_steal_pointer (&colors);
}
