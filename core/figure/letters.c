/* SPDX-License-Identifier: MIT
 *
 * Not hinted: text has the same shape and size at any resolution and in any format, regardless of screen settings.
 */
#include "core/figure/letters.h"

#include <pango/pangocairo.h>

static PangoLayout *
make_layout (const FigureScene *s, const char *words)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string (s->choices.font);
  cairo_font_options_t *options = cairo_font_options_create ();
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_font_description_set_absolute_size (font, s->choices.size * s->point * PANGO_SCALE);
  PangoLayout *layout = pango_layout_new (context);
  g_object_unref (context);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, words, -1);
  return layout;
}

void
figure_letters_size (const FigureScene *s, const char *words, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = make_layout (s, words);
  int w, h;
  pango_layout_get_size (layout, &w, &h);
  *width = (double) w / PANGO_SCALE;
  *height = (double) h / PANGO_SCALE;
}

void
figure_letters_draw (const FigureScene *s, cairo_t *cr, const char *words, double x, double y)
{
  g_autoptr (PangoLayout) layout = make_layout (s, words);
  cairo_move_to (cr, x, y);
  pango_cairo_show_layout (cr, layout);
}

void
figure_letters_color (cairo_t *cr, const char *color)
{
  PangoColor rgb;
  pango_color_parse (&rgb, color);
  cairo_set_source_rgb (cr, rgb.red / 65535.0, rgb.green / 65535.0, rgb.blue / 65535.0);
}
