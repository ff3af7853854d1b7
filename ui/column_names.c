/* SPDX-License-Identifier: MIT
 *
 * A key may end with an axis and with a channel, both counted from 0: "centroid_weighted-1-0".
 */
#include "column_names.h"

#include "settings.h"

#include <string.h>

static const char *const choices[] = {"scikit-image", "imagej", NULL};
static const char group[] = "Tables", key[] = "names";

/* "%": the axis, X, Y or Z. */
static const struct {
  const char *key, *imagej;
} names[] = {
  {"label", "Label"},
  {"z", "Slice"},
  {"area", "Area"},
  {"intensity_mean", "Mean"},
  {"intensity_std_imagej", "StdDev"},
  {"intensity_mode", "Mode"},
  {"intensity_min", "Min"},
  {"intensity_max", "Max"},
  {"centroid", "%"},
  {"centroid_weighted", "%M"},
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
  {"num_pixels", "Pixels"},
  {"equivalent_diameter_area", "Diameter"},
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
  {"x", "BX"},
  {"y", "BY"},
  {"width", "Width"},
  {"height", "Height"},
  {"channel", "Ch"},
  {"slice", "Slice"},
  {"frame", "Frame"},
};

/* ---- Names ---- */

/* The axis of the index, which counts from Z in a volume and else from Y. */
static char
axis_of (const Table *table, const char *stem, guint64 index)
{
  g_autofree char *third = g_strdup_printf ("%s-2", stem), *of_channel = g_strdup_printf ("%s-2-0", stem);
  gboolean volume = table_find (table, third) || table_find (table, of_channel);
  return "ZYX"[MIN (index + !volume, 2)];
}

static char *
imagej_name (const Table *table, const char *column)
{
  g_auto (GStrv) parts = g_strsplit (column, "-", -1);
  guint used = 1;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (strcmp (names[i].key, parts[0]))
      continue;
    GString *s = g_string_new (names[i].imagej);
    if (*s->str == '%' && parts[1]) {
      s->str[0] = axis_of (table, parts[0], g_ascii_strtoull (parts[1], NULL, 10));
      used = 2;
    }
    if (parts[used]) /* a channel, which people count from 1 */
      g_string_append_printf (s, " C%" G_GUINT64_FORMAT, g_ascii_strtoull (parts[used], NULL, 10) + 1);
    return g_string_free (s, FALSE);
  }
  return g_strdup (column);
}

char *
column_names_name (const Table *table, const TableColumn *column, gboolean imagej)
{
  return imagej ? imagej_name (table, column->key) : g_strdup (column->key);
}

char *
column_names_header (const Table *table, const TableColumn *column)
{
  TableColumn named = *column;
  g_autofree char *name = column_names_name (table, column, column_names_are_imagej ());
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
