/* SPDX-License-Identifier: MIT
 *
 * What the second button of the mouse gives, on the image, its tab, a step and a selection: items of the menus, with their keys.
 */
#ifndef UI_APP_CONTEXT_MENUS_H
#define UI_APP_CONTEXT_MENUS_H

#include "ui/shell/shell.h"

void context_menus_add (Page *page);
/* tabs: what tabs_new() gave. */
void context_menus_add_tabs (GtkNotebook *tabs);

#endif
