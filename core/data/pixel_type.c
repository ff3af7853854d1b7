/* SPDX-License-Identifier: MIT
 */
#include "core/data/pixel_type.h"

const PixelType pixel_types[PIXEL_TYPES] = {
  {FV_U8, "u8", "uint8", "8-bit", "integers from 0 to 255", {kDLUInt, 8, 1}, FALSE, FALSE},
  {FV_I8, "i8", "int8", "signed 8-bit", "integers from -128 to 127", {kDLInt, 8, 1}, FALSE, TRUE},
  {FV_U16, "u16", "uint16", "16-bit", "integers from 0 to 65535", {kDLUInt, 16, 1}, FALSE, FALSE},
  {FV_I16, "i16", "int16", "signed 16-bit", "integers from -32768 to 32767", {kDLInt, 16, 1}, FALSE, TRUE},
  {FV_F16, "f16", "float16", "16-bit float", "decimal numbers of three digits", {kDLFloat, 16, 1}, TRUE, TRUE},
  {FV_U32, "u32", "uint32", "unsigned 32-bit integer", "integers from 0 to 4294967295", {kDLUInt, 32, 1}, FALSE, FALSE},
  {FV_I32, "i32", "int32", "32-bit integer", "integers with a sign", {kDLInt, 32, 1}, FALSE, TRUE},
  {FV_F32, "f32", "float32", "32-bit float", "decimal numbers", {kDLFloat, 32, 1}, TRUE, TRUE},
  {FV_F64, "f64", "float64", "64-bit float", "decimal numbers of sixteen digits", {kDLFloat, 64, 1}, TRUE, TRUE},
};

const PixelType *
pixel_type (fv_type type)
{
  const PixelType *t = pixel_types;
  while (t->type != type)
    t++;
  return t;
}

gsize
pixel_type_bytes (fv_type type)
{
  return pixel_type (type)->dl.bits / 8;
}

gboolean
pixel_type_is_float (fv_type type)
{
  return pixel_type (type)->is_float;
}

const PixelType *
pixel_type_from_dl (DLDataType dl)
{
  for (const PixelType *t = pixel_types; t < pixel_types + PIXEL_TYPES; t++)
    if (t->dl.code == dl.code && t->dl.bits == dl.bits && t->dl.lanes == dl.lanes)
      return t;
  return NULL;
}

char *
pixel_type_list (guint types, gboolean names)
{
  GString *s = g_string_new (NULL);
  for (const PixelType *t = pixel_types; t < pixel_types + PIXEL_TYPES; t++)
    if (types & t->type)
      g_string_append_printf (s, "%s%s", s->len ? ", " : "", names ? t->name : t->words);
  return g_string_free (s, FALSE);
}

/* Bits of the whole numbers without gaps from 0 on: of a float those of its fraction and the one that is not written. */
static guint
whole_bits (const PixelType *t)
{
  if (t->is_float)
    return t->dl.bits == 16 ? 11 : t->dl.bits == 32 ? 24 : 53;
  return t->dl.bits - (guint) t->is_signed;
}

static gboolean
holds (const PixelType *wide, const PixelType *t)
{
  return whole_bits (wide) >= whole_bits (t) && (wide->is_signed || !t->is_signed) && (wide->is_float || !t->is_float);
}

fv_type
pixel_type_holding (fv_type type, guint types)
{
  const PixelType *own = pixel_type (type);
  if (types & type)
    return type;
  for (const PixelType *t = pixel_types; t < pixel_types + PIXEL_TYPES; t++)
    if (types & t->type && holds (t, own))
      return t->type;
  return 0;
}

enum { PIECE = 1024 }; /* values on their way, as double, which holds those of every type */

static void
to_double (fv_type type, const void *pixels, gsize first, gsize n, double *values)
{
#define CASE(TYPE, T)                                                                                                  \
  case TYPE:                                                                                                           \
    for (gsize i = 0; i < n; i++)                                                                                      \
      values[i] = (double) ((const T *) pixels)[first + i];                                                            \
    break;
  switch (type) {
    PIXEL_TYPES_OF_C (CASE)
  default:
    for (gsize i = 0; i < n; i++)
      values[i] = (double) half_to_float (((const guint16 *) pixels)[first + i]);
  }
#undef CASE
}

static void
from_double (const double *values, gsize n, fv_type type, gsize first, void *pixels)
{
#define CASE(TYPE, T)                                                                                                  \
  case TYPE:                                                                                                           \
    for (gsize i = 0; i < n; i++)                                                                                      \
      ((T *) pixels)[first + i] = (T) values[i];                                                                       \
    break;
  switch (type) {
    PIXEL_TYPES_OF_C (CASE)
  default:
    for (gsize i = 0; i < n; i++)
      ((guint16 *) pixels)[first + i] = half_from_float ((float) values[i]);
  }
#undef CASE
}

void
pixel_type_widen (fv_type from, const void *pixels, gsize n, fv_type to, void *widened)
{
  double piece[PIECE];
  for (gsize i = 0; i < n; i += PIECE) {
    gsize some = MIN (PIECE, n - i);
    to_double (from, pixels, i, some, piece);
    from_double (piece, some, to, i, widened);
  }
}
