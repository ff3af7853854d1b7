/* SPDX-License-Identifier: MIT
 *
 * What to choose from where any number can be chosen, such as the properties to measure: in groups, each choice with what it
 * means, searched by typing.
 */
#ifndef UI_FORM_CHOICE_LIST_H
#define UI_FORM_CHOICE_LIST_H

#include "ui/form/param_source.h"

#include <gtk/gtk.h>

#define CHOICE_LIST_TYPE (choice_list_get_type ())
G_DECLARE_FINAL_TYPE (ChoiceList, choice_list, FOVEA, CHOICE_LIST, GtkBox)

/* In a popover, for a menu button in `near`'s window, where it has to fit. param: of type FV_SET. source and param must live longer. */
GtkWidget *choice_list_popover_new (const ParamSource *source, const fv_param *param, GtkWidget *near);
/* Shows the present value, and what the last run found wrong with it. */
void choice_list_refresh (ChoiceList *self);

#endif
