/* SPDX-License-Identifier: MIT
 *
 * Stops are found as U. Ramer and D. Douglas with T. Peucker simplify lines: where a line between two is off most there is another.
 */
#include "core/view/lut_stops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAST = 255, OFF = 1 };

static void
mix (const LutStop *a, const LutStop *b, double at, guint8 rgb[3])
{
  const double part = a->at == b->at ? 0 : CLAMP ((at - a->at) / (b->at - a->at), 0, 1);
  for (int c = 0; c < 3; c++)
    rgb[c] = (guint8) (a->rgb[c] + part * (b->rgb[c] - a->rgb[c]) + 0.5);
}

void
lut_of_stops (const LutStop *stops, guint n, int steps, Lut *lut)
{
  for (int i = 0; i <= LAST; i++) {
    const double at = steps > LAST ? i : floor (i * steps / (LAST + 1.0)) * LAST / (steps - 1);
    guint next = 0;
    while (next < n - 1 && stops[next].at < at)
      next++;
    mix (&stops[next ? next - 1 : 0], &stops[next], at, lut->rgb[i]);
  }
}

static LutStop
stop_at (const Lut *lut, int at)
{
  LutStop stop = {.at = at};
  memcpy (stop.rgb, lut->rgb[at], sizeof stop.rgb);
  return stop;
}

/* Adds the stops needed between two positions, and the second one. */
static void
add_until (GArray *stops, const Lut *lut, int first, int last)
{
  const LutStop a = stop_at (lut, first), b = stop_at (lut, last);
  int max = OFF, where = -1;
  for (int i = first + 1; i < last; i++) {
    guint8 rgb[3];
    mix (&a, &b, i, rgb);
    for (int c = 0; c < 3; c++)
      if (abs (rgb[c] - lut->rgb[i][c]) > max) {
        max = abs (rgb[c] - lut->rgb[i][c]);
        where = i;
      }
  }
  if (where >= 0) {
    add_until (stops, lut, first, where);
    add_until (stops, lut, where, last);
  } else
    g_array_append_val (stops, b);
}

GArray *
lut_stops_of (const Lut *lut)
{
  GArray *stops = g_array_new (FALSE, FALSE, sizeof (LutStop));
  const LutStop first = stop_at (lut, 0);
  g_array_append_val (stops, first);
  add_until (stops, lut, 0, LAST);
  return stops;
}

void
lut_stops_reverse (GArray *stops)
{
  LutStop *s = (LutStop *) (gpointer) stops->data;
  for (guint i = 0, k = stops->len - 1; i < k; i++, k--) {
    const LutStop kept = s[i];
    s[i] = s[k];
    s[k] = kept;
  }
  for (guint i = 0; i < stops->len; i++)
    s[i].at = LAST - s[i].at;
}

void
lut_stops_invert (GArray *stops)
{
  for (guint i = 0; i < stops->len; i++)
    for (int c = 0; c < 3; c++) {
      guint8 *value = &g_array_index (stops, LutStop, i).rgb[c];
      *value = (guint8) (LAST - *value);
    }
}
