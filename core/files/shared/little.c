/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/little.h"

GString *
files_little_utf16 (const guint8 *p, gsize n)
{
  GString *to = g_string_sized_new (n);
  for (gsize i = 0; i < n; i++) {
    const guint unit = (guint) files_little (p + 2 * i, 2),
                next = i + 1 < n ? (guint) files_little (p + 2 * i + 2, 2) : 0;
    if (!unit)
      break;
    if (unit - 0xd800 < 0x400 && next - 0xdc00 < 0x400) {
      g_string_append_unichar (to, 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00));
      i++;
    } else
      g_string_append_unichar (to, unit - 0xd800 < 0x800 ? 0xfffd : unit);
  }
  return to;
}
