/* SPDX-License-Identifier: MIT
 *
 * How smoothly the window moves, for tests/bench/interaction.sh: with FOVEA_TIMES=FILE in the environment a line is written for
 * each event, "MICROSECONDS<tab>EVENT<tab>VALUE<tab>NOTES", on the clock of CLOCK_MONOTONIC. Without it nothing is done.
 *
 *   request  steps have changed, or an image was opened
 *   results  a run has ended
 *   table    the table shows other rows
 *   ask      a picture is asked for
 *   answer   it was made, or given up for a newer one; value: microseconds since then
 *   picture  a new picture was drawn; value: microseconds since it was asked for
 *   preview  the same, of a picture of steps whose results are still to come
 *   layout   GTK computed the layout of the window again
 *   progress the progress of a long run appears or disappears, for which the window is laid out
 *   paint    a frame is finished; value: microseconds from before-paint to after-paint
 *   shown    the newest request is on the screen, picture and table; value: microseconds since the request
 *   macro    a macro has ended; value: microseconds since it was to be stopped, -1: it was not
 *   stall    the main loop did not look for events for longer than 4 ms; value: microseconds; notes: microseconds of
 *            them that the main thread had a core, and what happened meanwhile
 */
#ifndef UI_WIDGETS_TIMES_H
#define UI_WIDGETS_TIMES_H

#include <gtk/gtk.h>

/* At the start of the program. */
void times_start (void);
void times_event (const char *event, gint64 value);
/* From now on something is asked for that is not shown yet. */
void times_request (void);
/* Whether all that was asked for has been drawn. */
typedef gboolean (*TimesSettled) (gconstpointer data);
/* Watches the frames of a window. */
void times_watch (GtkWidget *window, TimesSettled settled, gconstpointer data);

#endif
