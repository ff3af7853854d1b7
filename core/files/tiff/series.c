/* SPDX-License-Identifier: MIT
 */
#include "core/files/tiff/series.h"

FilesTiffSeries *
files_tiff_series_new (gint64 channels, gint64 depth, gint64 frames)
{
  FilesTiffSeries *series = g_new0 (FilesTiffSeries, 1);
  series->channels = channels;
  series->depth = depth;
  series->frames = frames;
  series->planes = g_array_new (FALSE, FALSE, sizeof (FilesTiffPlane));
  return series;
}

FilesTiffSeries *
files_tiff_series_copy (const FilesTiffSeries *series)
{
  FilesTiffSeries *copy = g_memdup2 (series, sizeof *series);
  copy->name = g_strdup (series->name);
  g_array_ref (copy->planes);
  if (copy->kept)
    g_array_ref (copy->kept);
  if (copy->reduced) {
    g_array_ref (copy->pages);
    g_ptr_array_ref (copy->reduced);
  }
  return copy;
}

void
files_tiff_series_free (FilesTiffSeries *series)
{
  g_array_unref (series->planes);
  if (series->kept)
    g_array_unref (series->kept);
  if (series->reduced) {
    g_array_unref (series->pages);
    g_ptr_array_unref (series->reduced);
  }
  g_free (series->name);
  g_free (series);
}

void
files_tiff_series_expand (FilesTiffSeries *series, guint samples)
{
  GArray *pages = series->planes;
  gint64 groups = series->frames * series->channels;
  if (series->expanded)
    return;
  series->planes = g_array_sized_new (FALSE, FALSE, sizeof (FilesTiffPlane), pages->len * samples);
  for (gint64 group = 0; group < groups; group++)
    for (guint s = 0; s < samples; s++)
      for (gint64 z = 0; z < series->depth; z++) {
        FilesTiffPlane plane = g_array_index (pages, FilesTiffPlane, group * series->depth + z);
        plane.sample = (guint16) s;
        g_array_append_val (series->planes, plane);
      }
  g_array_unref (pages);
  series->channels *= samples;
  series->expanded = TRUE;
}
