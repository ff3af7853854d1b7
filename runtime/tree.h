/* SPDX-License-Identifier: MIT
 *
 * YAML as a tree of nodes. A function that is given NULL for a node, or a node of another kind, returns "nothing".
 */
#ifndef RUNTIME_TREE_H
#define RUNTIME_TREE_H

#include <glib.h>
#include <yaml.h>

typedef struct Tree {
  yaml_document_t document;
} Tree;

/* The first document of some text. NULL with *error names the line. */
Tree *tree_new (const void *text, gsize n, GError **error);
void tree_free (Tree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tree, tree_free)

typedef const yaml_node_t TreeNode;

TreeNode *tree_root (Tree *tree);
/* The value of a key. */
TreeNode *tree_get (Tree *tree, TreeNode *mapping, const char *key);
/* Item i of a sequence; a node that is none is the only item of one. */
TreeNode *tree_item (Tree *tree, TreeNode *sequence, guint i);
guint tree_length (TreeNode *sequence);
gboolean tree_is_list (TreeNode *node);
gboolean tree_is_mapping (TreeNode *node);
/* A scalar as it is written, in UTF-8. NULL: it is none, or null. */
const char *tree_text (TreeNode *node);
/* FALSE: it is no finite number. */
gboolean tree_number (TreeNode *node, double *number);

#endif
