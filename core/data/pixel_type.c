/* SPDX-License-Identifier: MIT
 *
 * One table for both ways.
 */
#include "library/pixel_type.h"

static const struct {
  fv_type type;
  DLDataType dl;
} types[] = {
  {FV_U8, {kDLUInt, 8, 1}},    {FV_U16, {kDLUInt, 16, 1}},  {FV_I32, {kDLInt, 32, 1}},
  {FV_F32, {kDLFloat, 32, 1}}, {FV_F64, {kDLFloat, 64, 1}},
};

DLDataType
pixel_type_to_dl (fv_type type)
{
  guint i = 0;
  while (types[i].type != type)
    i++;
  return types[i].dl;
}

gboolean
pixel_type_from_dl (DLDataType type, fv_type *to)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].dl.code == type.code && types[i].dl.bits == type.bits && types[i].dl.lanes == type.lanes) {
      *to = types[i].type;
      return TRUE;
    }
  return FALSE;
}
