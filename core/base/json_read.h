/* SPDX-License-Identifier: MIT
 *
 * JSON of files that may lie. The parser of JSON-GLib calls itself for each level of arrays and objects, and takes comments.
 */
#ifndef CORE_BASE_JSON_READ_H
#define CORE_BASE_JSON_READ_H

#include <json-glib/json-glib.h>

#define JSON_READ_DEPTH 32 /* levels of nested arrays and objects */

/* The text of n bytes, which is not empty. NULL with *error, a clause: "it is nested more than 32 times". Free with json_node_unref(). */
JsonNode *json_read (const char *text, gsize n, GError **error);
/* A member of that kind, or NULL. object may be NULL. */
JsonNode *json_read_member (JsonObject *object, const char *name, JsonNodeType kind);
/* NULL: there is none. */
JsonObject *json_read_object (JsonObject *object, const char *name);
JsonArray *json_read_array (JsonObject *object, const char *name);
/* "": there is none. */
const char *json_read_string (JsonObject *object, const char *name);
/* Element i as an object; NULL: it is none. */
JsonObject *json_read_element (JsonArray *array, guint i);
/* Whether the node is a finite number. */
gboolean json_read_number (JsonNode *node, double *number);
/* Whether it is an integer. */
gboolean json_read_integer (JsonNode *node, gint64 *integer);

#endif
