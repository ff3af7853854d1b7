/* SPDX-License-Identifier: MIT
 */
#include "readers/hdf5/axes.h"

#include "readers/hdf5/attributes.h"
#include "readers/process/serve.h"

#include <json-glib/json-glib.h>
#include <string.h>

enum { FEW = 4 /* channels at most that are told by their number alone */ };

/* ---- What the file says ---- */

/* ilastik's and VIGRA's: {"axes": [{"key": "t", ...}, ...]}, in the order of the dataset. */
static gboolean
by_axistags (const Hdf5Dataset *d, char *letters)
{
  g_autofree char *text = hdf5_attribute_text (d->id, "axistags");
  g_autoptr (JsonParser) parser = json_parser_new ();
  if (!text || !json_parser_load_from_data (parser, text, -1, NULL))
    return FALSE;
  JsonNode *root = json_parser_get_root (parser);
  JsonObject *object = root && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonNode *list = object ? json_object_get_member (object, "axes") : NULL;
  JsonArray *axes = list && JSON_NODE_HOLDS_ARRAY (list) ? json_node_get_array (list) : NULL;
  if (!axes || json_array_get_length (axes) != d->n)
    return FALSE;
  for (guint i = 0; i < d->n; i++) {
    JsonNode *axis = json_array_get_element (axes, i);
    JsonNode *key = JSON_NODE_HOLDS_OBJECT (axis) ? json_object_get_member (json_node_get_object (axis), "key") : NULL;
    const char *name = key && json_node_get_value_type (key) == G_TYPE_STRING ? json_node_get_string (key) : "";
    letters[i] = *name ? *name : '?';
  }
  return TRUE;
}

/* Of HDF5's dimension scales: "z", "Time", "channel". */
static gboolean
by_labels (const Hdf5Dataset *d, char *letters)
{
  g_auto (GStrv) labels = hdf5_attribute_texts (d->id, "DIMENSION_LABELS");
  if (!labels || g_strv_length (labels) != d->n)
    return FALSE;
  for (guint i = 0; i < d->n; i++) {
    const gboolean row = !g_ascii_strcasecmp (labels[i], "row") || !g_ascii_strcasecmp (labels[i], "rows");
    const gboolean column = !g_ascii_strcasecmp (labels[i], "column") || !g_ascii_strcasecmp (labels[i], "columns");
    letters[i] = row ? 'y' : column ? 'x' : *labels[i] ? *labels[i] : '?';
  }
  return TRUE;
}

/* HDF5's specification of images. */
static gboolean
by_image (const Hdf5Dataset *d, char *letters, gboolean *colors)
{
  g_autofree char *class = hdf5_attribute_text (d->id, "CLASS"), *kind = hdf5_attribute_text (d->id, "IMAGE_SUBCLASS"),
                  *order = hdf5_attribute_text (d->id, "INTERLACE_MODE");
  if (g_strcmp0 (class, "IMAGE") || g_strcmp0 (kind, "IMAGE_TRUECOLOR") || d->n != 3)
    return FALSE;
  strcpy (letters, g_strcmp0 (order, "INTERLACE_PLANE") ? "yxc" : "cyx");
  *colors = TRUE;
  return TRUE;
}

/* MATLAB's arrays have their rows first, and HDF5 has all axes in the other order. */
static gboolean
by_matlab (const Hdf5Dataset *d, char *letters)
{
  g_autofree char *class = hdf5_attribute_text (d->id, "MATLAB_class");
  static const char *const orders[] = {"xy", "zxy", "tzxy"};
  if (!class || d->n < 2 || d->n > 4)
    return FALSE;
  strcpy (letters, orders[d->n - 2]);
  if (d->n == 3 && d->shape[0] == 3)
    letters[0] = 'c';
  return TRUE;
}

/* ---- What the sizes suggest ---- */

/* Channels are few, and last or before the slices; otherwise frames come first. */
static void
by_sizes (const Hdf5Dataset *d, char *letters)
{
  const gint64 *s = d->shape;
  const gboolean channels_last = d->n >= 3 && s[d->n - 1] <= FEW && s[d->n - 2] > FEW && s[d->n - 3] > FEW;
  switch (d->n) {
  case 2: strcpy (letters, "yx"); break;
  case 3: strcpy (letters, channels_last ? "yxc" : "zyx"); break;
  case 4: strcpy (letters, channels_last ? "zyxc" : s[0] <= FEW ? "czyx" : "tzyx"); break;
  default: strcpy (letters, channels_last ? "tzyxc" : "tczyx"); break;
  }
}

/* ---- All ---- */

static gboolean
are_known (const Hdf5Dataset *d, const char *letters)
{
  guint seen[HDF5_IMAGE_AXES] = {0};
  for (guint i = 0; i < d->n; i++) {
    const Hdf5Axis axis = hdf5_axis_of (letters[i]);
    if (axis == HDF5_OTHER ? d->shape[i] > 1 : ++seen[axis] > 1)
      return FALSE;
  }
  return seen[HDF5_Y] && seen[HDF5_X];
}

gboolean
hdf5_axes_find (const Hdf5Dataset *d, char letters[HDF5_AXES + 1], gboolean *colors, fv_error *error)
{
  *colors = FALSE;
  memset (letters, 0, HDF5_AXES + 1);
  const gboolean said =
    by_axistags (d, letters) || by_labels (d, letters) || by_image (d, letters, colors) || by_matlab (d, letters);
  if (!said && (d->n < 2 || d->n > HDF5_IMAGE_AXES))
    return process_error (error, FV_UNSUPPORTED, "It has %u axes; 2 to %d can be.", d->n, HDF5_IMAGE_AXES);
  if (!said || !are_known (d, letters)) {
    if (d->n < 2 || d->n > HDF5_IMAGE_AXES)
      return process_error (error, FV_UNSUPPORTED, "It has axes that are none of t, c, z, y and x.");
    by_sizes (d, letters);
    *colors = d->n == 3 && letters[2] == 'c' && d->shape[2] == 3 && d->type == FV_U8;
  }
  return TRUE;
}
