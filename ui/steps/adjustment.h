/* SPDX-License-Identifier: MIT
 *
 * A threshold that a method has found becomes one that is set by hand, at the same value.
 */
#ifndef UI_STEPS_ADJUSTMENT_H
#define UI_STEPS_ADJUSTMENT_H

#include "ui/view/view.h"

/* The threshold that the step which is looked at has found for the plane that is looked at; FALSE when it finds none. */
gboolean adjustment_found (const View *view, double *threshold);
/* The step `threshold` with that value takes its place. FALSE with *error. */
gboolean adjustment_take (View *view, GError **error);

/* Which values the step that is looked at takes, without end where it has none; FALSE when it is no threshold. manual: whether they are
 * set by hand. */
gboolean adjustment_range (const View *view, double *low, double *high, gboolean *manual);
/* Sets one end of a threshold that is set by hand. FALSE with *error. */
gboolean adjustment_set (View *view, gboolean upper, double value, GError **error);

#endif
