/* SPDX-License-Identifier: MIT
 *
 * The form of the step that is looked at, made from its operation's declaration.
 */
#ifndef UI_STEPS_OP_FORM_H
#define UI_STEPS_OP_FORM_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define OP_FORM_TYPE (op_form_get_type ())
/* Signal: "failed" (text) when a change is refused. */
G_DECLARE_FINAL_TYPE (OpForm, op_form, FOVEA, OP_FORM, GtkBox)

GtkWidget *op_form_new (View *view);

#endif
