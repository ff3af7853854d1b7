/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/ome_info.h"

void
files_ome_calibrate (const FilesOmeImage *ome, ImageInfo *info)
{
  for (int axis = 0; axis < 3; axis++)
    if (ome->spacing[axis] > 0 && *ome->units[axis]) {
      g_free (info->units[axis]);
      info->units[axis] = g_strdup (ome->units[axis]);
      info->spacing[axis] = ome->spacing[axis];
    }
}

void
files_ome_name_channels (const FilesOmeImage *ome, const GArray *kept, ImageInfo *info)
{
  const GPtrArray *all = ome->channel;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree guint32 *colors = g_new (guint32, (gsize) info->channels);
  gboolean named = FALSE, colored = TRUE;
  for (gint64 c = 0; c < info->channels; c++) {
    const gint64 n = kept ? g_array_index (kept, gint64, c) : c;
    const FilesOmeChannel *channel = n < all->len ? all->pdata[n] : NULL;
    named = named || (channel && channel->name);
    if (channel && channel->has_color)
      colors[c] = channel->color;
    else
      colored = FALSE;
    g_ptr_array_add (names,
                     channel && channel->name ? g_strdup (channel->name) : g_strdup_printf ("channel %d", (int) n + 1));
  }
  g_ptr_array_add (names, NULL);
  if (named)
    info->channel_names = (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
  if (colored)
    info->channel_colors = g_steal_pointer (&colors);
}
