/* SPDX-License-Identifier: MIT
 */
#include "core/files/zarr/layout.h"

#include "core/base/json_read.h"
#include "core/base/progress.h"
#include "core/files/zarr/node.h"

#include <string.h>

enum { MAX_SERIES = 1 << 16 };

static void
add (ZarrLayout *layout, const char *key, guint multiscale, gboolean is_labels)
{
  const ZarrEntry entry = {g_strdup (key), g_strdup (*key ? key : NULL), multiscale, is_labels};
  g_array_append_val (layout->entries, entry);
}

static void G_GNUC_PRINTF (2, 3) leave_out (ZarrLayout *layout, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  g_string_append (layout->left_out, layout->left_out->len ? ", " : "");
  g_string_append_vprintf (layout->left_out, format, ap);
  va_end (ap);
}

/* ---- Images and their labels ---- */

/* Those of a group, if it has some. */
static void
add_multiscales (ZarrLayout *layout, const char *key, const ZarrNode *node)
{
  JsonArray *multiscales = json_read_array (node->ome, "multiscales");
  const guint first = layout->entries->len, n = multiscales ? json_array_get_length (multiscales) : 0;
  for (guint i = 0; i < n; i++)
    add (layout, key, i, FALSE);
  for (guint i = first; n > 1 && i < layout->entries->len; i++) {
    ZarrEntry *entry = &g_array_index (layout->entries, ZarrEntry, i);
    const char *name = json_read_string (json_read_element (multiscales, i - first), "name");
    g_free (entry->title);
    entry->title = *name ? g_strdup (name) : g_strdup_printf ("%s%s#%u", key, *key ? " " : "", i - first + 1);
  }
}

/* Images of objects below the image with that key. */
static void
add_labels (ZarrLayout *layout, const char *key)
{
  g_autofree char *parent = zarr_store_key (key, "labels");
  g_autoptr (ZarrNode) node = zarr_node_read (layout->store, parent, layout->version, NULL);
  JsonArray *names = node ? json_read_array (node->ome, "labels") : NULL;
  for (guint i = 0; names && i < json_array_get_length (names); i++) {
    JsonNode *name = json_array_get_element (names, i);
    const char *text = JSON_NODE_HOLDS_VALUE (name) && json_node_get_value_type (name) == G_TYPE_STRING
                         ? json_node_get_string (name)
                         : "";
    g_autofree char *own = zarr_store_key (parent, text);
    if (zarr_store_is_name (text))
      add (layout, own, 0, TRUE);
  }
}

/* Behind all images, so that these have the same numbers with and without labels. */
static void
add_all_labels (ZarrLayout *layout)
{
  const guint n = layout->entries->len;
  for (guint i = 0; i < n && !progress_stopped (NULL); i++) {
    g_autofree char *key = g_strdup (g_array_index (layout->entries, ZarrEntry, i).key);
    if (!i || strcmp (key, g_array_index (layout->entries, ZarrEntry, i - 1).key))
      add_labels (layout, key);
  }
}

/* ---- Collections ---- */

/* The fields of a well. */
static void
add_well (ZarrLayout *layout, const char *key, const ZarrNode *node)
{
  JsonArray *images = json_read_array (json_read_object (node->ome, "well"), "images");
  for (guint i = 0; images && i < json_array_get_length (images); i++) {
    const char *path = json_read_string (json_read_element (images, i), "path");
    g_autofree char *own = zarr_store_key (key, path);
    if (zarr_store_is_name (path))
      add (layout, own, 0, FALSE);
  }
}

/* FALSE with *error when the work shall stop. */
static gboolean
add_plate (ZarrLayout *layout, const ZarrNode *plate, GError **error)
{
  JsonArray *wells = json_read_array (json_read_object (plate->ome, "plate"), "wells");
  guint lost = 0;
  for (guint i = 0; wells && i < json_array_get_length (wells); i++) {
    const char *path = json_read_string (json_read_element (wells, i), "path");
    if (progress_stopped (error))
      return FALSE;
    g_autofree char *key = zarr_store_key ("", path);
    g_autoptr (ZarrNode) node =
      zarr_store_is_name (path) ? zarr_node_read (layout->store, key, layout->version, NULL) : NULL;
    if (node)
      add_well (layout, key, node);
    lost += !node;
  }
  if (lost)
    leave_out (layout, "%u well%s that %s not there or damaged", lost, lost == 1 ? "" : "s", lost == 1 ? "is" : "are");
  return TRUE;
}

/* The keys of series, as the group OME lists them; NULL: it does not. */
static JsonArray *
listed_series (const ZarrNode *node)
{
  JsonArray *series = node ? json_read_array (node->ome, "series") : NULL;
  return series && json_array_get_length (series) ? series : NULL;
}

/* Groups 0, 1, 2, ... where they are not listed. FALSE with *error when the work shall stop. */
static gboolean
add_series (ZarrLayout *layout, GError **error)
{
  g_autoptr (ZarrNode) ome = zarr_node_read (layout->store, "OME", layout->version, NULL);
  JsonArray *listed = listed_series (ome);
  const guint n = listed ? MIN (json_array_get_length (listed), MAX_SERIES) : MAX_SERIES;
  for (guint i = 0; i < n; i++) {
    JsonNode *name = listed ? json_array_get_element (listed, i) : NULL;
    g_autofree char *key = name ? json_node_dup_string (name) : g_strdup_printf ("%u", i);
    if (progress_stopped (error))
      return FALSE;
    g_autoptr (ZarrNode) node =
      key && zarr_store_is_name (key) ? zarr_node_read (layout->store, key, layout->version, NULL) : NULL;
    if (node)
      add_multiscales (layout, key, node);
    else if (!listed)
      break;
  }
  return TRUE;
}

/* ---- All of it ---- */

static gboolean
add_entries (ZarrLayout *layout, const ZarrNode *root, GError **error)
{
  if (root->is_array) {
    add (layout, "", 0, FALSE);
    return TRUE;
  }
  add_multiscales (layout, "", root);
  add_well (layout, "", root);
  if (layout->entries->len == 0 && json_read_object (root->ome, "plate") && !add_plate (layout, root, error))
    return FALSE;
  if (layout->entries->len == 0 && root->ome && json_object_has_member (root->ome, "bioformats2raw.layout")
      && !add_series (layout, error))
    return FALSE;
  add_all_labels (layout);
  if (layout->entries->len == 0)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, zarr_store_path (layout->store),
                      "is a Zarr group without an image of OME-Zarr; open one of the arrays in it.");
  return TRUE;
}

static void
entry_clear (gpointer data)
{
  ZarrEntry *entry = data;
  g_free (entry->key);
  g_free (entry->title);
}

ZarrLayout *
zarr_layout_new (const char *path, GError **error)
{
  g_autoptr (ZarrLayout) layout = g_new0 (ZarrLayout, 1);
  layout->store = zarr_store_new (path);
  layout->left_out = g_string_new (NULL);
  layout->entries = g_array_new (FALSE, FALSE, sizeof (ZarrEntry));
  g_array_set_clear_func (layout->entries, entry_clear);
  g_autoptr (ZarrNode) root = zarr_node_read (layout->store, "", 0, error);
  if (!root)
    return NULL;
  layout->version = root->version;
  return add_entries (layout, root, error) ? g_steal_pointer (&layout) : NULL;
}

void
zarr_layout_free (ZarrLayout *layout)
{
  g_array_unref (layout->entries);
  g_string_free (layout->left_out, TRUE);
  zarr_store_unref (layout->store);
  g_free (layout);
}

ZarrImage *
zarr_layout_image (const ZarrLayout *layout, guint n, GError **error)
{
  return zarr_image_new (layout->store, layout->version, &g_array_index (layout->entries, ZarrEntry, n), n, error);
}
