/* SPDX-License-Identifier: MIT
 *
 * The slider of a number: its positions are the value, or its logarithm.
 */
#ifndef UI_FORM_PARAM_SLIDER_H
#define UI_FORM_PARAM_SLIDER_H

#include "ui/form/param_source.h"

#include <gtk/gtk.h>

#define PARAM_SLIDER_TYPE (param_slider_get_type ())
/* Signal: "moved" (double) by the user, after the frame in which it moved. */
G_DECLARE_FINAL_TYPE (ParamSlider, param_slider, FOVEA, PARAM_SLIDER, GtkScale)

/* NULL: the range has no two ends. */
GtkWidget *param_slider_new (const ParamSource *source, const fv_param *param);
/* Moves it to the number, unless it says that number already, as while it is dragged. */
void param_slider_show (ParamSlider *slider, double number);

#endif
