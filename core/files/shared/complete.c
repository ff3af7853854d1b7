/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/complete.h"

#define MAX_COMPARED ((guint64) 1 << 28)

/* Whether all planes are there from positions along the axes to others, exclusive. */
static gboolean
are_there (const gint64 sizes[3], FilesIsThere is_there, gconstpointer data, const gint64 from[3], const gint64 to[3])
{
  for (gint64 t = from[FILES_FRAMES]; t < to[FILES_FRAMES]; t++)
    for (gint64 c = from[FILES_CHANNELS]; c < to[FILES_CHANNELS]; c++)
      for (gint64 z = from[FILES_SLICES]; z < to[FILES_SLICES]; z++)
        if (!is_there (data, (t * sizes[FILES_CHANNELS] + c) * sizes[FILES_SLICES] + z))
          return FALSE;
  return TRUE;
}

/* Whether all planes at a position along an axis are there. */
static gboolean
is_complete (const gint64 sizes[3], FilesIsThere is_there, gconstpointer data, int axis, gint64 position)
{
  gint64 from[3] = {0, 0, 0}, to[3] = {sizes[0], sizes[1], sizes[2]};
  from[axis] = position;
  to[axis] = position + 1;
  return are_there (sizes, is_there, data, from, to);
}

/* ---- Channels that have other planes than others ---- */

/* Which positions along an axis each channel has: [channel][position]. */
static guint8 *
positions_of_channels (const gint64 sizes[3], FilesIsThere is_there, gconstpointer data, int axis)
{
  guint8 *has = g_malloc ((gsize) (sizes[FILES_CHANNELS] * sizes[axis]));
  for (gint64 c = 0; c < sizes[FILES_CHANNELS]; c++)
    for (gint64 j = 0; j < sizes[axis]; j++) {
      gint64 from[3] = {0, 0, 0}, to[3] = {sizes[0], sizes[1], sizes[2]};
      from[FILES_CHANNELS] = c;
      to[FILES_CHANNELS] = c + 1;
      from[axis] = j;
      to[axis] = j + 1;
      has[c * sizes[axis] + j] = are_there (sizes, is_there, data, from, to);
    }
  return has;
}

static gboolean
has_all (const guint8 *has, const guint8 *wanted, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    if (wanted[i] && !has[i])
      return FALSE;
  return TRUE;
}

/* The channels that have all positions along an axis that one of them has, so that most planes remain. That is how many planes of a position; 0: none. */
static gint64
alike (const gint64 sizes[3], FilesIsThere is_there, gconstpointer data, int axis, GArray *best)
{
  const gint64 n = sizes[axis], channels = sizes[FILES_CHANNELS];
  g_autofree guint8 *has = positions_of_channels (sizes, is_there, data, axis);
  g_autoptr (GArray) same = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 most = 0;
  for (gint64 c = 0; c < channels; c++) {
    gint64 own = 0;
    g_array_set_size (same, 0);
    for (gint64 j = 0; j < n; j++)
      own += has[c * n + j];
    for (gint64 other = 0; other < channels; other++)
      if (has_all (&has[other * n], &has[c * n], n))
        g_array_append_val (same, other);
    if (own * same->len <= most)
      continue;
    most = own * same->len;
    g_array_set_size (best, 0);
    g_array_append_vals (best, same->data, same->len);
  }
  return most * (axis == FILES_SLICES ? sizes[FILES_FRAMES] : sizes[FILES_SLICES]);
}

static GArray *
channels_alike (const gint64 sizes[3], FilesIsThere is_there, gconstpointer data)
{
  const guint64 channels = (guint64) sizes[FILES_CHANNELS],
                n = (guint64) MAX (sizes[FILES_SLICES], sizes[FILES_FRAMES]);
  g_autoptr (GArray) slices = g_array_new (FALSE, FALSE, sizeof (gint64)),
                     frames = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (channels * channels > MAX_COMPARED / n)
    return NULL;
  const gint64 by_frames = alike (sizes, is_there, data, FILES_FRAMES, frames),
               by_slices = alike (sizes, is_there, data, FILES_SLICES, slices);
  if (!by_frames && !by_slices)
    return NULL;
  return by_frames >= by_slices ? g_steal_pointer (&frames) : g_steal_pointer (&slices);
}

/* ---- All ---- */

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
  *axis = FILES_CHANNELS;
  return (*kept = channels_alike (sizes, is_there, data)) != NULL;
}
