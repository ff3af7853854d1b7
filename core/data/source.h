/* SPDX-License-Identifier: MIT
 *
 * Where pixels that are not in memory come from: a file's image, in levels of a pyramid, of which any region can be read. A plane
 * is the region that is all of level 0.
 */
#ifndef CORE_DATA_SOURCE_H
#define CORE_DATA_SOURCE_H

#include <glib.h>

/* In pixels of a level. */
typedef struct ImageRegion {
  gint64 row, column, rows, columns;
} ImageRegion;

/* Level 0 is the image itself, each further one shows all of it in fewer pixels. Regions that are whole tiles, counted from
 * pixel 0, are read without decoding anything twice. */
typedef struct ImageLevel {
  gint64 rows, columns, tile_rows, tile_columns;
  gboolean direct; /* any region is read as it is, without the rest of its tiles */
} ImageLevel;

/* All functions but free() are called from any thread, at the same time. */
typedef struct ImageSource {
  /* FALSE: level n does not exist. Level 0 always does. */
  gboolean (*level) (gpointer self, guint n, ImageLevel *level);
  /* The pixels of a region, which is not empty and within the level, of one plane, rows `stride` bytes apart. FALSE with *error
   * when they cannot be had completely. */
  gboolean (*read) (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
                    GError **error);
  void (*free) (gpointer self);
} ImageSource;

#endif
