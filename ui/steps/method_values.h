/* SPDX-License-Identifier: MIT
 *
 * What each method of a threshold would find, beside its name in the list of methods.
 */
#ifndef UI_STEPS_METHOD_VALUES_H
#define UI_STEPS_METHOD_VALUES_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

/* choice: a narrow_choice_new() of the choices of the parameter, of the step that is looked at. Whenever it opens, they are found in a
 * thread for the plane that is looked at, or its stack, with the other arguments of the step as they are then. */
void method_values_offer (View *view, GtkWidget *choice, const fv_param *param);

#endif
