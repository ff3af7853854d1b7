/* SPDX-License-Identifier: MIT
 *
 * Counts the values of what is looked at in a thread; the newest wish wins.
 */
#ifndef UI_VIEW_COUNTER_H
#define UI_VIEW_COUNTER_H

#include "core/data/plane.h"
#include "core/view/counts.h"
#include "core/view/look.h"

#include <glib-object.h>

#define COUNTER_TYPE (counter_get_type ())
/* Signal: "counted" when counter_last() is another one. */
G_DECLARE_FINAL_TYPE (Counter, counter, FOVEA, COUNTER, GObject)

/* Which planes of a channel are counted: one, all slices of its frame, or all of all frames. Of very many planes an evenly spread sample is counted. */
typedef enum CounterExtent { COUNTER_PLANE, COUNTER_STACK, COUNTER_ALL } CounterExtent;

typedef struct Counted {
  Counts counts;
  Range shown;    /* look_limits() of the plane */
  gboolean exact; /* no plane was too large to be read for that */
} Counted;

Counter *counter_new (void);
/* Counts them, unless they are counted or about to be. look: of the channel. */
void counter_ask (Counter *counter, Image *image, PlanePosition position, CounterExtent extent,
                  const ViewChannel *look);
/* Of what was asked for last, or before that; without counts at first. */
const Counted *counter_last (const Counter *counter);

#endif
