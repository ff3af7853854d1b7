/* SPDX-License-Identifier: MIT
 *
 * What a figure is to look like, as a form made from the declaration of the choices.
 */
#ifndef UI_FIGURE_FORM_H
#define UI_FIGURE_FORM_H

#include "core/figure/choices.h"

#include <gtk/gtk.h>

#define FIGURE_FORM_TYPE (figure_form_get_type ())
/* Signal: "changed" when something was chosen that can be. */
G_DECLARE_FINAL_TYPE (FigureForm, figure_form, FOVEA, FIGURE_FORM, GtkBox)

/* Changes the choices, which must live longer; those that say what is looked at are left out. */
GtkWidget *figure_form_new (FigureChoices *choices);
/* Whether a key says how a figure looks, and not what of the image is looked at. */
gboolean figure_form_has (const char *key);

#endif
