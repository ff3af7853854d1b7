/* SPDX-License-Identifier: MIT
 *
 * One opened image in the window: canvas, steps, form, display and results, around one view.
 */
#ifndef UI_PAGE_H
#define UI_PAGE_H

#include "canvas.h"

#define PAGE_TYPE (page_get_type ())
/* Signals: "status" when what page_status() says has changed; "failed" (text) for what the user should know. */
G_DECLARE_FINAL_TYPE (Page, page, FOVEA, PAGE, GtkBox)

GtkWidget *page_new (Modules *modules, Document *document);
View *page_view (const Page *page);
Canvas *page_canvas (const Page *page);
/* Position, calibrated position and value under the pointer; then magnification, time and device. Free with g_free(). */
char *page_status (const Page *page);

#endif
