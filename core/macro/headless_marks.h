/* SPDX-License-Identifier: MIT
 *
 * What a host without a window knows of each image besides its pixels: the position, selections and measurements. The functions are those of
 * MacroHost.
 */
#ifndef CORE_MACRO_HEADLESS_MARKS_H
#define CORE_MACRO_HEADLESS_MARKS_H

#include "core/macro/headless.h"

typedef struct HeadlessItem {
  guint id;
  char *path;
  guint n;        /* which image of the file */
  gboolean given; /* opened before the macro began, and not yet asked for */
  Image *source;
  Recipe *recipe;
  Run *run; /* that was executed last; NULL: none */
  PlanePlace place;
  Selection *selection;
  GPtrArray *kept;
  Table *measured;
} HeadlessItem;

/* NULL: there is none of that id. */
HeadlessItem *headless_item (gpointer self, guint id);
/* The image that step `step` of it makes, or the nearest before it; see MacroHost.measure. NULL with *error. */
Image *headless_image_at (Headless *headless, guint image, guint step, GError **error);

PlanePlace headless_position (gpointer self, guint image);
void headless_set_position (gpointer self, guint image, PlanePlace place);
Selection *headless_selection_of (gpointer self, guint image);
void headless_set_selection (gpointer self, guint image, const Selection *selection);
GPtrArray *headless_kept (gpointer self, guint image);
void headless_set_kept (gpointer self, guint image, const GPtrArray *selections);
gboolean headless_measure (gpointer self, guint image, guint step, const GPtrArray *selections, GError **error);
Table *headless_measured (gpointer self, guint image);
void headless_clear_measured (gpointer self, guint image);

#endif
