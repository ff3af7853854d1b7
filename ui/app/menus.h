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
/* A new operation, in place of that of its key. menus: what menus_new() gave. */
void menus_add_operation (GMenuModel *menus, const Op *op);
void menus_set_keys (GtkApplication *application);

#endif
