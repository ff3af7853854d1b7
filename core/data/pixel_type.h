/* SPDX-License-Identifier: MIT
 *
 * The types of pixels: what each is called, how large it is, and what other types hold its values.
 */
#ifndef CORE_DATA_PIXEL_TYPE_H
#define CORE_DATA_PIXEL_TYPE_H

#include "core/data/half.h"
#include "fovea-plugin.h"

typedef struct PixelType {
  fv_type type;
  const char *name;   /* for programs: "u8" */
  const char *numpy;  /* in files: "uint8" */
  const char *words;  /* for people: "8-bit" */
  const char *values; /* "integers from 0 to 255" */
  DLDataType dl;      /* one lane */
  gboolean is_float;
  gboolean is_signed;
} PixelType;

/* From the narrowest to the widest. */
enum { PIXEL_TYPES = 9 };
extern const PixelType pixel_types[PIXEL_TYPES];

/* DO (type, C type) for each type that C has: all but FV_F16. */
#define PIXEL_TYPES_OF_C(DO)                                                                                           \
  DO (FV_U8, guint8)                                                                                                   \
  DO (FV_I8, gint8)                                                                                                    \
  DO (FV_U16, guint16)                                                                                                 \
  DO (FV_I16, gint16) DO (FV_U32, guint32) DO (FV_I32, gint32) DO (FV_F32, float) DO (FV_F64, double)

/* type: one of them. */
const PixelType *pixel_type (fv_type type);
gsize pixel_type_bytes (fv_type type);
gboolean pixel_type_is_float (fv_type type);
/* The one of that form; NULL: an image cannot have it. */
const PixelType *pixel_type_from_dl (DLDataType dl);
/* Of fv_type bits, for people "8-bit, 16-bit", or for programs "u8, u16". Free with g_free(). */
char *pixel_type_list (guint types, gboolean names);
/* Of `types`, fv_type bits, the type itself or else the narrowest that holds all of its values; 0: none does. */
fv_type pixel_type_holding (fv_type type, guint types);

/* Value i of pixels. */
static inline double
pixel_type_value (fv_type type, const void *pixels, gint64 i)
{
#define CASE(TYPE, T)                                                                                                  \
  case TYPE: return (double) ((const T *) pixels)[i];
  switch (type) {
    PIXEL_TYPES_OF_C (CASE)
  default: return (double) half_to_float (((const guint16 *) pixels)[i]);
  }
#undef CASE
}

/* n values of one type as those of another that holds them all. */
void pixel_type_widen (fv_type from, const void *pixels, gsize n, fv_type to, void *widened);

#endif
