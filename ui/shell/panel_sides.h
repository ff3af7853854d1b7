/* SPDX-License-Identifier: MIT
 *
 * View ▸ Positions of Panels: where steps and tables are, relative to the image, in every window and across
 * sessions.
 */
#ifndef UI_SHELL_PANEL_SIDES_H
#define UI_SHELL_PANEL_SIDES_H

#include <gtk/gtk.h>

/* Start and end are left and right where one reads so, else the other way round. */
typedef enum PanelSide { PANEL_BELOW, PANEL_START, PANEL_END } PanelSide;

/* Adds the actions app.steps-place and app.tables-place, "below", "end" or "start". */
void panel_sides_add (GtkApplication *application);
GMenuModel *panel_sides_menu_new (void);
PanelSide panel_sides_of_steps (void);
PanelSide panel_sides_of_tables (void);
/* Calls changed (object) when one of them is another, while the object is there. */
void panel_sides_connect (GCallback changed, gpointer object);

/* Puts both into the paned, the panel on that side of the main one, which gets the remaining room. Both may be in it
 * already. */
void panel_sides_put (GtkPaned *paned, GtkWidget *main, GtkWidget *panel, PanelSide side);

#endif
