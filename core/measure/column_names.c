/* SPDX-License-Identifier: MIT
 *
 * A key may end with a channel, counted from 0: "intensity_mean-1".
 */
#include "core/measure/column_names.h"

#include <string.h>

/* Only what ImageJ defines in the same way; all else keeps its key. ImageJ's Label is an image's title, its X, Y, XM and YM
 * count from the pixel's corner and not from its centre, its BX and Width enclose whole pixels even of lines and points. */
static const struct {
  const char *key, *imagej;
} names[] = {
  {"z", "Slice"},
  {"area", "Area"},
  {"volume", "Volume"},
  {"intensity_mean", "Mean"},
  {"intensity_std_imagej", "StdDev"},
  {"intensity_mode", "Mode"},
  {"intensity_min", "Min"},
  {"intensity_max", "Max"},
  {"perimeter_imagej", "Perim."},
  {"major_axis_imagej", "Major"},
  {"minor_axis_imagej", "Minor"},
  {"angle_imagej", "Angle"},
  {"circularity", "Circ."},
  {"feret_imagej", "Feret"},
  {"integrated_density", "IntDen"},
  {"intensity_median_imagej", "Median"},
  {"intensity_skewness", "Skew"},
  {"intensity_kurtosis", "Kurt"},
  {"raw_integrated_density", "RawIntDen"},
  {"feret_angle", "FeretAngle"},
  {"feret_min", "MinFeret"},
  {"aspect_ratio", "AR"},
  {"roundness", "Round"},
  {"solidity_imagej", "Solidity"},
  {"axis_major_length", "Major (scikit-image)"},
  {"axis_minor_length", "Minor (scikit-image)"},
  {"solidity", "Solidity (scikit-image)"},
  {"intensity_std", "StdDev (scikit-image)"},
  {"intensity_median", "Median (scikit-image)"},
  {"perimeter", "Perim. (scikit-image)"},
  {"feret_diameter_max", "Feret (scikit-image)"},
  /* of selections */
  {"mean", "Mean"},
  {"std", "StdDev"},
  {"min", "Min"},
  {"max", "Max"},
  {"length", "Length"},
  {"angle", "Angle"},
  {"channel", "Ch"},
  {"slice", "Slice"},
  {"frame", "Frame"},
};

char *
column_name_imagej (const char *key)
{
  g_auto (GStrv) parts = g_strsplit (key, "-", 2);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (strcmp (names[i].key, parts[0]))
      continue;
    /* a channel, which people count from 1 */
    return parts[1]
             ? g_strdup_printf ("%s C%" G_GUINT64_FORMAT, names[i].imagej, g_ascii_strtoull (parts[1], NULL, 10) + 1)
             : g_strdup (names[i].imagej);
  }
  return g_strdup (key);
}
