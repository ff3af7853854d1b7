/* SPDX-License-Identifier: MIT
 *
 * The metadata of one group or array of a Zarr hierarchy: zarr.json of version 3; .zgroup or .zarray, and .zattrs of version 2.
 */
#ifndef CORE_FILES_ZARR_NODE_H
#define CORE_FILES_ZARR_NODE_H

#include "core/files/zarr/store.h"

#include <json-glib/json-glib.h>

typedef struct ZarrNode {
  guint version; /* 2 or 3 */
  gboolean is_array;
  JsonNode *document, *others; /* what was read; NULL: nothing */
  JsonObject *metadata;        /* of an array */
  JsonObject *attributes;      /* NULL: none */
  JsonObject *ome;             /* those of OME-Zarr, in which 0.5 keeps them apart */
} ZarrNode;

/* version: 0: not known. NULL with *error, FILE_ERROR_MISSING when there is none. */
ZarrNode *zarr_node_read (ZarrStore *store, const char *key, guint version, GError **error);
void zarr_node_free (ZarrNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ZarrNode, zarr_node_free)

#endif
