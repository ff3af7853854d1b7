/* SPDX-License-Identifier: MIT
 *
 * All commands of the window in one list that is searched while typing.
 */
#ifndef UI_APP_COMMAND_FINDER_H
#define UI_APP_COMMAND_FINDER_H

#include "core/ops/module.h"

#include <gtk/gtk.h>

/* Shows the finder over a window; the command that is chosen is activated there. */
void command_finder_show (GtkWindow *window, const Modules *modules);

#endif
