/* SPDX-License-Identifier: MIT
 *
 * A form made from the declaration of parameters. The rarely used ones are folded away under "More".
 */
#ifndef UI_FORM_PARAM_FORM_H
#define UI_FORM_PARAM_FORM_H

#include "ui/form/param_source.h"

#include <gtk/gtk.h>

#define PARAM_FORM_TYPE (param_form_get_type ())
G_DECLARE_FINAL_TYPE (ParamForm, param_form, FOVEA, PARAM_FORM, GtkBox)

/* Labels are as wide as the longest one, between `least` and `most` letters; longer ones wrap. */
GtkWidget *param_form_new (const ParamSource *source, int least, int most);
/* Adds n parameters, which must live longer than the form. */
void param_form_add (ParamForm *form, const fv_param *params, guint n);
/* Adds a line that is not of a parameter. */
void param_form_add_line (ParamForm *form, const char *label, GtkWidget *control);
/* Whether "More" is open by the user's wish; it opens, too, when something in it is not at its default. */
gboolean param_form_unfolded (const ParamForm *form);
void param_form_unfold (ParamForm *form, gboolean unfolded);

/* Gives the row of a parameter another label, which is shown as it is. */
void param_form_rename (ParamForm *form, const fv_param *param, const char *label);

/* Shows the present values. */
void param_form_refresh (ParamForm *form);
/* Shows what the last run found wrong. */
void param_form_mark (ParamForm *form);
/* FALSE: a control holds what could not be read, and the first one has the focus now. */
gboolean param_form_check (ParamForm *form);
/* The check button, drop-down, menu button or entry of a parameter. */
GtkWidget *param_form_control (const ParamForm *form, const fv_param *param);

#endif
