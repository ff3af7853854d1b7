/* SPDX-License-Identifier: MIT
 *
 * A tab for each opened image, with a button that closes it, in one row with the menus. Without an image there is a page to begin with.
 */
#ifndef UI_APP_TABS_H
#define UI_APP_TABS_H

#include "ui/shell/page.h"

/* menus stand before the tabs; start: what is shown without an image. Both are taken. */
GtkNotebook *tabs_new (GtkWidget *menus, GtkWidget *start);
/* The tab has the image's name. close (page): the user wants it closed. */
void tabs_add (GtkNotebook *tabs, Page *page, void (*close) (Page *page));
void tabs_remove (GtkNotebook *tabs, Page *page);
void tabs_bring (GtkNotebook *tabs, Page *page);
/* Another page is in front: those that have not been there for long rest. */
void tabs_turned (GtkNotebook *tabs);
/* The front page; the page at index i; the page of a document. NULL if it does not exist. */
Page *tabs_front (GtkNotebook *tabs);
Page *tabs_page (GtkNotebook *tabs, int i);
Page *tabs_page_of (GtkNotebook *tabs, const Document *document);
/* Of all pages, as they stand. Free with g_ptr_array_unref(). */
GPtrArray *tabs_documents (GtkNotebook *tabs);

#endif
