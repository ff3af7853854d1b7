/* SPDX-License-Identifier: MIT
 *
 * Six hints beside what they are about, one after the other. They come by themselves once, when a sample is tried for the first time, and
 * else only when they are asked for.
 */
#ifndef UI_APP_TOUR_H
#define UI_APP_TOUR_H

#include "ui/shell/page.h"

#define TOUR_TYPE (tour_get_type ())
G_DECLARE_FINAL_TYPE (Tour, tour, FOVEA, TOUR, GtkBox)

/* Over the overlay, which takes it; not seen yet. */
Tour *tour_new (GtkOverlay *overlay);
/* Shows the first hint, about this page. */
void tour_begin (Tour *tour, Page *page);
/* Nothing of it is seen any more. */
void tour_end (Tour *tour);
/* Whether it has never been seen on this machine by this user. */
gboolean tour_is_new (void);

#endif
