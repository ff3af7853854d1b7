/* SPDX-License-Identifier: MIT
 *
 * The menu bar, made from what the plugins declare, and the keys of all actions.
 */
#ifndef UI_APP_MENUS_H
#define UI_APP_MENUS_H

#include "core/ops/module.h"

#include <gtk/gtk.h>

/* application: whose keys those of installed macros are. */
GMenuModel *menus_new (const Modules *modules, GtkApplication *application);
/* A new operation; it replaces the one with its key. menus: what menus_new() returned. */
void menus_add_operation (GMenuModel *menus, const Op *op);
/* A menu of some of their items, the first with each of these actions ("win.add-step::crop"), with its label and its key; "": a line. The
 * list ends with NULL. (transfer full) */
GMenuModel *menus_pick (GMenuModel *menus, const char *const *actions);
void menus_set_keys (GtkApplication *application);

#endif
