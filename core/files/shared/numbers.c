/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/numbers.h"

#include "core/base/vectorised.h"
#include "core/data/half.h"
#include "core/data/pixel_type.h"

#include <math.h>
#include <string.h>

/* ---- Which type ---- */

static gboolean
is_scaled (const FilesNumber *number)
{
  return number->scale != 0 && (number->scale != 1 || number->zero != 0);
}

/* As it is stored; 0: a 64-bit integer. */
static fv_type
stored_type (const FilesNumber *number)
{
  switch (number->bytes) {
  case 1: return number->is_signed ? FV_I8 : FV_U8;
  case 2: return number->is_float ? FV_F16 : number->is_signed ? FV_I16 : FV_U16;
  case 4: return number->is_float ? FV_F32 : number->is_signed ? FV_I32 : FV_U32;
  default: return number->is_float ? FV_F64 : 0;
  }
}

fv_type
files_number_type (const FilesNumber *number)
{
  if (is_scaled (number))
    return number->bytes <= (number->is_float ? 4 : 2) ? FV_F32 : FV_F64;
  const fv_type stored = stored_type (number);
  return stored ? stored : FV_F64;
}

const char *
files_number_source (const FilesNumber *number)
{
  if (number->is_mask)
    return "bool";
  if (is_scaled (number) || stored_type (number))
    return NULL;
  return number->is_signed ? "int64" : "uint64";
}

gboolean
files_number_is_copied (const FilesNumber *number)
{
  return !is_scaled (number) && stored_type (number) && !number->is_mask;
}

/* ---- Byte order ---- */

#define DEFINE_SWAP(BITS)                                                                                              \
  VECTORISED static void swap_##BITS (guint##BITS *v, gsize n)                                                         \
  {                                                                                                                    \
    for (gsize i = 0; i < n; i++)                                                                                      \
      v[i] = GUINT##BITS##_SWAP_LE_BE (v[i]);                                                                          \
  }
DEFINE_SWAP (16)
DEFINE_SWAP (32)
DEFINE_SWAP (64)

void
files_numbers_swap (void *numbers, guint bytes, gsize n)
{
  if (bytes == 2)
    swap_16 (numbers, n);
  else if (bytes == 4)
    swap_32 (numbers, n);
  else if (bytes == 8)
    swap_64 (numbers, n);
}

/* ---- Values ---- */

#define DEFINE_SCALE(NAME, FROM, TO, VALUE)                                                                            \
  VECTORISED static void scale_##NAME (const FROM *from, gsize n, double scale, double zero, TO *to)                   \
  {                                                                                                                    \
    for (gsize i = 0; i < n; i++)                                                                                      \
      to[i] = (TO) (zero + scale * (double) (VALUE));                                                                  \
  }
DEFINE_SCALE (u8, guint8, float, from[i])
DEFINE_SCALE (i8, gint8, float, from[i])
DEFINE_SCALE (u16, guint16, float, from[i])
DEFINE_SCALE (i16, gint16, float, from[i])
DEFINE_SCALE (f16, guint16, float, half_to_float (from[i]))
DEFINE_SCALE (u32, guint32, double, from[i])
DEFINE_SCALE (i32, gint32, double, from[i])
DEFINE_SCALE (u64, guint64, double, from[i])
DEFINE_SCALE (i64, gint64, double, from[i])
DEFINE_SCALE (f32, float, float, from[i])
DEFINE_SCALE (f64, double, double, from[i])

static void
scale (const FilesNumber *f, const void *numbers, gsize n, void *pixels)
{
#define CASE(TYPE, NAME)                                                                                               \
  case TYPE: scale_##NAME (numbers, n, f->scale, f->zero, pixels); break;
  switch (stored_type (f)) {
    CASE (FV_U8, u8)
    CASE (FV_I8, i8)
    CASE (FV_U16, u16)
    CASE (FV_I16, i16)
    CASE (FV_F16, f16)
    CASE (FV_U32, u32)
    CASE (FV_I32, i32)
    CASE (FV_F32, f32)
    CASE (FV_F64, f64)
  default:
    if (f->is_signed)
      scale_i64 (numbers, n, f->scale, f->zero, pixels);
    else
      scale_u64 (numbers, n, f->scale, f->zero, pixels);
  }
#undef CASE
}

static void
make_mask (const guint8 *from, gsize n, guint8 *to)
{
  for (gsize i = 0; i < n; i++)
    to[i] = from[i] ? 255 : 0;
}

/* Stops at the first that f64 does not hold. Conversion rounds, at most to the next power of two, which is outside of 64-bit integers. */
static gsize
widen_64 (const FilesNumber *f, const guint64 *from, gsize n, double *to)
{
  const double end = f->is_signed ? 0x1p63 : 0x1p64;
  for (gsize i = 0; i < n; i++) {
    const double d = f->is_signed ? (double) (gint64) from[i] : (double) from[i];
    if (d == end || (f->is_signed ? (guint64) (gint64) d : (guint64) d) != from[i])
      return i;
    to[i] = d;
  }
  return n;
}

gsize
files_numbers_convert (const FilesNumber *number, void *numbers, gsize n, void *pixels)
{
  if (number->swapped)
    files_numbers_swap (numbers, number->bytes, n);
  if (number->is_mask)
    make_mask (numbers, n, pixels);
  else if (is_scaled (number))
    scale (number, numbers, n, pixels);
  else if (!stored_type (number))
    return widen_64 (number, numbers, n, pixels);
  else if (numbers != pixels)
    memcpy (pixels, numbers, n * number->bytes);
  return n;
}

gboolean
files_number_not_exact (const FilesNumber *number, const char *path, guint64 bits, GError **error)
{
  g_autofree char *value = number->is_signed ? g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) bits)
                                             : g_strdup_printf ("%" G_GUINT64_FORMAT, bits);
  return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                    "has the value %s, which cannot be held exactly; all %s up to 2^53 = 9007199254740992 can: "
                    "renumber the objects, or scale the values.",
                    value, files_number_source (number));
}

gsize
files_numbers_narrow (const double *pixels, gsize n, gboolean is_signed, guint64 *numbers)
{
  const double min = is_signed ? -0x1p63 : 0, end = is_signed ? 0x1p63 : 0x1p64;
  for (gsize i = 0; i < n; i++) {
    const double value = pixels[i];
    if (!(value >= min && value < end && value == trunc (value)))
      return i;
    numbers[i] = is_signed ? (guint64) (gint64) value : (guint64) value;
  }
  return n;
}

/* ---- Positions ---- */

/* Inlined where `bytes` is a constant, so that the compiler makes moves of it. */
static inline void
move (guint bytes, const guint8 *restrict from, gint64 from_step, gsize n, guint8 *restrict to, gint64 to_step)
{
  for (gsize i = 0; i < n; i++)
    memcpy (to + (gint64) i * to_step, from + (gint64) i * from_step, bytes);
}

/* One of a few interleaved numbers, whose number and size are constants: vector units then take many at a time. */
#define DEFINE_PICK(bytes, samples)                                                                                    \
  VECTORISED static void pick_##bytes##_##samples (const guint8 *restrict from, gsize n, guint8 *restrict to)          \
  {                                                                                                                    \
    move (bytes, from, (bytes) * (samples), n, to, bytes);                                                             \
  }
DEFINE_PICK (1, 2)
DEFINE_PICK (1, 3)
DEFINE_PICK (1, 4)
DEFINE_PICK (2, 2)
DEFINE_PICK (2, 3)
DEFINE_PICK (2, 4)
DEFINE_PICK (4, 2)
DEFINE_PICK (4, 3)
DEFINE_PICK (4, 4)

typedef void (*Pick) (const guint8 *from, gsize n, guint8 *to);

/* NULL: there is none for these steps. */
static Pick
pick_for (guint bytes, gint64 from_step, gint64 to_step)
{
  static const Pick all[5][5] = {
    [1] = {[2] = pick_1_2, [3] = pick_1_3, [4] = pick_1_4},
    [2] = {[2] = pick_2_2, [3] = pick_2_3, [4] = pick_2_4},
    [4] = {[2] = pick_4_2, [3] = pick_4_3, [4] = pick_4_4},
  };
  return bytes < 5 && to_step == bytes && from_step > 0 && from_step % bytes == 0 && from_step / bytes < 5
           ? all[bytes][from_step / bytes]
           : NULL;
}

void
files_numbers_move (guint bytes, const guint8 *from, gint64 from_step, gsize n, guint8 *to, gint64 to_step)
{
  const Pick pick = pick_for (bytes, from_step, to_step);
  if (pick) {
    pick (from, n, to);
    return;
  }
  switch (bytes) {
  case 1: move (1, from, from_step, n, to, to_step); break;
  case 2: move (2, from, from_step, n, to, to_step); break;
  case 4: move (4, from, from_step, n, to, to_step); break;
  default: move (8, from, from_step, n, to, to_step);
  }
}
