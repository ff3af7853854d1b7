/* SPDX-License-Identifier: MIT
 *
 * A tab for each opened image, with a button that closes it.
 */
#ifndef UI_APP_TABS_H
#define UI_APP_TABS_H

#include "ui/shell/page.h"

GtkNotebook *tabs_new (void);
/* The tab has the image's name. close (page): the user wants it closed. */
void tabs_add (GtkNotebook *tabs, Page *page, void (*close) (Page *page));
void tabs_remove (GtkNotebook *tabs, Page *page);
void tabs_bring (GtkNotebook *tabs, Page *page);
/* The page in front; the one at place i; the one of a document. NULL: there is none. */
Page *tabs_front (GtkNotebook *tabs);
Page *tabs_page (GtkNotebook *tabs, int i);
Page *tabs_page_of (GtkNotebook *tabs, const Document *document);
/* Of all pages, as they stand. Free with g_ptr_array_unref(). */
GPtrArray *tabs_documents (GtkNotebook *tabs);

#endif
