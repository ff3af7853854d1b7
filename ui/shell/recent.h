/* SPDX-License-Identifier: MIT
 *
 * The files that were opened here before, in the list that the desktop keeps.
 */
#ifndef UI_SHELL_RECENT_H
#define UI_SHELL_RECENT_H

#include <gtk/gtk.h>

/* One sentence that says why the list is not used, or NULL. */
const char *recent_fault (void);
typedef enum RecentKind { RECENT_IMAGES, RECENT_MACROS } RecentKind;
void recent_add (RecentKind kind, const char *path);
/* The paths of those that are still there, the newest first; `max` at most. */
GPtrArray *recent_paths (RecentKind kind, guint max);
/* Calls changed (object) whenever the list changes, while the object is there. */
void recent_connect (GCallback changed, gpointer object);
/* A menu of them that stays up to date; its items activate app.open-recent with the path. */
GMenuModel *recent_menu (RecentKind kind);

#endif
