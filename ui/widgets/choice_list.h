/* SPDX-License-Identifier: MIT
 *
 * What to choose from where any number can be chosen, such as the properties to measure: in groups, each choice with what it
 * means, searched by typing. It shows and changes one parameter of one step of a document.
 */
#ifndef UI_WIDGETS_CHOICE_LIST_H
#define UI_WIDGETS_CHOICE_LIST_H

#include "core/document/document.h"

#include <gtk/gtk.h>

#define CHOICE_LIST_TYPE (choice_list_get_type ())
G_DECLARE_FINAL_TYPE (ChoiceList, choice_list, FOVEA, CHOICE_LIST, GtkBox)

/* param: of type FV_SET; it lives as long as the operation. */
GtkWidget *choice_list_new (Document *document, guint index, const fv_param *param);
/* The same in a popover, for a menu button in `near`'s window, where it has to fit. */
GtkWidget *choice_list_popover_new (Document *document, guint index, const fv_param *param, GtkWidget *near);
/* "8 of 69 chosen"; value as typed. Free with g_free(). */
char *choice_list_summary (const fv_param *param, const char *value);

#endif
