/* SPDX-License-Identifier: MIT
 *
 * A look-up table as a band of its colors, with the stops that make it, which are dragged.
 */
#ifndef UI_LOOK_LUT_BAND_H
#define UI_LOOK_LUT_BAND_H

#include "core/view/lut_stops.h"

#include <gtk/gtk.h>

#define LUT_BAND_TYPE (lut_band_get_type ())
/* Signals: "changed" when a stop has moved, came or went, "chosen" when another one is. */
G_DECLARE_FINAL_TYPE (LutBand, lut_band, FOVEA, LUT_BAND, GtkWidget)

GtkWidget *lut_band_new (void);
/* What is drawn. */
void lut_band_set_colors (LutBand *band, const Lut *lut);
/* Takes the array of LutStop; the first one is chosen. */
void lut_band_take_stops (LutBand *band, GArray *stops);
/* The stops as they are now; of the band, and whose colors may be changed. */
GArray *lut_band_stops (LutBand *band);
guint lut_band_chosen (const LutBand *band);
void lut_band_choose (LutBand *band, guint stop);
/* Moves the selected stop to that position, between its neighbors. */
void lut_band_move (LutBand *band, int at);
/* Adds a stop at a free position, with the color there, or halfway to the next one, and selects it. */
void lut_band_add (LutBand *band, int at);
void lut_band_add_beside (LutBand *band);
/* The chosen one goes; the last one stays. */
void lut_band_remove (LutBand *band);

#endif
