/* SPDX-License-Identifier: MIT
 *
 * Integers of files that are big-endian on every machine.
 */
#ifndef CORE_FILES_SHARED_BIG_H
#define CORE_FILES_SHARED_BIG_H

#include <glib.h>

/* The integer of n bytes, at most 8. */
static inline guint64
files_big (const guint8 *p, guint n)
{
  guint64 v = 0;
  for (guint i = 0; i < n; i++)
    v = v << 8 | p[i];
  return v;
}

#endif
