/* SPDX-License-Identifier: MIT
 *
 * Names of the entries of all menus, for those who hear and do not see them: since 4.10 GTK hides the labels that name them.
 */
#ifndef UI_WIDGETS_MENU_NAMES_H
#define UI_WIDGETS_MENU_NAMES_H

/* Once, after GTK's start. */
void menu_names_start (void);

#endif
