/* SPDX-License-Identifier: MIT
 *
 * A key may end with a channel, counted from 0: "intensity_mean-1".
 */
#include "core/call/column_name.h"

#include "core/call/check.h"

#include <string.h>

/* Columns that mean the same in every table. */
static const fv_column_name all[] = {{"z", "Slice"}, {CALL_FRAME, "Frame"}, {0}};

static const char *
find (const fv_column_name *names, const char *key)
{
  while (names && names->key && strcmp (names->key, key))
    names++;
  return names ? names->imagej : NULL;
}

char *
column_name_imagej (const Op *op, const char *key)
{
  g_auto (GStrv) parts = g_strsplit (key, "-", 2);
  const char *own = find (op->fv.columns, parts[0]), *name = own ? own : find (all, parts[0]);
  return !name      ? g_strdup (key)
         : parts[1] ? g_strdup_printf ("%s C%" G_GUINT64_FORMAT, name, g_ascii_strtoull (parts[1], NULL, 10) + 1)
                    : g_strdup (name);
}
