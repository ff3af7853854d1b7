/* SPDX-License-Identifier: MIT
 *
 * A bar for each channel that is seen, drawn as an image of values from the brightest to the darkest.
 */
#include "core/figure/marks.h"

#include "core/base/text.h"
#include "core/figure/letters.h"

#include <math.h>

enum { SHADES = 256 };

/* In letters' sizes. */
static const double gap = 0.75, thickness = 1, tick = 0.3, tick_gap = 0.2;

typedef struct {
  double first, step;
  int n;
} Ticks;

static gboolean
has_bar (const FigureScene *s, gint64 c)
{
  return s->choices.color_bar && s->limits && image_info (s->image)->role == FV_IMAGE && figure_scene_shows (s, c);
}

static Ticks
ticks_of (const FigureScene *s, gint64 c)
{
  Ticks t;
  t.n = range_ticks (s->limits[c], fmax (2, s->height / (3 * s->choices.size * s->point)), &t.first, &t.step);
  return t;
}

static char *
tick_text (const Ticks *t, int i)
{
  double value = (t->first + i) * t->step;
  return text_from_number (text_round (fabs (value) < t->step / 2 ? 0 : value, 6));
}

/* Of its widest number. */
static double
numbers_width (const FigureScene *s, gint64 c)
{
  const Ticks t = ticks_of (s, c);
  double max = 0, width, height;
  for (int i = 0; i < t.n; i++) {
    g_autofree char *text = tick_text (&t, i);
    figure_letters_size (s, text, &width, &height);
    max = fmax (max, width);
  }
  return max;
}

/* What the channel is called, where another one is called otherwise; or NULL. */
static const char *
name_of (const FigureScene *s, gint64 c)
{
  char *const *names = image_info (s->image)->channel_names;
  return names && image_info (s->image)->channels > 1 && *names[c] ? names[c] : NULL;
}

static double
bar_width (const FigureScene *s, gint64 c)
{
  double width = 0, height = 0;
  if (name_of (s, c))
    figure_letters_size (s, name_of (s, c), &width, &height);
  return (gap + thickness + tick + tick_gap) * s->choices.size * s->point + numbers_width (s, c) + height;
}

double
figure_bars_width (const FigureScene *s)
{
  double width = 0;
  for (gint64 c = 0; c < image_info (s->image)->channels; c++)
    if (has_bar (s, c))
      width += bar_width (s, c);
  return s->vector ? width : ceil (width);
}

/* The colors of channel c from the brightest down, in a column. NULL with *error. */
static cairo_surface_t *
make_colors (const FigureScene *s, gint64 c, Progress *progress, GError **error)
{
  const gint64 channels = image_info (s->image)->channels;
  const DisplayArea area = {0, 0, 1, 1, SHADES};
  ImageInfo info = {.type = FV_F64,
                    .role = FV_IMAGE,
                    .frames = 1,
                    .channels = channels,
                    .depth = 1,
                    .rows = SHADES,
                    .columns = 1,
                    .spacing = {1, 1, 1}};
  g_autofree ViewChannel *settings = g_memdup2 (s->settings, (gsize) channels * sizeof *settings);
  g_autofree Range *limits = g_new (Range, channels);
  g_autoptr (Image) values = image_new (&info, error);
  for (gint64 i = 0; i < channels; i++) {
    settings[i].hidden = i != c;
    limits[i] = i == c ? s->limits[c] : DISPLAY_HIDDEN;
  }
  for (gint64 i = 0; values && i < channels * SHADES; i++)
    ((double *) image_pixels (values))[i] = range_value (s->limits[c], 1 - (i % SHADES) / (SHADES - 1.0));
  return values ? figure_scene_display (s, values, NULL, settings, limits, &area, progress, error) : NULL;
}

static void
draw_colors (const FigureScene *s, cairo_t *cr, cairo_surface_t *colors, double x, double width)
{
  cairo_save (cr);
  cairo_rectangle (cr, x, 0, width, s->height);
  cairo_clip (cr);
  cairo_translate (cr, x, 0);
  cairo_scale (cr, width, s->height / SHADES);
  cairo_set_source_surface (cr, colors, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
draw_ticks (const FigureScene *s, cairo_t *cr, gint64 c, double x)
{
  const Ticks t = ticks_of (s, c);
  const double size = s->choices.size * s->point, line = 0.5 * s->point;
  for (int i = 0; i < t.n; i++) {
    double width, height, y = (1 - range_fraction (s->limits[c], (t.first + i) * t.step)) * s->height;
    g_autofree char *text = tick_text (&t, i);
    figure_letters_size (s, text, &width, &height);
    cairo_rectangle (cr, x, fmin (fmax (y - line / 2, 0), s->height - line), tick * size, line);
    cairo_fill (cr);
    figure_letters_draw (s, cr, text, x + (tick + tick_gap) * size,
                         fmin (fmax (y - height / 2, 0), s->height - height));
  }
}

/* The name, from the bottom to the top, its foot at x. */
static void
draw_name (const FigureScene *s, cairo_t *cr, const char *name, double x)
{
  double width, height;
  figure_letters_size (s, name, &width, &height);
  cairo_save (cr);
  cairo_translate (cr, x - height, (s->height + width) / 2);
  cairo_rotate (cr, -G_PI / 2);
  figure_letters_draw (s, cr, name, 0, 0);
  cairo_restore (cr);
}

gboolean
figure_bars_draw (const FigureScene *s, cairo_t *cr, double x, Progress *progress, GError **error)
{
  const double size = s->choices.size * s->point;
  for (gint64 c = 0; c < image_info (s->image)->channels; c++) {
    if (!has_bar (s, c))
      continue;
    cairo_surface_t *colors = make_colors (s, c, progress, error);
    if (!colors)
      return FALSE;
    double left = x + gap * size, width = thickness * size;
    if (!s->vector) {
      left = round (left);
      width = fmax (1, round (width));
    }
    draw_colors (s, cr, colors, left, width);
    cairo_surface_destroy (colors);
    cairo_set_source_rgb (cr, 0, 0, 0);
    draw_ticks (s, cr, c, left + width);
    x += bar_width (s, c);
    if (name_of (s, c))
      draw_name (s, cr, name_of (s, c), x);
  }
  return TRUE;
}
