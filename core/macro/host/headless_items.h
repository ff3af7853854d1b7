/* SPDX-License-Identifier: MIT
 *
 * The images of a host without a window, each with its position, selections and measurements.
 */
#ifndef CORE_MACRO_HEADLESS_ITEMS_H
#define CORE_MACRO_HEADLESS_ITEMS_H

#include "core/macro/host/host.h"

typedef struct HeadlessItem {
  guint id;
  char *path;     /* NULL: it is of no file */
  guint n;        /* which image of the file */
  gboolean given; /* opened before the macro began, and not yet asked for */
  Image *source;
  Recipe *recipe;
  Run *run; /* that was executed last; NULL: none */
  PlanePosition position;
  GArray *settings; /* ViewChannel; those behind the last one are as usual */
  Selection *selection;
  GPtrArray *kept;
  Table *measured;
} HeadlessItem;

typedef struct HeadlessItems {
  GPtrArray *all; /* HeadlessItem, in the order in which they were opened */
} HeadlessItems;

void headless_items_init (HeadlessItems *items);
void headless_items_clear (HeadlessItems *items);

/* ---- As MacroHost has them; `items` is a HeadlessItems ---- */

/* NULL: there is none of that id. */
HeadlessItem *headless_item (gpointer items, guint image);
PlanePosition headless_position (gpointer items, guint image);
void headless_set_position (gpointer items, guint image, PlanePosition position);
ViewChannel headless_look (gpointer items, guint image, gint64 channel);
void headless_set_look (gpointer items, guint image, gint64 channel, const ViewChannel *look);
Selection *headless_selection_of (gpointer items, guint image);
void headless_set_selection (gpointer items, guint image, const Selection *selection);
GPtrArray *headless_kept (gpointer items, guint image);
void headless_set_kept (gpointer items, guint image, const GPtrArray *selections);
Table *headless_measured (gpointer items, guint image);
void headless_clear_measured (gpointer items, guint image);

#endif
