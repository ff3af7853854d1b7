/* SPDX-License-Identifier: MIT
 *
 * GLib decodes, and skips what it does not know; so all characters are looked at before.
 */
#include "core/files/ome/base64.h"

static gboolean
is_digit (guint8 c)
{
  return g_ascii_isalnum (c) || c == '+' || c == '/';
}

gboolean
ome_base64_decode (guint8 *text, gsize n, gsize *bytes)
{
  gsize i = 0;
  int state = 0;
  guint save = 0;
  while (i < n && (is_digit (text[i]) || g_ascii_isspace (text[i])))
    i++;
  while (i < n && (text[i] == '=' || g_ascii_isspace (text[i])))
    i++;
  *bytes = i == n ? g_base64_decode_step ((char *) text, n, text, &state, &save) : 0;
  return i == n;
}
