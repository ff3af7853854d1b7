/* SPDX-License-Identifier: MIT
 *
 * Datasets are filled up to whole chunks: the sizes are in attributes of the group of each.
 */
#include "readers/hdf5/imaris.h"

#include "readers/hdf5/attributes.h"
#include "readers/process/serve.h"

#include <math.h>

enum { MAX_COUNT = 1 << 16, MAX_CHANNELS = 1024 };

static char *
channel_path (guint level, gint64 frame, gint64 channel)
{
  return g_strdup_printf ("DataSet/ResolutionLevel %u/TimePoint %" G_GINT64_FORMAT "/Channel %" G_GINT64_FORMAT, level,
                          frame, channel);
}

static char *
dataset_path (const Hdf5Image *image, guint level, gint64 frame, gint64 channel)
{
  g_autofree char *group = channel_path (level, frame, channel);
  (void) image;
  return g_strconcat (group, "/Data", NULL);
}

static gboolean
find (Hdf5File *f, fv_error *error)
{
  return hdf5_file_has (f, "DataSetInfo/Image")
         && hdf5_file_has (f, "DataSet/ResolutionLevel 0/TimePoint 0/Channel 0/Data") && hdf5_file_add (f, NULL, error);
}

/* ---- Sizes ---- */

/* Of groups "NAME 0", "NAME 1" and so on. */
static gint64
count_groups (Hdf5File *f, const char *name, gint64 most)
{
  gint64 n = 0;
  for (; n < most; n++) {
    g_autofree char *path = g_strdup_printf ("%s %" G_GINT64_FORMAT, name, n);
    if (!hdf5_file_has (f, path))
      break;
  }
  return n;
}

static void
read_crop (Hdf5File *f, guint level, gint64 crop[HDF5_IMAGE_AXES])
{
  static const char *const names[] = {"ImageSizeZ", "ImageSizeY", "ImageSizeX"};
  g_autofree char *path = channel_path (level, 0, 0);
  const hid_t group = hdf5_file_object (f, path);
  for (guint i = 0; i < 3; i++)
    crop[HDF5_Z + i] = (gint64) CLAMP (hdf5_attribute_number (group, names[i], 0), 0, 1e15);
  if (group >= 0)
    H5Oclose (group);
}

static gboolean
add_levels (Hdf5File *f, Hdf5Image *image, fv_error *error)
{
  const gint64 n = count_groups (f, "DataSet/ResolutionLevel", MAX_COUNT);
  for (guint level = 0; level < n; level++) {
    g_autofree char *path = dataset_path (image, level, 0, 0);
    gint64 crop[HDF5_IMAGE_AXES] = {0};
    Hdf5Dataset d;
    if (!hdf5_file_look (f, path, &d, error))
      return FALSE;
    read_crop (f, level, crop);
    const gboolean done = hdf5_image_add_level (image, &d, crop, error);
    hdf5_dataset_close (&d);
    if (!done)
      return FALSE;
  }
  image->sizes[HDF5_T] = MAX (1, count_groups (f, "DataSet/ResolutionLevel 0/TimePoint", MAX_COUNT));
  image->sizes[HDF5_C] = MAX (1, count_groups (f, "DataSet/ResolutionLevel 0/TimePoint 0/Channel", MAX_CHANNELS));
  return TRUE;
}

/* ---- What is known of it ---- */

static void
read_image (Hdf5File *f, Hdf5Image *image)
{
  static const char *const texts[][2] = {{"Name", "Name"},
                                         {"Description", "Description"},
                                         {"RecordingDate", "Acquired"},
                                         {"MicroscopeMode", "Microscope"},
                                         {"LensPower", "Objective"},
                                         {"NumericalAperture", "Numerical aperture"}};
  static const Hdf5Axis axes[] = {HDF5_X, HDF5_Y, HDF5_Z};
  const hid_t group = hdf5_file_object (f, "DataSetInfo/Image");
  g_autofree char *unit = hdf5_attribute_text (group, "Unit");
  image->unit = hdf5_unit_of (unit);
  for (guint i = 0; i < 3; i++) {
    g_autofree char *low = g_strdup_printf ("ExtMin%u", i), *high = g_strdup_printf ("ExtMax%u", i);
    const double extent = hdf5_attribute_number (group, high, 0) - hdf5_attribute_number (group, low, 0);
    image->spacing[2 - i] = image->unit ? extent / (double) image->sizes[axes[i]] : 0;
  }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *text = hdf5_attribute_text (group, texts[i][0]);
    hdf5_image_describe (image, texts[i][1], text);
  }
  if (group >= 0)
    H5Oclose (group);
}

static guint32
color_of (const double rgb[3])
{
  guint32 color = 0;
  for (guint i = 0; i < 3; i++)
    color = color << 8 | (guint32) lround (255 * CLAMP (rgb[i], 0, 1));
  return color;
}

static void
read_channels (Hdf5File *f, Hdf5Image *image)
{
  const gsize n = (gsize) image->sizes[HDF5_C];
  gboolean named = FALSE, colored = TRUE, limited = TRUE;
  image->channel_names = g_new0 (char *, n + 1);
  image->channel_colors = g_new0 (guint32, n);
  image->display_ranges = g_new0 (double, 2 * n);
  for (gsize c = 0; c < n; c++) {
    g_autofree char *path = g_strdup_printf ("DataSetInfo/Channel %" G_GSIZE_FORMAT, c);
    const hid_t group = hdf5_file_object (f, path);
    double rgb[3], *range = image->display_ranges + 2 * c;
    char *name = hdf5_attribute_text (group, "Name");
    named = named || (name && *name);
    image->channel_names[c] = name ? name : g_strdup ("");
    colored = colored && hdf5_attribute_numbers (group, "Color", rgb, 3) == 3;
    limited = limited && hdf5_attribute_numbers (group, "ColorRange", range, 2) == 2 && isfinite (range[0])
              && isfinite (range[1]) && range[0] < range[1];
    image->channel_colors[c] = colored ? color_of (rgb) : 0;
    if (group >= 0)
      H5Oclose (group);
  }
  if (!named)
    g_clear_pointer (&image->channel_names, g_strfreev);
  if (!colored)
    g_clear_pointer (&image->channel_colors, g_free);
  if (!limited)
    g_clear_pointer (&image->display_ranges, g_free);
}

/* "2011-03-22 13:09:00.000" as seconds since 1970; NAN: it is not a time. */
static double
seconds_of (const char *text)
{
  g_autofree char *iso = g_strdup (text ? text : "");
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_strdelimit (iso, " ", 'T');
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (iso, zone);
  return time ? (double) g_date_time_to_unix (time) + g_date_time_get_microsecond (time) / 1e6 : NAN;
}

/* Time stamps, of which the frame interval is the mean. */
static void
read_times (Hdf5File *f, Hdf5Image *image)
{
  const hid_t group = hdf5_file_object (f, "DataSetInfo/TimeInfo");
  g_autoptr (GString) all = g_string_new (NULL);
  const gint64 n = image->sizes[HDF5_T];
  double first = NAN, last = NAN;
  for (gint64 i = 1; i <= n; i++) {
    g_autofree char *key = g_strdup_printf ("TimePoint%" G_GINT64_FORMAT, i), *text = hdf5_attribute_text (group, key);
    last = seconds_of (text);
    first = i == 1 ? last : first;
    g_string_append_printf (all, "%s%s", i > 1 ? ", " : "", text ? text : "?");
  }
  if (n > 1 && last > first) {
    image->frame_interval = (last - first) / (double) (n - 1);
    image->frame_unit = "s";
  }
  if (isfinite (first))
    hdf5_image_describe (image, n > 1 ? "Times" : "Time", all->str);
  if (group >= 0)
    H5Oclose (group);
}

static Hdf5Image *
make_image (Hdf5File *f, guint n, fv_error *error)
{
  g_autoptr (Hdf5Image) image = hdf5_image_new ();
  (void) n;
  image->dataset = dataset_path;
  hdf5_image_set_axes (image, "zyx");
  if (!add_levels (f, image, error))
    return NULL;
  read_image (f, image);
  read_channels (f, image);
  read_times (f, image);
  return g_steal_pointer (&image);
}

const Hdf5Kind hdf5_imaris = {find, make_image};
