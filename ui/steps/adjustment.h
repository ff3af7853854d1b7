/* SPDX-License-Identifier: MIT
 *
 * A threshold that a method has found becomes one that is set by hand, at the same value.
 */
#ifndef UI_STEPS_ADJUSTMENT_H
#define UI_STEPS_ADJUSTMENT_H

#include "ui/view/view.h"

/* The step that is looked at when it is a threshold; else NULL. */
const Step *adjustment_step (const View *view);
/* What it takes, or is about to. */
Image *adjustment_taken (const View *view);
/* Whether that has found a threshold for the plane that is looked at. */
gboolean adjustment_found (const View *view);
/* Replaced by the manual step `threshold` that selects the same values. FALSE with *error. */
gboolean adjustment_take (View *view, GError **error);

/* Which values it takes of that plane, without limit where they are infinite; FALSE when that is not known. */
gboolean adjustment_range (const View *view, double *low, double *high);
/* Sets one end, from now on by hand; the other stays. FALSE with *error. */
gboolean adjustment_set (View *view, gboolean upper, double value, GError **error);

#endif
