/* SPDX-License-Identifier: MIT
 *
 * A key may end with a channel, counted from 0: "intensity_mean-1".
 */
#include "ui/results/column_names.h"

#include "core/base/settings.h"

#include <string.h>

static const char *const choices[] = {"scikit-image", "imagej", NULL};
static const char group[] = "Tables", key[] = "names";

/* Only what ImageJ defines in the same way; all else keeps its key. ImageJ's Label is an image's title, its X, Y, XM and YM
 * count from the pixel's corner and not from its centre, its BX and Width enclose whole pixels even of lines and points. */
static const struct {
  const char *key, *imagej;
} names[] = {
  {"z", "Slice"},
  {"area", "Area"},
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
  {"channel", "Ch"},
  {"slice", "Slice"},
  {"frame", "Frame"},
};

/* ---- Names ---- */

static char *
imagej_name (const char *column)
{
  g_auto (GStrv) parts = g_strsplit (column, "-", 2);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (strcmp (names[i].key, parts[0]))
      continue;
    /* a channel, which people count from 1 */
    return parts[1]
             ? g_strdup_printf ("%s C%" G_GUINT64_FORMAT, names[i].imagej, g_ascii_strtoull (parts[1], NULL, 10) + 1)
             : g_strdup (names[i].imagej);
  }
  return g_strdup (column);
}

char *
column_names_name (const TableColumn *column, gboolean imagej)
{
  return imagej ? imagej_name (column->key) : g_strdup (column->key);
}

char *
column_names_header (const TableColumn *column)
{
  TableColumn named = *column;
  g_autofree char *name = column_names_name (column, column_names_are_imagej ());
  named.key = name;
  return table_header (&named);
}

/* ---- The choice ---- */

static GSimpleAction *
action_of_user (void)
{
  static GSimpleAction *action;
  if (!action) {
    g_autofree char *kept = settings_get (settings_of_user (), group, key);
    const char *choice = kept && g_strv_contains (choices, kept) ? kept : choices[0];
    action = g_simple_action_new_stateful ("column-names", G_VARIANT_TYPE_STRING, g_variant_new_string (choice));
  }
  return action;
}

gboolean
column_names_are_imagej (void)
{
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (action_of_user ()));
  return !strcmp (g_variant_get_string (state, NULL), "imagej");
}

void
column_names_connect (GCallback changed, gpointer object)
{
  g_signal_connect_object (action_of_user (), "notify::state", changed, object, G_CONNECT_SWAPPED);
}

static void
on_change (GSimpleAction *action, GVariant *state)
{
  const char *choice = g_variant_get_string (state, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_strv_contains (choices, choice))
    return;
  if (!settings_set (settings_of_user (), group, key, choice, &error))
    g_info ("The names of columns cannot be kept: %s", error->message);
  g_simple_action_set_state (action, state);
}

void
column_names_add (GtkApplication *application)
{
  g_signal_connect (action_of_user (), "change-state", G_CALLBACK (on_change), NULL);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (action_of_user ()));
}

GMenuModel *
column_names_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_menu_append (menu, "As in _scikit-image: area, intensity_mean", "app.column-names::scikit-image");
  g_menu_append (menu, "As in _ImageJ: Area, Mean", "app.column-names::imagej");
  return G_MENU_MODEL (menu);
}
