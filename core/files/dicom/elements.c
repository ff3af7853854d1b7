/* SPDX-License-Identifier: MIT
 */
#include "core/files/dicom/elements.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 16 /* sequences in sequences */ };

static guint32
number (const guint8 *p, guint n, gboolean big)
{
  guint32 value = 0;
  for (guint i = 0; i < n; i++)
    value |= (guint32) p[i] << 8 * (big ? n - 1 - i : i);
  return value;
}

/* Whether a length of four bytes follows after two that are reserved. */
static gboolean
is_long (const char *vr)
{
  static const char *const names[] = {"OB", "OD", "OF", "OL", "OV", "OW", "SQ", "SV", "UC", "UN", "UR", "UT", "UV"};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!strcmp (vr, names[i]))
      return TRUE;
  return FALSE;
}

gboolean
dicom_next (DicomElements *from, DicomElement *element)
{
  guint8 head[12];
  const gsize there = (gsize) MIN (from->end - from->at, sizeof head);
  gsize used = 8;
  if (there < 8 || !files_bytes_read (from->bytes, from->at, head, there))
    return FALSE;
  *element = (DicomElement){.tag = DICOM_TAG (number (head, 2, from->is_big), number (head + 2, 2, from->is_big))};
  if (!from->is_explicit || element->tag >> 16 == DICOM_ITEM >> 16)
    element->length = number (head + 4, 4, from->is_big);
  else if (!g_ascii_isupper (head[4]) || !g_ascii_isupper (head[5]))
    return FALSE;
  else {
    memcpy (element->vr, head + 4, 2);
    if (!is_long (element->vr))
      element->length = number (head + 6, 2, from->is_big);
    else if (there < sizeof head)
      return FALSE;
    else {
      element->length = number (head + 8, 4, from->is_big);
      used = sizeof head;
    }
  }
  element->at = from->at + used;
  if (element->length != DICOM_UNDEFINED && element->length > from->end - element->at)
    return FALSE;
  from->at = element->at + (element->length == DICOM_UNDEFINED ? 0 : element->length);
  return TRUE;
}

DicomElements
dicom_inside (const DicomElements *from, const DicomElement *element)
{
  DicomElements inside = *from;
  inside.at = element->at;
  if (element->length != DICOM_UNDEFINED)
    inside.end = element->at + element->length;
  /* Of unknown type and undefined length: implicit (PS3.5, 6.2.2). */
  if (!strcmp (element->vr, "UN") && element->length == DICOM_UNDEFINED)
    inside.is_explicit = FALSE;
  return inside;
}

static gboolean
skip (DicomElements *inside, guint depth)
{
  DicomElement element;
  while (depth < DEEPEST && dicom_next (inside, &element)) {
    if (element.tag == DICOM_ITEM_END || element.tag == DICOM_SEQUENCE_END)
      return TRUE;
    if (element.length != DICOM_UNDEFINED)
      continue;
    DicomElements deeper = dicom_inside (inside, &element);
    if (!skip (&deeper, depth + 1))
      return FALSE;
    inside->at = deeper.at;
  }
  return FALSE;
}

gboolean
dicom_skip (DicomElements *from, const DicomElement *element)
{
  DicomElements inside = dicom_inside (from, element);
  if (element->length == DICOM_UNDEFINED && !skip (&inside, 0))
    return FALSE;
  from->at = element->length == DICOM_UNDEFINED ? inside.at : element->at + element->length;
  return TRUE;
}

/* ---- Values ---- */

char *
dicom_text (const DicomElements *from, const DicomElement *element)
{
  if (element->length > DICOM_TEXT)
    return NULL;
  g_autofree char *text = g_malloc0 ((gsize) element->length + 1);
  return files_bytes_read (from->bytes, element->at, text, element->length) ? g_strstrip (g_steal_pointer (&text))
                                                                            : NULL;
}

guint
dicom_decimals (const DicomElements *from, const DicomElement *element, double *to, guint n)
{
  g_autofree char *text = dicom_text (from, element);
  guint found = 0;
  for (char *at = text, *end; at && found < n; at = *end == '\\' ? end + 1 : NULL) {
    const double value = g_ascii_strtod (at, &end);
    if (end == at || !isfinite (value))
      break;
    to[found++] = value;
    while (g_ascii_isspace (*end))
      end++;
  }
  return found;
}

gint64
dicom_integer (const DicomElements *from, const DicomElement *element, guint i)
{
  const gboolean is_signed = element->vr[0] == 'S';
  const guint bytes = element->vr[1] == 'L' || (!*element->vr && element->length == 4) ? 4 : 2;
  guint8 value[4];
  if (element->length == DICOM_UNDEFINED || (i + 1) * bytes > element->length
      || !files_bytes_read (from->bytes, element->at + (guint64) i * bytes, value, bytes))
    return 0;
  const guint32 found = number (value, bytes, from->is_big);
  return !is_signed ? (gint64) found : bytes == 4 ? (gint64) (gint32) found : (gint16) found;
}
