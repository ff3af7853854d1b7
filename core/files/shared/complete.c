/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/complete.h"

/* Whether all planes at a position along an axis are there. */
static gboolean
is_complete (const gint64 sizes[3], FilesIsThere is_there, gconstpointer data, int axis, gint64 position)
{
  gint64 from[3] = {0, 0, 0}, to[3] = {sizes[0], sizes[1], sizes[2]};
  from[axis] = position;
  to[axis] = position + 1;
  for (gint64 t = from[FILES_FRAMES]; t < to[FILES_FRAMES]; t++)
    for (gint64 c = from[FILES_CHANNELS]; c < to[FILES_CHANNELS]; c++)
      for (gint64 z = from[FILES_SLICES]; z < to[FILES_SLICES]; z++)
        if (!is_there (data, (t * sizes[FILES_CHANNELS] + c) * sizes[FILES_SLICES] + z))
          return FALSE;
  return TRUE;
}

gboolean
files_complete_find (const gint64 sizes[3], FilesIsThere is_there, gconstpointer data, int *axis, GArray **kept)
{
  static const int axes[] = {FILES_FRAMES, FILES_SLICES, FILES_CHANNELS};
  *kept = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++) {
    g_autoptr (GArray) whole = g_array_new (FALSE, FALSE, sizeof (gint64));
    *axis = axes[i];
    for (gint64 j = 0; j < sizes[*axis]; j++)
      if (is_complete (sizes, is_there, data, *axis, j))
        g_array_append_val (whole, j);
    if (whole->len == sizes[*axis])
      return TRUE;
    if (whole->len) {
      *kept = g_steal_pointer (&whole);
      return TRUE;
    }
  }
  return FALSE;
}
