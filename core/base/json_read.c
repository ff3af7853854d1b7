/* SPDX-License-Identifier: MIT
 */
#include "core/base/json_read.h"

#include <math.h>
#include <string.h>

/* What is wrong with it, before the parser sees it, or NULL. Outside of strings only characters of JSON may be, so that no comment hides a quote. */
static const char *
fault_of (const char *text, gsize n)
{
  int depth = 0;
  gboolean string = FALSE;
  for (gsize i = 0; i < n; i++) {
    const char c = text[i];
    if (string) {
      i += c == '\\';
      string = c != '"';
    } else if (c == '"')
      string = TRUE;
    else if (c == '[' || c == '{') {
      if (++depth > JSON_READ_DEPTH)
        return "it is nested more than " G_STRINGIFY (JSON_READ_DEPTH) " times";
    } else if (c == ']' || c == '}')
      depth--;
    else if (!c || (!g_ascii_isalnum (c) && !strchr (",:+-. \t\r\n", c)))
      return "it has characters outside of strings that JSON does not have";
  }
  return NULL;
}

JsonNode *
json_read (const char *text, gsize n, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  const char *fault = n > G_MAXSSIZE ? "it is too long" : fault_of (text, n);
  JsonNode *root = NULL;
  if (!fault && json_parser_load_from_data (parser, text, (gssize) n, error)) {
    root = json_parser_steal_root (parser);
    fault = root ? NULL : "it is empty";
  }
  if (fault)
    g_set_error_literal (error, JSON_PARSER_ERROR, JSON_PARSER_ERROR_PARSE, fault);
  return root;
}

JsonNode *
json_read_member (JsonObject *object, const char *name, JsonNodeType kind)
{
  JsonNode *node = object ? json_object_get_member (object, name) : NULL;
  return node && JSON_NODE_TYPE (node) == kind ? node : NULL;
}

JsonObject *
json_read_object (JsonObject *object, const char *name)
{
  JsonNode *node = json_read_member (object, name, JSON_NODE_OBJECT);
  return node ? json_node_get_object (node) : NULL;
}

JsonArray *
json_read_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_read_member (object, name, JSON_NODE_ARRAY);
  return node ? json_node_get_array (node) : NULL;
}

const char *
json_read_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_read_member (object, name, JSON_NODE_VALUE);
  return node && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : "";
}

JsonObject *
json_read_element (JsonArray *array, guint i)
{
  JsonNode *node = array && i < json_array_get_length (array) ? json_array_get_element (array, i) : NULL;
  return node && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

gboolean
json_read_number (JsonNode *node, double *number)
{
  if (!node || !JSON_NODE_HOLDS_VALUE (node)
      || (json_node_get_value_type (node) != G_TYPE_INT64 && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return FALSE;
  *number = json_node_get_double (node);
  return isfinite (*number);
}

gboolean
json_read_integer (JsonNode *node, gint64 *integer)
{
  if (!node || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64)
    return FALSE;
  *integer = json_node_get_int (node);
  return TRUE;
}
