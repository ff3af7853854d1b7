/* SPDX-License-Identifier: MIT
 *
 * Marks in one corner stand above each other, the first in the corner.
 */
#include "core/figure/marks.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/figure/letters.h"

#include <math.h>

typedef struct {
  const FigureScene *scene;
  cairo_t *cr;
  double margin;
  double used[FIGURE_UPPER_LEFT + 1]; /* of the height, from each corner on */
} Marks;

/* ---- Corners ---- */

/* Where a mark of that size goes, darkened if wished. */
static void
position (Marks *m, FigureCorner corner, double width, double height, double *x, double *y)
{
  const FigureScene *s = m->scene;
  const gboolean right = corner == FIGURE_LOWER_RIGHT || corner == FIGURE_UPPER_RIGHT,
                 lower = corner <= FIGURE_LOWER_LEFT;
  const double from = m->margin + m->used[corner], room = 0.5 * m->margin;
  *x = right ? s->width - m->margin - width : m->margin;
  *y = lower ? s->height - from - height : from;
  m->used[corner] += height + m->margin;
  if (!s->choices.shade)
    return;
  cairo_set_source_rgba (m->cr, 0, 0, 0, 0.6);
  cairo_rectangle (m->cr, *x - room, *y - room, width + 2 * room, height + 2 * room);
  cairo_fill (m->cr);
}

static void
draw_words (Marks *m, FigureCorner corner, const char *words)
{
  double width, height, x, y;
  figure_letters_size (m->scene, words, &width, &height);
  position (m, corner, width, height, &x, &y);
  figure_letters_color (m->cr, m->scene->choices.color);
  figure_letters_draw (m->scene, m->cr, words, x, y);
}

/* ---- The scale bar ---- */

typedef struct {
  double length, pixels; /* in the unit */
  const char *unit;
} Bar;

static gboolean
find_bar (const FigureScene *s, Bar *bar, GError **error)
{
  const FigureChoices *c = &s->choices;
  const PlaneScale scale = plane_scale (image_info (s->image));
  const double factor = *c->bar_unit ? units_factor (scale.unit, c->bar_unit) : 1, pixel = scale.width * factor;
  bar->unit = *c->bar_unit ? c->bar_unit : scale.unit;
  if (!(factor > 0)) {
    step_error_set (error, FV_BAD_ARGUMENT, "bar_unit", "The scale bar cannot use %s, because the image uses %s.",
                    c->bar_unit, scale.unit);
    return FALSE;
  }
  bar->length = c->bar_length > 0 ? c->bar_length : range_round_length ((double) s->part.width * pixel / 4);
  bar->pixels = bar->length / pixel;
  if (bar->pixels <= (double) s->part.width)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "bar_length",
                  "A scale bar of %g %s does not fit: the visible area is %g %s wide.", bar->length, bar->unit,
                  (double) s->part.width * pixel, bar->unit);
  return FALSE;
}

/* Where nothing is drawn larger, its edges are those of dots. */
static double
snap (const FigureScene *s, double length)
{
  return s->vector ? length : round (length);
}

static gboolean
draw_bar (Marks *m, GError **error)
{
  const FigureScene *s = m->scene;
  const double thick = fmax (snap (s, s->choices.bar_height * s->point), 1);
  double width = 0, height = 0, gap = 0.25 * s->choices.size * s->point, x, y;
  Bar bar;
  if (!find_bar (s, &bar, error))
    return FALSE;
  g_autofree char *length = text_from_number (text_round (bar.length, 6)),
                  *words = g_strdup_printf ("%s %s", length, bar.unit);
  const double dots = fmax (snap (s, bar.pixels * s->zoom), 1);
  if (s->choices.bar_label)
    figure_letters_size (s, words, &width, &height);
  else
    gap = 0;
  position (m, (FigureCorner) s->choices.bar_place, fmax (dots, width), height + gap + thick, &x, &y);
  figure_letters_color (m->cr, m->scene->choices.color);
  if (s->choices.bar_label)
    figure_letters_draw (s, m->cr, words, x + (fmax (dots, width) - width) / 2, y);
  cairo_rectangle (m->cr, snap (s, x + (fmax (dots, width) - dots) / 2), snap (s, y + height + gap), dots, thick);
  cairo_fill (m->cr);
  return TRUE;
}

/* ---- The time ---- */

/* With as many decimals as the interval has, three at most. Free with g_free(). */
static char *
time_text (const FigureScene *s)
{
  const ImageInfo *info = image_info (s->image);
  const double interval = info->frame_interval;
  int decimals = 0;
  if (!(interval > 0))
    return g_strdup_printf ("Frame %" G_GINT64_FORMAT, s->position.frame + 1);
  while (decimals < 3 && fabs (interval * pow (10, decimals) - round (interval * pow (10, decimals))) > 1e-6)
    decimals++;
  return g_strdup_printf ("%.*f %s", decimals, (double) s->position.frame * interval,
                          *info->frame_unit ? info->frame_unit : "s");
}

gboolean
figure_marks_draw (const FigureScene *s, cairo_t *cr, GError **error)
{
  Marks m = {.scene = s, .cr = cr, .margin = snap (s, 0.75 * s->choices.size * s->point)};
  g_autofree char *time = time_text (s);
  if (s->choices.bar && !draw_bar (&m, error))
    return FALSE;
  if (*s->choices.text)
    draw_words (&m, (FigureCorner) s->choices.text_place, s->choices.text);
  if (s->choices.time)
    draw_words (&m, (FigureCorner) s->choices.time_place, time);
  return TRUE;
}
