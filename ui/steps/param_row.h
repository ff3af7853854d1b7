/* SPDX-License-Identifier: MIT
 *
 * One parameter of a step in a form: its label, a control made from its declaration, and what is wrong with what was typed.
 */
#ifndef UI_STEPS_PARAM_ROW_H
#define UI_STEPS_PARAM_ROW_H

#include "ui/view/view.h"

#include <gtk/gtk.h>

#define PARAM_ROW_TYPE (param_row_get_type ())
G_DECLARE_FINAL_TYPE (ParamRow, param_row, FOVEA, PARAM_ROW, GtkBox)

/* param lives as long as the operation. */
GtkWidget *param_row_new (Document *document, guint index, const fv_param *param);
/* Its check button, drop-down, entry or menu button. */
GtkWidget *param_row_control (ParamRow *row);
/* Shows the step's present value, unless the user is just changing it. */
void param_row_refresh (ParamRow *row);

#endif
