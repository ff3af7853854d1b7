/* SPDX-License-Identifier: MIT
 *
 * Stretches: how bright the operation `display` shows a value, as its page has them, for people to choose from and see as a curve.
 */
#ifndef CORE_VIEW_STRETCH_H
#define CORE_VIEW_STRETCH_H

#include <glib.h>

typedef enum { STRETCH_LINEAR, STRETCH_LOG, STRETCH_ASINH, STRETCH_SQRT, STRETCH_POWER, STRETCHES } Stretch;

/* The word of `display`. */
const char *stretch_word (Stretch stretch);
/* FALSE: there is none of that word. */
gboolean stretch_of_word (const char *word, Stretch *stretch);
/* What `a` is usually; 0: the stretch has none. */
double stretch_usual (Stretch stretch);
/* What else `a` may be; 0 and 0: the stretch has none. */
void stretch_limits (Stretch stretch, double *min, double *max);
/* How bright, 0 ... 1, a value is shown that lies so far, 0 ... 1, between the limits. */
double stretch_at (Stretch stretch, double a, double gamma, double position);

#endif
