/* SPDX-License-Identifier: MIT
 *
 * What the window shows without an image: three doors, to a file, to a sample, to what was opened before.
 */
#ifndef UI_APP_START_PAGE_H
#define UI_APP_START_PAGE_H

#include "core/ops/module.h"

#include <gtk/gtk.h>

#define START_PAGE_TYPE (start_page_get_type ())
G_DECLARE_FINAL_TYPE (StartPage, start_page, FOVEA, START_PAGE, GtkBox)

GtkWidget *start_page_new (const Modules *modules);

#endif
