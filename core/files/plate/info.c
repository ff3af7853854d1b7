/* SPDX-License-Identifier: MIT
 *
 * What the index says wins; pixel sizes that it does not give are those of the first file.
 */
#include "core/files/plate/layout.h"

#include <string.h>

static const PlateEntry *
entry_at (const PlateSeries *series, gint64 frame, gint64 channel, gint64 slice)
{
  return series->entries[(frame * series->sizes[PLATE_CHANNEL] + channel) * series->sizes[PLATE_SLICE] + slice];
}

/* ---- Sizes ---- */

static gboolean
set_length (const PlateLayout *layout, const PlateSeries *series, int axis, gint64 own, gint64 *length, GError **error)
{
  static const char *const words[] = {"slices", "channels", "frames"}, *const one[] = {"slice", "channel", "frame"};
  if (own > 1 && series->sizes[axis] > 1)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, plate_layout_path (layout, series->entries[0]),
                      "has %" G_GINT64_FORMAT " %s, and its name or index says its %s, too: files must have one each.",
                      own, words[axis], one[axis]);
  *length = own > 1 ? own : series->sizes[axis];
  return TRUE;
}

/* From the first slice to the last; 0: unknown. */
static double
distance_of_slices (const PlateSeries *series)
{
  const gint64 n = series->sizes[PLATE_SLICE];
  const double distance =
    n > 1 ? fabs (entry_at (series, 0, 0, n - 1)->height - entry_at (series, 0, 0, 0)->height) / (double) (n - 1) : 0;
  return isfinite (distance) ? distance : 0;
}

/* A file of one plane mostly says no distance, and 1 is then the usual one of its format. */
static void
forget_distance (const PlateSeries *series, ImageInfo *info)
{
  if (series->sizes[PLATE_SLICE] == 1 || info->spacing[0] != 1)
    return;
  g_free (info->units[0]);
  info->units[0] = g_strdup ("");
}

static void
set_spacing (const PlateLayout *layout, const PlateSeries *series, ImageInfo *info)
{
  double spacing[3];
  forget_distance (series, info);
  memcpy (spacing, layout->index->spacing, sizeof spacing);
  if (!(spacing[0] > 0))
    spacing[0] = distance_of_slices (series);
  for (int axis = 0; axis < 3; axis++)
    if (spacing[axis] > 0 && isfinite (spacing[axis])) {
      g_free (info->units[axis]);
      info->units[axis] = g_strdup ("µm");
      info->spacing[axis] = spacing[axis];
    }
}

/* The mean, by the times of the first channel. */
static void
set_interval (const PlateSeries *series, ImageInfo *info)
{
  const gint64 n = series->sizes[PLATE_FRAME];
  const double interval =
    n > 1 ? (entry_at (series, n - 1, 0, 0)->time - entry_at (series, 0, 0, 0)->time) / (double) (n - 1) : 0;
  if (!(interval > 0) || !isfinite (interval))
    return;
  info->frame_interval = interval;
  g_free (info->frame_unit);
  info->frame_unit = g_strdup ("s");
}

/* ---- Channels ---- */

static const PlateChannel *
find_channel (const PlateIndex *index, gint64 number)
{
  gpointer at;
  return g_hash_table_lookup_extended (index->channel_numbers, GSIZE_TO_POINTER ((gsize) number), NULL, &at)
           ? &g_array_index (index->channels, PlateChannel, GPOINTER_TO_UINT (at))
           : NULL;
}

static void
set_channels (const PlateLayout *layout, const PlateSeries *series, ImageInfo *info)
{
  g_auto (GStrv) names = g_new0 (char *, info->channels + 1);
  g_autofree guint32 *colors = g_new0 (guint32, info->channels);
  gboolean named = FALSE, colored = TRUE;
  for (gint64 c = 0; c < info->channels; c++) {
    const PlateChannel *channel = find_channel (layout->index, entry_at (series, 0, c, 0)->at[PLATE_CHANNEL]);
    named = named || (channel && channel->name);
    colored = colored && channel && channel->has_color;
    names[c] =
      channel && channel->name ? g_strdup (channel->name) : g_strdup_printf ("channel %" G_GINT64_FORMAT, c + 1);
    colors[c] = channel ? channel->color : 0;
  }
  g_clear_pointer (&info->channel_names, g_strfreev);
  g_clear_pointer (&info->channel_colors, g_free);
  if (named)
    info->channel_names = g_steal_pointer (&names);
  if (colored)
    info->channel_colors = g_steal_pointer (&colors);
}

/* ---- Well and field ---- */

static void
set_name (const PlateLayout *layout, const PlateSeries *series, const PlateWell *well, ImageInfo *info)
{
  g_autoptr (GString) name = g_string_new (layout->name);
  if (well)
    g_string_append_printf (name, ": %s", well->name);
  if (layout->index->has_fields)
    g_string_append_printf (name, "%sfield %" G_GINT64_FORMAT, well ? ", " : ": ", series->field);
  g_free (info->name);
  info->name = g_strdup (name->str);
}

static void
set_notes (const PlateLayout *layout, const PlateSeries *series, const PlateWell *well, ImageInfo *info)
{
  g_autoptr (GStrvBuilder) properties = g_strv_builder_new ();
  g_autoptr (GString) facts = g_string_new (NULL);
  g_autofree char *field = g_strdup_printf ("%" G_GINT64_FORMAT, series->field);
  if (well)
    g_strv_builder_add_many (properties, IMAGE_NOTES_WELL, well->name, NULL);
  if (layout->index->has_fields)
    g_strv_builder_add_many (properties, IMAGE_NOTES_FIELD, field, NULL);
  if (well)
    g_string_append_printf (facts, IMAGE_NOTES_WELL ": %s\n", well->name);
  if (layout->index->has_fields)
    g_string_append_printf (facts, IMAGE_NOTES_FIELD ": %s\n", field);
  g_string_append (facts, layout->index->facts->str);
  image_notes_unref (info->notes);
  info->notes = image_notes_new (NULL);
  if (well || layout->index->has_fields)
    info->notes->properties = g_strv_builder_end (properties);
  g_clear_pointer (&info->description, g_ref_string_release);
  if (facts->len) {
    info->notes->info = g_strdup (facts->str);
    info->description = g_ref_string_new (facts->str);
  }
}

/* ---- All ---- */

gboolean
plate_layout_info (const PlateLayout *layout, guint n, const ImageInfo *first, ImageInfo *info, GError **error)
{
  const PlateSeries *series = layout->series->pdata[n];
  const PlateWell *well =
    series->well == PLATE_NO_WELL ? NULL : &g_array_index (layout->index->wells, PlateWell, series->well);
  gint64 frames = 1, channels = 1, depth = 1;
  if (!set_length (layout, series, PLATE_FRAME, first->frames, &frames, error)
      || !set_length (layout, series, PLATE_CHANNEL, first->channels, &channels, error)
      || !set_length (layout, series, PLATE_SLICE, first->depth, &depth, error))
    return FALSE;
  image_info_copy (info, first);
  g_clear_pointer (&info->fits_header, g_ref_string_release);
  if (channels != first->channels)
    g_clear_pointer (&info->display_ranges, g_free);
  info->frames = frames;
  info->channels = channels;
  info->depth = depth;
  info->number = n;
  if (first->channels == 1)
    set_channels (layout, series, info);
  set_spacing (layout, series, info);
  set_interval (series, info);
  set_name (layout, series, well, info);
  set_notes (layout, series, well, info);
  return TRUE;
}
