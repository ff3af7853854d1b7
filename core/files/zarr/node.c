/* SPDX-License-Identifier: MIT
 */
#include "core/files/zarr/node.h"

#include "core/base/file_cloud.h"
#include "core/base/json_read.h"

#include <string.h>

#define MOST ((gsize) 64 << 20) /* bytes of metadata: plates may have those of all their wells in one */

/* An object. NULL with *error. */
static JsonNode *
read_document (ZarrStore *store, const char *parent, const char *name, GError **error)
{
  g_autofree char *key = zarr_store_key (parent, name), *path = zarr_store_path_of (store, key);
  g_autoptr (GBytes) bytes = zarr_store_read (store, key, MOST, error);
  g_autoptr (GError) fault = NULL;
  gsize n;
  if (!bytes)
    return NULL;
  const char *text = g_bytes_get_data (bytes, &n);
  g_autoptr (JsonNode) document = json_read (text, n, &fault);
  if (document && JSON_NODE_HOLDS_OBJECT (document))
    return g_steal_pointer (&document);
  file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged: it is not a JSON object%s%s.", fault ? ", " : "",
             fault ? fault->message : "");
  return NULL;
}

/* TRUE without a document when there is none. */
static gboolean
read_if_there (ZarrStore *store, const char *parent, const char *name, JsonNode **document, GError **error)
{
  GError *fault = NULL;
  *document = read_document (store, parent, name, &fault);
  if (!fault)
    return TRUE;
  if (!g_error_matches (fault, FILE_ERROR, FILE_ERROR_MISSING)) {
    g_propagate_error (error, fault);
    return FALSE;
  }
  g_error_free (fault);
  return TRUE;
}

static gboolean
read_3 (ZarrNode *node, ZarrStore *store, const char *key, GError **error)
{
  if (!read_if_there (store, key, "zarr.json", &node->document, error))
    return FALSE;
  if (!node->document)
    return TRUE;
  JsonObject *document = json_node_get_object (node->document);
  node->version = 3;
  node->is_array = !strcmp (json_read_string (document, "node_type"), "array");
  node->metadata = node->is_array ? document : NULL;
  node->attributes = json_read_object (document, "attributes");
  return TRUE;
}

/* A group may have attributes alone. */
static gboolean
read_2 (ZarrNode *node, ZarrStore *store, const char *key, GError **error)
{
  if (!read_if_there (store, key, ".zarray", &node->document, error))
    return FALSE;
  if ((node->is_array = node->document != NULL))
    node->metadata = json_node_get_object (node->document);
  else if (!read_if_there (store, key, ".zgroup", &node->document, error))
    return FALSE;
  if (!read_if_there (store, key, ".zattrs", &node->others, error))
    return FALSE;
  if (node->others)
    node->attributes = json_node_get_object (node->others);
  node->version = node->document || node->others ? 2 : 0;
  return TRUE;
}

ZarrNode *
zarr_node_read (ZarrStore *store, const char *key, guint version, GError **error)
{
  g_autoptr (ZarrNode) node = g_new0 (ZarrNode, 1);
  if ((version != 2 && !read_3 (node, store, key, error))
      || (version != 3 && !node->version && !read_2 (node, store, key, error)))
    return NULL;
  if (!node->version) {
    g_autofree char *path = zarr_store_path_of (store, key);
    file_fail (error, FILE_ERROR_MISSING, path, "is damaged or no Zarr folder: it lacks its metadata, %s%s.",
               version == 2 ? ".zgroup or .zarray" : "zarr.json",
               file_cloud_is (path) ? ", or is not public, or does not exist" : "");
    return NULL;
  }
  JsonObject *own = json_read_object (node->attributes, "ome");
  node->ome = own ? own : node->attributes;
  return g_steal_pointer (&node);
}

void
zarr_node_free (ZarrNode *node)
{
  g_clear_pointer (&node->document, json_node_unref);
  g_clear_pointer (&node->others, json_node_unref);
  g_free (node);
}
