/* SPDX-License-Identifier: MIT
 */
#include "runtime/tree.h"

#include "runtime/error.h"

#include <math.h>

Tree *
tree_new (const void *text, gsize n, GError **error)
{
  yaml_parser_t parser;
  Tree *tree = g_new0 (Tree, 1);
  if (!yaml_parser_initialize (&parser))
    g_error ("Memory is short.");
  yaml_parser_set_input_string (&parser, n ? text : "", n);
  const gboolean loaded = yaml_parser_load (&parser, &tree->document);
  if (!loaded) {
    model_error (error, "Its description is not YAML: line %zu, %s.", parser.problem_mark.line + 1,
                 parser.problem ? parser.problem : "damaged");
    g_free (tree);
  }
  yaml_parser_delete (&parser);
  return loaded ? tree : NULL;
}

void
tree_free (Tree *tree)
{
  if (tree)
    yaml_document_delete (&tree->document);
  g_free (tree);
}

TreeNode *
tree_root (Tree *tree)
{
  return yaml_document_get_root_node (&tree->document);
}

const char *
tree_text (TreeNode *node)
{
  if (!node || node->type != YAML_SCALAR_NODE)
    return NULL;
  const char *text = (const char *) node->data.scalar.value;
  const gboolean plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  return plain && (!*text || !strcmp (text, "~") || !strcmp (text, "null")) ? NULL : text;
}

gboolean
tree_is_list (TreeNode *node)
{
  return node && node->type == YAML_SEQUENCE_NODE;
}

gboolean
tree_is_mapping (TreeNode *node)
{
  return node && node->type == YAML_MAPPING_NODE;
}

TreeNode *
tree_get (Tree *tree, TreeNode *mapping, const char *key)
{
  if (!tree_is_mapping (mapping))
    return NULL;
  for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start; p < mapping->data.mapping.pairs.top; p++)
    if (!g_strcmp0 (tree_text (yaml_document_get_node (&tree->document, p->key)), key))
      return yaml_document_get_node (&tree->document, p->value);
  return NULL;
}

guint
tree_length (TreeNode *sequence)
{
  if (!tree_is_list (sequence))
    return sequence != NULL;
  return (guint) (sequence->data.sequence.items.top - sequence->data.sequence.items.start);
}

TreeNode *
tree_item (Tree *tree, TreeNode *sequence, guint i)
{
  if (i >= tree_length (sequence))
    return NULL;
  return tree_is_list (sequence) ? yaml_document_get_node (&tree->document, sequence->data.sequence.items.start[i])
                                 : sequence;
}

gboolean
tree_number (TreeNode *node, double *number)
{
  const char *text = tree_text (node);
  char *end = NULL;
  if (!text)
    return FALSE;
  *number = g_ascii_strtod (text, &end);
  return end != text && !*end && isfinite (*number);
}
