/* SPDX-License-Identifier: MIT
 */
#include "readers/hdf5/image.h"

#include "readers/process/serve.h"

#include <math.h>
#include <string.h>

enum { TILE = 256 /* rows and columns of the smallest part that is read by itself */, MAX_LEVELS = 32 };

Hdf5Image *
hdf5_image_new (void)
{
  Hdf5Image *image = g_new0 (Hdf5Image, 1);
  image->description = g_string_new (NULL);
  image->levels = g_array_new (FALSE, FALSE, sizeof (Hdf5Level));
  for (guint i = 0; i < HDF5_IMAGE_AXES; i++)
    image->sizes[i] = 1;
  return image;
}

void
hdf5_image_free (gpointer data)
{
  Hdf5Image *image = data;
  g_strfreev (image->channel_names);
  g_free (image->channel_colors);
  g_free (image->display_ranges);
  g_free (image->name);
  g_free (image->path);
  g_string_free (image->description, TRUE);
  g_array_unref (image->levels);
  g_clear_pointer (&image->frames, g_array_unref);
  g_clear_pointer (&image->channels, g_array_unref);
  g_free (image);
}

/* ---- Axes and levels ---- */

Hdf5Axis
hdf5_axis_of (char letter)
{
  static const char letters[] = "tczyx";
  const char *found = letter ? strchr (letters, g_ascii_tolower (letter)) : NULL;
  return found ? (Hdf5Axis) (found - letters) : HDF5_OTHER;
}

void
hdf5_image_set_axes (Hdf5Image *image, const char *letters)
{
  image->n_axes = (guint) MIN (strlen (letters), HDF5_AXES);
  for (guint i = 0; i < image->n_axes; i++)
    image->axes[i] = hdf5_axis_of (letters[i]);
}

/* Small chunks are read several at a time. */
static void
set_tile (const Hdf5Image *image, const Hdf5Dataset *d, const gint64 sizes[HDF5_IMAGE_AXES], Hdf5Level *level)
{
  for (guint i = 0; i < HDF5_IMAGE_AXES; i++)
    level->tile[i] = 1;
  for (guint i = 0; i < d->n; i++)
    if (image->axes[i] < HDF5_OTHER)
      level->tile[image->axes[i]] = d->chunk[i];
  for (guint i = HDF5_Y; i <= HDF5_X; i++) {
    level->tile[i] *= (TILE + level->tile[i] - 1) / level->tile[i];
    level->tile[i] = MIN (level->tile[i], sizes[i]);
  }
  if (!d->chunked)
    level->tile[HDF5_Y] = level->tile[HDF5_X] = 0;
}

gboolean
hdf5_image_add_level (Hdf5Image *image, const Hdf5Dataset *d, const gint64 crop[HDF5_IMAGE_AXES], fv_error *error)
{
  gint64 sizes[HDF5_IMAGE_AXES] = {1, 1, 1, 1, 1};
  if (d->n != image->n_axes)
    return process_error (error, FV_BAD_INPUT, "A dataset has %u axes in place of %u.", d->n, image->n_axes);
  for (guint i = 0; i < d->n; i++)
    if (image->axes[i] < HDF5_OTHER)
      sizes[image->axes[i]] = d->shape[i];
  for (guint i = 0; crop && i < HDF5_IMAGE_AXES; i++)
    if (crop[i] > 0)
      sizes[i] = MIN (sizes[i], crop[i]);
  if (image->levels->len == MAX_LEVELS)
    return TRUE;
  if (image->levels->len == 0) {
    memcpy (image->sizes, sizes, sizeof sizes);
    image->type = image->unsigned16 && d->type == FV_I16 ? FV_U16 : d->type;
    image->role = d->conversion == HDF5_MASK ? FV_MASK : FV_IMAGE;
  }
  Hdf5Level level = {.depth = sizes[HDF5_Z], .rows = sizes[HDF5_Y], .columns = sizes[HDF5_X]};
  set_tile (image, d, sizes, &level);
  g_array_append_val (image->levels, level);
  return TRUE;
}

/* ---- Metadata ---- */

/* On one line, as texts of declarations are. */
static char *
plain_text (const char *text)
{
  char *valid = g_utf8_make_valid (text ? text : "", -1);
  for (char *c = valid; *c; c++)
    if ((guchar) *c < ' ' || *c == 0x7f)
      *c = ' ';
  return g_strstrip (valid);
}

void
hdf5_image_describe (Hdf5Image *image, const char *key, const char *value)
{
  g_autofree char *plain = plain_text (value);
  if (*plain)
    g_string_append_printf (image->description, "%s: %s\n", key, plain);
}

const char *
hdf5_unit_of (const char *text)
{
  static const char *const units[][2] = {
    {"um", "µm"},         {"µm", "µm"},         {"\u03bcm", "µm"},     {"micron", "µm"},     {"microns", "µm"},
    {"micrometer", "µm"}, {"micrometre", "µm"}, {"micrometers", "µm"}, {"nm", "nm"},         {"nanometer", "nm"},
    {"nanometre", "nm"},  {"mm", "mm"},         {"millimeter", "mm"},  {"millimetre", "mm"}, {"m", "m"},
    {"meter", "m"},       {"metre", "m"},       {"cm", "cm"},          {"s", "s"},           {"sec", "s"},
    {"second", "s"},      {"seconds", "s"},     {"ms", "ms"},          {"min", "min"},       {"h", "h"},
  };
  g_autofree char *plain = plain_text (text);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (!g_ascii_strcasecmp (plain, units[i][0]))
      return units[i][1];
  return NULL;
}

static void
put_channels (const Hdf5Image *image, GByteArray *to)
{
  const guint32 n = (guint32) image->sizes[HDF5_C];
  process_put_u32 (to, image->channel_names ? n : 0);
  for (guint c = 0; image->channel_names && c < n; c++) {
    g_autofree char *name = plain_text (image->channel_names[c]);
    process_put_text (to, name);
  }
  process_put_u32 (to, image->channel_colors ? n : 0);
  for (guint c = 0; image->channel_colors && c < n; c++)
    process_put_u32 (to, image->channel_colors[c]);
  process_put_u32 (to, image->display_ranges ? n : 0);
  for (guint c = 0; image->display_ranges && c < 2 * n; c++)
    process_put_f64 (to, image->display_ranges[c]);
}

void
hdf5_image_put (const Hdf5Image *image, GByteArray *to)
{
  g_autofree char *name = plain_text (image->name);
  process_put_u32 (to, image->type);
  process_put_u32 (to, image->role);
  for (guint i = 0; i < HDF5_IMAGE_AXES; i++)
    process_put_i64 (to, image->sizes[i]);
  for (guint i = 0; i < 3; i++) {
    const double size = image->spacing[i];
    process_put_f64 (to, isfinite (size) && size > 0 ? size : 0);
  }
  for (guint i = 0; i < 3; i++)
    process_put_text (to, image->spacing[i] > 0 ? image->unit : NULL);
  process_put_f64 (to, isfinite (image->frame_interval) && image->frame_interval > 0 ? image->frame_interval : 0);
  process_put_text (to, image->frame_unit);
  put_channels (image, to);
  process_put_text (to, name);
  process_put_text (to, image->description->str);
  process_put_u32 (to, image->levels->len);
  for (guint n = 0; n < image->levels->len; n++) {
    const Hdf5Level *l = &g_array_index (image->levels, Hdf5Level, n);
    const gint64 numbers[] = {l->rows, l->columns, l->tile[HDF5_Y], l->tile[HDF5_X], l->tile[HDF5_Z], l->tile[HDF5_C]};
    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
      process_put_i64 (to, numbers[i]);
  }
}
