/* SPDX-License-Identifier: MIT
 *
 * The page of an operation, made from its declaration, in one window that is used again.
 */
#ifndef UI_APP_HELP_H
#define UI_APP_HELP_H

#include "core/ops/module.h"

#include <gtk/gtk.h>

/* key: the operation; NULL: how numbers and types are to be read. modules must live longer than the window. */
void help_page_show (GtkWindow *window, const Modules *modules, const char *key);

#endif
