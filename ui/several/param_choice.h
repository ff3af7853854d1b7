/* SPDX-License-Identifier: MIT
 *
 * A parameter of a step that is one of a few or on or off, in a dialog that makes the step.
 */
#ifndef UI_SEVERAL_PARAM_CHOICE_H
#define UI_SEVERAL_PARAM_CHOICE_H

#include "core/ops/op.h"

#include <gtk/gtk.h>

/* A drop-down or a check button, as first shown. Calls changed (object). */
GtkWidget *param_choice_new (const fv_param *param, GCallback changed, gpointer object);
/* As steps have it: "subtract", "yes". */
const char *param_choice_value (GtkWidget *choice, const fv_param *param);

#endif
