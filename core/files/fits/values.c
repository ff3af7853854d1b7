/* SPDX-License-Identifier: MIT
 */
#include "core/files/fits/values.h"

#include "core/base/vectorised.h"
#include "core/data/pixel_type.h"
#include "core/files/fits/cards.h"

#include <math.h>
#include <string.h>

/* ---- Which type ---- */

/* What is added to make a number of the other sign convention. */
static double
half_of (int bits)
{
  return bits == 8 ? -0x1p7 : ldexp (1, bits - 1);
}

static fv_type
integer_type (const FilesFitsValues *v)
{
  switch (v->bits) {
  case 8: return v->flipped ? FV_I8 : FV_U8;
  case 16: return v->flipped ? FV_U16 : FV_I16;
  case 32: return v->flipped ? FV_U32 : FV_I32;
  default: return FV_F64;
  }
}

void
files_fits_values (const FilesFitsImage *image, FilesFitsValues *v)
{
  *v = (FilesFitsValues){.bits = image->bits, .scale = 1};
  v->bytes = (guint) ABS (v->bits) / 8;
  files_fits_number (image->cards, "BSCALE", 0, &v->scale);
  files_fits_number (image->cards, "BZERO", 0, &v->zero);
  v->has_blank = v->bits > 0
                 && (files_fits_integer (image->cards, "BLANK", 0, &v->blank)
                     || (image->tiles && files_fits_integer (image->cards, "ZBLANK", 0, &v->blank)));
  if (v->bits < 0) {
    v->type = v->bits == -32 ? FV_F32 : FV_F64;
    v->copied = v->scale == 1 && v->zero == 0;
  } else if (v->scale == 1 && !v->has_blank && (v->zero == 0 || v->zero == half_of (v->bits))) {
    v->flipped = v->zero != 0;
    v->type = integer_type (v);
    v->copied = v->bits != 64;
    v->source = v->copied ? NULL : v->flipped ? "uint64" : "int64";
  } else
    v->type = v->bits > 16 ? FV_F64 : FV_F32;
  v->pixel = (guint) pixel_type_bytes (v->type);
}

/* ---- Byte order ---- */

#define DEFINE_SWAP(BITS)                                                                                              \
  VECTORISED static void swap_##BITS (guint##BITS *v, gsize n)                                                         \
  {                                                                                                                    \
    for (gsize i = 0; i < n; i++)                                                                                      \
      v[i] = GUINT##BITS##_FROM_BE (v[i]);                                                                             \
  }
DEFINE_SWAP (16)
DEFINE_SWAP (32)
DEFINE_SWAP (64)

void
files_fits_swap (void *numbers, guint bytes, gsize n)
{
  if (bytes == 2)
    swap_16 (numbers, n);
  else if (bytes == 4)
    swap_32 (numbers, n);
  else if (bytes == 8)
    swap_64 (numbers, n);
}

/* ---- Values ---- */

#define DEFINE_FLIP(BITS)                                                                                              \
  VECTORISED static void flip_##BITS (const guint##BITS *from, gsize n, guint##BITS *to)                               \
  {                                                                                                                    \
    for (gsize i = 0; i < n; i++)                                                                                      \
      to[i] = (guint##BITS) (from[i] ^ (guint##BITS) 1 << (BITS - 1));                                                 \
  }
DEFINE_FLIP (8)
DEFINE_FLIP (16)
DEFINE_FLIP (32)

#define DEFINE_SCALE(NAME, FROM, TO)                                                                                   \
  VECTORISED static void scale_##NAME (const FROM *from, gsize n, const FilesFitsValues *v, TO *to)                    \
  {                                                                                                                    \
    const double scale = v->scale, zero = v->zero;                                                                     \
    for (gsize i = 0; i < n; i++)                                                                                      \
      to[i] = (TO) (zero + scale * (double) from[i]);                                                                  \
  }                                                                                                                    \
  static void blank_##NAME (const FROM *from, gsize n, const FilesFitsValues *v, TO *to)                               \
  {                                                                                                                    \
    for (gsize i = 0; v->has_blank && i < n; i++)                                                                      \
      if ((gint64) from[i] == v->blank)                                                                                \
        to[i] = (TO) NAN;                                                                                              \
  }
DEFINE_SCALE (8, guint8, float)
DEFINE_SCALE (16, gint16, float)
DEFINE_SCALE (32, gint32, double)
DEFINE_SCALE (64, gint64, double)
DEFINE_SCALE (f32, float, float)
DEFINE_SCALE (f64, double, double)

/* Stops at the first that f64 does not hold. Conversion rounds, at most to the next power of two, which is outside of 64-bit integers. */
static gsize
widen_64 (const guint64 *from, gsize n, gboolean flipped, double *to)
{
  for (gsize i = 0; i < n; i++) {
    guint64 v = flipped ? from[i] ^ (guint64) 1 << 63 : from[i];
    double d = flipped ? (double) v : (double) (gint64) v;
    if (d == (flipped ? 0x1p64 : 0x1p63) || (flipped ? (guint64) d : (guint64) (gint64) d) != v)
      return i;
    to[i] = d;
  }
  return n;
}

static void
copy (const FilesFitsValues *v, const void *numbers, gsize n, void *pixels)
{
  if (v->flipped && v->bits == 8)
    flip_8 (numbers, n, pixels);
  else if (v->flipped && v->bits == 16)
    flip_16 (numbers, n, pixels);
  else if (v->flipped)
    flip_32 (numbers, n, pixels);
  else if (numbers != pixels)
    memcpy (pixels, numbers, n * v->bytes);
}

gsize
files_fits_convert (const FilesFitsValues *v, void *numbers, gsize n, void *pixels)
{
#define CASE(BITS, NAME)                                                                                               \
  case BITS:                                                                                                           \
    scale_##NAME (numbers, n, v, pixels);                                                                              \
    blank_##NAME (numbers, n, v, pixels);                                                                              \
    break;
  if (v->source)
    return widen_64 (numbers, n, v->flipped, pixels);
  if (v->copied)
    copy (v, numbers, n, pixels);
  else
    switch (v->bits) {
      CASE (8, 8)
      CASE (16, 16)
      CASE (32, 32)
      CASE (64, 64)
      CASE (-32, f32)
      CASE (-64, f64)
    }
#undef CASE
  return n;
}
