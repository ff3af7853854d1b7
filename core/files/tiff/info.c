/* SPDX-License-Identifier: MIT
 *
 * Calibration: ImageJ's, OME's and Aperio's texts win. Otherwise XResolution and YResolution per inch or cm, in µm when pixels are smaller than 10 µm; 72 per
 * inch and 1 per anything are defaults of programs without that information. Palettes stay indices: a color map that is a ramp gives the channel
 * its color, others are not kept.
 */
#include "core/files/tiff/info.h"

#include "core/base/file_name.h"
#include "core/base/units.h"
#include "core/files/shared/ome_info.h"
#include "core/files/tiff/aperio.h"

#include <math.h>
#include <string.h>
#include <tiffio.h>

#define MAX_PARTS (1 << 24) /* of ImageJ's data */

/* ---- Calibration ---- */

static void
set_unit (ImageInfo *info, int axis, double spacing, const char *unit)
{
  g_free (info->units[axis]);
  info->units[axis] = g_strdup (unit);
  info->spacing[axis] = spacing;
}

/* Size of a pixel along x or y in the unit of ResolutionUnit, or 0. */
static double
tag_spacing (const FilesTiffLayout *layout, const FilesTiffPage *page, int axis)
{
  double x = files_tiff_rational (layout->file, &page->x_resolution);
  double y = files_tiff_rational (layout->file, &page->y_resolution);
  double resolution = axis == 2 ? (x > 0 ? x : y) : y > 0 ? y : x;
  return resolution > 0 && isfinite (1 / resolution) ? 1 / resolution : 0;
}

static void
calibrate_by_tags (const FilesTiffLayout *layout, const FilesTiffPage *page, ImageInfo *info)
{
  const char *unit = page->resolution_unit == RESUNIT_INCH         ? "inch"
                     : page->resolution_unit == RESUNIT_CENTIMETER ? "cm"
                                                                   : NULL;
  double x = tag_spacing (layout, page, 2), factor = unit ? units_factor (unit, "µm") : 0;
  if (!unit || x == 0 || x == 1 || (page->resolution_unit == RESUNIT_INCH && fabs (x * 72 - 1) < 1e-9))
    return;
  gboolean small = x * factor < 10;
  for (int axis = 1; axis < 3; axis++)
    set_unit (info, axis, tag_spacing (layout, page, axis) * (small ? factor : 1), small ? "µm" : unit);
}

static void
calibrate_by_imagej (const FilesTiffLayout *layout, const FilesTiffPage *page, ImageInfo *info)
{
  const FilesImagej *ij = layout->imagej;
  double factor = page->resolution_unit == RESUNIT_CENTIMETER && !strcmp (ij->units[2], "µm") ? 1e4 : 1;
  if (!*ij->units[2] && !*ij->units[1] && !*ij->units[0]) {
    calibrate_by_tags (layout, page, info);
    if (*info->units[2])
      set_unit (info, 0, ij->spacing, info->units[2]);
    return;
  }
  for (int axis = 1; axis < 3; axis++) {
    double spacing = tag_spacing (layout, page, axis);
    set_unit (info, axis, spacing > 0 ? spacing * factor : 1, ij->units[axis]);
  }
  set_unit (info, 0, ij->spacing, ij->units[0]);
}

static void
calibrate_by_aperio (const FilesTiffLayout *layout, const FilesTiffPage *page, ImageInfo *info)
{
  const double size = files_tiff_aperio_pixel_size (layout->file, page);
  if (size == 0)
    calibrate_by_tags (layout, page, info);
  for (int axis = 1; axis < 3 && size > 0; axis++)
    set_unit (info, axis, size, "µm");
}

static void
set_calibration (const FilesTiffLayout *layout, const FilesTiffSeries *series, const FilesTiffPage *page,
                 ImageInfo *info)
{
  for (int axis = 0; axis < 3; axis++)
    set_unit (info, axis, 1, "");
  if (series->ome)
    files_ome_calibrate (series->ome, info);
  else if (series->imagej)
    calibrate_by_imagej (layout, page, info);
  else if (files_tiff_aperio_is (layout->description))
    calibrate_by_aperio (layout, page, info);
  else
    calibrate_by_tags (layout, page, info);
  if (info->depth == 1 && !*info->units[0])
    set_unit (info, 0, 1, info->units[2]);
  if (page->orientation > 4) {
    double spacing = info->spacing[1];
    char *unit = info->units[1];
    info->spacing[1] = info->spacing[2];
    info->units[1] = info->units[2];
    info->spacing[2] = spacing;
    info->units[2] = unit;
  }
  info->frame_interval = series->ome ? series->ome->interval : series->imagej ? layout->imagej->frame_interval : 0;
  info->frame_unit = g_strdup (series->ome      ? series->ome->interval_unit
                               : series->imagej ? layout->imagej->frame_unit
                                                : "");
}

/* ---- Channels ---- */

static gboolean
is_rgb (const FilesTiffPage *page)
{
  return page->photometric == PHOTOMETRIC_RGB || page->photometric == PHOTOMETRIC_YCBCR;
}

/* Names and colors of the samples of a pixel, when they are all the channels there are. */
static void
name_samples (const FilesTiffPage *page, guint samples, ImageInfo *info)
{
  static const char *const names[] = {"red", "green", "blue"};
  static const guint32 colors[] = {0xff0000, 0x00ff00, 0x0000ff};
  guint plain = is_rgb (page) ? 3 : 1;
  gboolean alpha = page->alpha == EXTRASAMPLE_ASSOCALPHA || page->alpha == EXTRASAMPLE_UNASSALPHA;
  if (samples < 2 || info->channels != samples || samples < plain || !(is_rgb (page) || (alpha && samples == 2)))
    return;
  info->channel_names = g_new0 (char *, samples + 1);
  info->channel_colors = g_new (guint32, samples);
  for (guint s = 0; s < samples; s++) {
    info->channel_colors[s] = s < plain && is_rgb (page) ? colors[s] : 0xffffff;
    if (s < plain)
      info->channel_names[s] = g_strdup (is_rgb (page) ? names[s] : "gray");
    else
      info->channel_names[s] = s == plain && alpha ? g_strdup ("alpha") : g_strdup_printf ("extra %u", s - plain + 1);
  }
}

/* Color maps have 16-bit entries; some programs fill only the low byte. */
static void
set_color_map (const FilesTiffLayout *layout, const FilesTiffSeries *series, const FilesTiffPage *page, ImageInfo *info)
{
  guint64 entries[768], max = 0;
  guint8 map[768];
  gboolean inverted;
  gint64 color;
  if (series->ome || page->photometric != PHOTOMETRIC_PALETTE || page->bits != 8 || page->color_map.count != 768
      || info->channels != 1 || !files_tiff_numbers (layout->file, &page->color_map, 0, 768, entries))
    return;
  for (int i = 0; i < 768; i++)
    max = MAX (max, entries[i]);
  for (int i = 0; i < 768; i++)
    map[i] = (guint8) (max < 256 ? entries[i] : entries[i] >> 8);
  color = files_imagej_ramp_color (map, map + 256, map + 512, &inverted);
  if (color >= 0 && inverted)
    info->inverted = TRUE;
  else if (color != 0xffffff)
    info->source_type = info->source_type ? info->source_type : g_strdup (IMAGE_INFO_INDEXED);
  if (color > 0 && color != 0xffffff && !inverted) {
    info->channel_colors = g_new (guint32, 1);
    info->channel_colors[0] = (guint32) color;
  }
}

/* ---- ImageJ ---- */

static void
set_imagej (const FilesTiffLayout *layout, const FilesTiffFormat *format, ImageInfo *info)
{
  const FilesTiffFile *file = layout->file;
  const FilesTiffField *field = &layout->first.ij_counts;
  g_autofree char *data = files_tiff_bytes (file, &layout->first.ij_data);
  g_autofree guint64 *counts = data && field->count <= MAX_PARTS ? g_try_new (guint64, field->count + 1) : NULL;
  const FilesImagej *ij = layout->imagej;
  if ((ij->role == FV_LABELS && info->type == FV_I32) || (ij->role == FV_MASK && info->type == FV_U8))
    info->role = ij->role;
  info->notes = ij->notes ? image_notes_ref (ij->notes) : NULL;
  memcpy (info->origin, ij->origin, sizeof info->origin);
  if (counts && files_tiff_numbers (file, field, 0, field->count, counts))
    files_imagej_extras (info, ij->order, counts, field->count, (const guint8 *) data, layout->first.ij_data.count,
                         file->swapped);
  if (ij->names && info->role != FV_RGB && g_strv_length (ij->names) == info->channels) {
    g_strfreev (info->channel_names);
    info->channel_names = g_strdupv (ij->names);
  }
  if (!info->display_ranges && ij->has_range && info->channels == 1) {
    info->display_ranges = g_new (double, 2);
    memcpy (info->display_ranges, ij->range, sizeof ij->range);
  }
  /* ImageJ counts them as it holds the values: signed 16-bit ones from 0. */
  for (gint64 i = 0; info->display_ranges && i < info->channels * 2; i++)
    info->display_ranges[i] += format->is_signed && format->bits == 16 ? G_MININT16 : format->offset;
}

/* ---- The whole ---- */

void
files_tiff_info (const FilesTiffLayout *layout, const FilesTiffSeries *series, const FilesTiffPage *page,
                 const FilesTiffFormat *format, guint samples, ImageInfo *info)
{
  g_autofree char *name = layout->title ? g_strdup (layout->title) : file_name_short (layout->file->path);
  const char *own = series->ome && series->ome->name && *series->ome->name ? series->ome->name : series->name;
  *info = (ImageInfo){
    .type = format->type,
    .number = series->number,
    .frames = series->frames,
    .channels = series->channels,
    .depth = series->depth,
    .rows = files_tiff_page_shown_rows (page),
    .columns = files_tiff_page_shown_columns (page),
    .inverted = page->photometric == PHOTOMETRIC_MINISWHITE,
    .source_type = format->source[0] ? g_strdup (format->source) : NULL,
    .description = layout->description ? g_ref_string_acquire (layout->description) : NULL,
  };
  if (is_rgb (page) && format->type == FV_U8 && format->bits == 8 && samples == 3 && series->channels == 3)
    info->role = FV_RGB;
  else if (format->bits == 1 && format->type == FV_U8)
    info->role = FV_MASK;
  if (info->role != FV_RGB)
    name_samples (page, samples, info);
  if (own && layout->series->len > 1)
    info->name = g_strdup_printf ("%s: %s", name, own);
  else
    info->name = layout->series->len > 1 ? g_strdup_printf ("%s #%u", name, series->number + 1) : g_strdup (name);
  set_calibration (layout, series, page, info);
  set_color_map (layout, series, page, info);
  if (series->ome && info->role != FV_RGB && samples == 1)
    files_ome_name_channels (series->ome, series->kept, info);
  if (series->imagej)
    set_imagej (layout, format, info);
}
