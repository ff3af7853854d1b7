/* SPDX-License-Identifier: MIT
 *
 * The wand: outlines the connected pixels that are about as bright as the one that is pressed. Pulling to the right takes more
 * of them, to the left fewer.
 */
#ifndef UI_SELECTION_WAND_H
#define UI_SELECTION_WAND_H

#include "ui/selection/selections.h"
#include "ui/view/view.h"

#define WAND_TYPE (wand_get_type ())
G_DECLARE_FINAL_TYPE (Wand, wand, FOVEA, WAND, GObject)

/* worker must live longer. */
Wand *wand_new (View *view, Selections *selections, Worker *worker);
/* Traces around the pixel, in the background, and makes the outline the current selection. */
void wand_press (Wand *wand, gint64 x, gint64 y);
/* The pointer is that many screen pixels right of where it was pressed. */
void wand_pull (Wand *wand, double distance);
/* Cancels the pending request. */
void wand_forget (Wand *wand);

#endif
