/* SPDX-License-Identifier: MIT
 *
 * The metadata of ND2 files, a tree of named values: as "lite variants" in files of version 3, as XML in those of version 2.
 *
 *     item:   type (1 byte), characters of the name with its NUL (1 byte), name (UTF-16), value
 *     level:  number of items (4 bytes), bytes from the item's first one on (8), items; then 8 bytes for each
 */
#ifndef CORE_FILES_ND2_VARIANT_H
#define CORE_FILES_ND2_VARIANT_H

#include <glib.h>

typedef struct FilesNd2Node {
  char *name;
  double number;       /* of numbers and truth values; 0 of others */
  char *text;          /* NULL: not a string */
  GBytes *bytes;       /* NULL: not an array of bytes */
  GPtrArray *children; /* FilesNd2Node; NULL: not a level */
} FilesNd2Node;

/* The level that the bytes are. NULL when they are none; those of a tree that is damaged are as far as it could be read. */
FilesNd2Node *files_nd2_variant_parse (const guint8 *bytes, gsize n);
void files_nd2_node_free (FilesNd2Node *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesNd2Node, files_nd2_node_free)

/* All of the following take a node that may be NULL, and look at its children. */
const FilesNd2Node *files_nd2_child (const FilesNd2Node *node, const char *name);
guint files_nd2_count (const FilesNd2Node *node);
const FilesNd2Node *files_nd2_nth (const FilesNd2Node *node, guint n);
/* `otherwise` where there is none, or it is not finite. */
double files_nd2_number (const FilesNd2Node *node, const char *name, double otherwise);
/* From 0 to 2^53; -1: no such number. */
gint64 files_nd2_integer (const FilesNd2Node *node, const char *name);
/* NULL: none, or an empty one. */
const char *files_nd2_text (const FilesNd2Node *node, const char *name);

#endif
