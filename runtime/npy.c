/* SPDX-License-Identifier: MIT
 */
#include "runtime/npy.h"

#include "runtime/error.h"

#include <string.h>

enum { PREFIX = 12, LONGEST = 1 << 16 };

typedef struct Numbers {
  char kind; /* b, u, i, f */
  guint bytes;
  gboolean swapped, fortran;
} Numbers;

/* Behind "'key':" and blanks; NULL: there is none. */
static const char *
value_of (const char *text, const char *key)
{
  const char *at = strstr (text, key);
  return at ? at + strlen (key) + strspn (at + strlen (key), " ") : NULL;
}

static gboolean
read_type (const char *descr, Numbers *to)
{
  if (!descr || (*descr != '\'' && *descr != '"') || !descr[1] || !descr[2] || !descr[3] || descr[4] != *descr
      || !strchr ("<>|=", descr[1]) || !strchr ("buif", descr[2]) || !strchr ("1248", descr[3]))
    return FALSE;
  to->kind = descr[2];
  to->bytes = (guint) (descr[3] - '0');
  to->swapped = to->bytes > 1 && descr[1] == (G_BYTE_ORDER == G_LITTLE_ENDIAN ? '>' : '<');
  return to->kind == 'b' ? to->bytes == 1 : to->kind != 'f' || to->bytes >= 4;
}

static gboolean
read_shape (const char *text, Npy *to)
{
  if (!text || *text++ != '(')
    return FALSE;
  for (to->n = 1;;) {
    char *end;
    text += strspn (text, ", ");
    if (*text == ')')
      return TRUE;
    const gint64 size = g_ascii_strtoll (text, &end, 10);
    if (end == text || size < 1 || size > NPY_MOST / to->n || to->n_axes == NPY_AXES)
      return FALSE;
    to->sizes[to->n_axes++] = size;
    to->n *= size;
    text = end;
  }
}

static float
number_at (const guint8 *from, const Numbers *type)
{
  union {
    guint8 bytes[8];
    gint8 i8;
    gint16 i16;
    gint32 i32;
    gint64 i64;
    guint16 u16;
    guint32 u32;
    guint64 u64;
    float f32;
    double f64;
  } v = {{0}};
  for (guint i = 0; i < type->bytes; i++)
    v.bytes[i] = from[type->swapped ? type->bytes - 1 - i : i];
  if (type->kind == 'f')
    return type->bytes == 4 ? v.f32 : (float) v.f64;
  if (type->kind == 'i')
    return type->bytes == 1 ? v.i8 : type->bytes == 2 ? v.i16 : type->bytes == 4 ? (float) v.i32 : (float) v.i64;
  return type->bytes == 1 ? v.bytes[0] : type->bytes == 2 ? v.u16 : type->bytes == 4 ? (float) v.u32 : (float) v.u64;
}

/* Which number of the file the number i of the array is. */
static gint64
position (const Npy *npy, gboolean fortran, gint64 i)
{
  gint64 at = 0, steps[NPY_AXES], step = 1;
  if (!fortran)
    return i;
  for (guint k = 0; k < npy->n_axes; k++) {
    steps[k] = step;
    step *= npy->sizes[k];
  }
  for (guint k = npy->n_axes; k > 0; k--) {
    at += i % npy->sizes[k - 1] * steps[k - 1];
    i /= npy->sizes[k - 1];
  }
  return at;
}

/* The header as text, and the position behind it. NULL: there is none. */
static char *
header_of (const guint8 *bytes, gsize n, gsize *end)
{
  if (n < PREFIX || memcmp (bytes, "\x93NUMPY", 6))
    return NULL;
  const gsize first = bytes[6] == 1 ? 10 : PREFIX;
  const gsize length =
    bytes[8] | (gsize) bytes[9] << 8 | (first == PREFIX ? (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24 : 0);
  if (length > LONGEST || length > n - first)
    return NULL;
  *end = first + length;
  return g_strndup ((const char *) bytes + first, length);
}

Npy *
npy_new (GBytes *file, GError **error)
{
  gsize n, end = 0;
  const guint8 *bytes = g_bytes_get_data (file, &n);
  g_autofree char *header = header_of (bytes, n, &end);
  g_autoptr (Npy) npy = g_new0 (Npy, 1);
  Numbers type = {0};
  const char *fortran = header ? value_of (header, "'fortran_order':") : NULL;
  if (!header || !read_type (value_of (header, "'descr':"), &type) || !read_shape (value_of (header, "'shape':"), npy)
      || !fortran || (gsize) npy->n > (n - end) / type.bytes) {
    model_error (error, "It is damaged, or no array of at most %d axes of numbers.", NPY_AXES);
    return NULL;
  }
  type.fortran = g_str_has_prefix (fortran, "True");
  npy->numbers = g_new (float, npy->n);
  for (gint64 i = 0; i < npy->n; i++)
    npy->numbers[i] = number_at (bytes + end + (gsize) position (npy, type.fortran, i) * type.bytes, &type);
  return g_steal_pointer (&npy);
}

void
npy_free (Npy *npy)
{
  if (npy)
    g_free (npy->numbers);
  g_free (npy);
}
