/* SPDX-License-Identifier: MIT
 *
 * Restricting a step to a selection.
 */
#ifndef UI_STEPS_RESTRICT_H
#define UI_STEPS_RESTRICT_H

#include "core/selection/selection.h"
#include "ui/view/view.h"

/* Restricts the current step to an area. A step that measures gets only the objects inside. For a step that makes an image the outside becomes what
 * it was, or 0 for masks, labels and other images that do not match the one before. FALSE with *error. */
gboolean restrict_to_selection (View *view, const Selection *selection, GError **error);

#endif
