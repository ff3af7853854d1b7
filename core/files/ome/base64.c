/* SPDX-License-Identifier: MIT
 */
#include "core/files/ome/base64.h"

enum { OTHER = 64, BLANK = 65 };

static guint8
value_of (guint8 c)
{
  return c >= 'A' && c <= 'Z'   ? c - 'A'
         : c >= 'a' && c <= 'z' ? c - 'a' + 26
         : c >= '0' && c <= '9' ? c - '0' + 52
         : c == '+'             ? 62
         : c == '/'             ? 63
         : g_ascii_isspace (c)  ? BLANK
                                : OTHER;
}

/* Whether nothing but padding and blanks follows. */
static gboolean
is_padding (const guint8 *text, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (text[i] != '=' && !g_ascii_isspace (text[i]))
      return FALSE;
  return TRUE;
}

gboolean
ome_base64_decode (guint8 *text, gsize n, gsize *bytes)
{
  guint8 values[256];
  guint32 bits = 0;
  guint held = 0; /* bits */
  guint8 *to = text;
  gsize i = 0;
  for (guint c = 0; c < G_N_ELEMENTS (values); c++)
    values[c] = value_of ((guint8) c);
  for (; i < n; i++) {
    while (!held && n - i >= 4) {
      const guint32 a = values[text[i]], b = values[text[i + 1]], c = values[text[i + 2]], d = values[text[i + 3]];
      if ((a | b | c | d) & OTHER)
        break;
      bits = a << 18 | b << 12 | c << 6 | d;
      *to++ = (guint8) (bits >> 16);
      *to++ = (guint8) (bits >> 8);
      *to++ = (guint8) bits;
      i += 4;
    }
    if (i == n || values[text[i]] == OTHER)
      break;
    if (values[text[i]] == BLANK)
      continue;
    bits = bits << 6 | values[text[i]];
    held += 6;
    if (held >= 8) {
      held -= 8;
      *to++ = (guint8) (bits >> held);
      bits &= (1u << held) - 1;
    }
  }
  *bytes = (gsize) (to - text);
  return is_padding (text + i, n - i);
}
