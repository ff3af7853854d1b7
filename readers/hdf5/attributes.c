/* SPDX-License-Identifier: MIT
 */
#include "readers/hdf5/attributes.h"

#include <math.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20, MAX_VALUES = 1 << 16 };

typedef struct {
  hid_t attribute, space, type;
  gsize n, bytes; /* values, and of each */
} Attribute;

static void
close_attribute (Attribute *a)
{
  if (a->type >= 0)
    H5Tclose (a->type);
  if (a->space >= 0)
    H5Sclose (a->space);
  if (a->attribute >= 0)
    H5Aclose (a->attribute);
}

/* FALSE: there is none of a size that can be read; there is nothing to close. */
static gboolean
open_attribute (hid_t object, const char *name, Attribute *a)
{
  *a = (Attribute){H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, 0, 0};
  if (H5Aexists (object, name) > 0 && (a->attribute = H5Aopen (object, name, H5P_DEFAULT)) >= 0
      && (a->space = H5Aget_space (a->attribute)) >= 0 && (a->type = H5Aget_type (a->attribute)) >= 0) {
    const hssize_t n = H5Sget_simple_extent_npoints (a->space);
    a->n = n > 0 ? (gsize) n : 0;
    a->bytes = H5Tget_size (a->type);
    if (a->n && a->n <= MAX_VALUES && a->bytes && a->bytes <= MAX_BYTES && a->n * a->bytes <= MAX_BYTES)
      return TRUE;
  }
  close_attribute (a);
  return FALSE;
}

/* ---- Texts ---- */

static void
read_pointers (const Attribute *a, char **to)
{
  char **pointers = g_new0 (char *, a->n);
  const hid_t type = H5Tcopy (a->type);
  if (H5Aread (a->attribute, type, pointers) >= 0) {
    for (gsize i = 0; i < a->n; i++)
      to[i] = g_strndup (pointers[i] ? pointers[i] : "", MAX_BYTES);
    H5Dvlen_reclaim (type, a->space, H5P_DEFAULT, pointers);
  }
  H5Tclose (type);
  g_free (pointers);
}

static void
read_fixed (const Attribute *a, char **to)
{
  g_autofree char *bytes = g_malloc0 (a->n * a->bytes);
  if (H5Aread (a->attribute, a->type, bytes) >= 0)
    for (gsize i = 0; i < a->n; i++)
      to[i] = g_strndup (bytes + i * a->bytes, a->bytes);
}

char **
hdf5_attribute_texts (hid_t object, const char *name)
{
  Attribute a;
  if (!open_attribute (object, name, &a))
    return NULL;
  char **texts = g_new0 (char *, a.n + 1);
  if (H5Tget_class (a.type) == H5T_STRING) {
    if (H5Tis_variable_str (a.type) > 0)
      read_pointers (&a, texts);
    else
      read_fixed (&a, texts);
  }
  close_attribute (&a);
  if (!texts[0])
    g_clear_pointer (&texts, g_strfreev);
  return texts;
}

char *
hdf5_attribute_text (hid_t object, const char *name)
{
  g_auto (GStrv) texts = hdf5_attribute_texts (object, name);
  char *text = texts ? g_strjoinv ("", texts) : NULL;
  return text ? g_strstrip (text) : NULL;
}

/* ---- Numbers ---- */

/* Of a text: "0.1 0.2 0.3". */
static guint
numbers_of_text (const char *text, double *to, guint most)
{
  guint n = 0;
  for (char *end; text && n < most; text = end) {
    const double number = g_ascii_strtod (text, &end);
    if (end == text)
      break;
    to[n++] = number;
  }
  return n;
}

guint
hdf5_attribute_numbers (hid_t object, const char *name, double *to, guint most)
{
  Attribute a;
  guint n = 0;
  if (!open_attribute (object, name, &a))
    return 0;
  const H5T_class_t class = H5Tget_class (a.type);
  if (class == H5T_STRING) {
    g_autofree char *text = hdf5_attribute_text (object, name);
    n = numbers_of_text (text, to, most);
  } else if (class == H5T_INTEGER || class == H5T_FLOAT) {
    g_autofree double *numbers = g_new0 (double, a.n);
    if (H5Aread (a.attribute, H5T_NATIVE_DOUBLE, numbers) >= 0) {
      n = (guint) MIN (a.n, most);
      memcpy (to, numbers, n * sizeof *to);
    }
  }
  close_attribute (&a);
  return n;
}

double
hdf5_attribute_number (hid_t object, const char *name, double otherwise)
{
  double number;
  return hdf5_attribute_numbers (object, name, &number, 1) == 1 && isfinite (number) ? number : otherwise;
}
