/* SPDX-License-Identifier: MIT
 *
 * Integers and texts of files that are little-endian on every machine.
 */
#ifndef CORE_FILES_SHARED_LITTLE_H
#define CORE_FILES_SHARED_LITTLE_H

#include <glib.h>

/* The integer of n bytes, 1 to 8. */
static inline guint64
files_little (const guint8 *p, guint n)
{
  guint64 v = 0;
  for (guint i = n; i > 0; i--)
    v = v << 8 | p[i - 1];
  return v;
}

/* n units of UTF-16, or those before a NUL, as UTF-8. Halves of pairs become U+FFFD. */
GString *files_little_utf16 (const guint8 *p, gsize n);

#endif
