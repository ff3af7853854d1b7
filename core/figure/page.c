/* SPDX-License-Identifier: MIT
 *
 * Panels of slices or frames have the same contrast: automatic limits are those of all of them. The text is in the
 * first panel, the scale bar in the last one, and color bars are beside them all.
 */
#include "core/figure/page.h"

#include "core/base/error.h"
#include "core/figure/marks.h"
#include "core/figure/outlines.h"
#include "core/figure/shapes.h"
#include "core/view/look_limits.h"
#include "core/view/shown_range.h"

#include <math.h>

enum { MAX_PANELS = 400 };

static const double gap = 3; /* points between panels */

/* ---- Panels ---- */

/* Channels come one after the other, and at last all together. */
static gint64
count_panels (const ImageInfo *info, const FigureChoices *c)
{
  switch (c->panels) {
  case FIGURE_CHANNELS: return info->role == FV_RGB || info->channels == 1 ? 1 : info->channels + 1;
  case FIGURE_SLICES: return info->depth;
  case FIGURE_FRAMES: return info->frames;
  default: return 1;
  }
}

static int
columns_of (const FigureChoices *c, gint64 n)
{
  return (int) MIN (n, c->panel_columns > 0 ? c->panel_columns : ceil (sqrt ((double) n)));
}

/* What panel i of n shows. */
static void
turn_to (FigureChoices *c, gint64 i, gint64 n)
{
  if (n == 1)
    return;
  if (c->panels == FIGURE_CHANNELS) {
    c->mode = i < n - 1 ? FIGURE_SINGLE : FIGURE_COMPOSITE;
    c->channel = (int32_t) MIN (i, n - 2);
  } else if (c->panels == FIGURE_SLICES)
    c->slice = (int32_t) i;
  else
    c->frame = (int32_t) i;
  c->bar = c->bar && i == n - 1;
  if (i > 0)
    *c->text = 0;
}

/* ---- Limits ---- */

/* The least and the greatest value of a channel in all panels. */
static gboolean
find_range (Image *image, const FigureChoices *choices, gint64 n, gint64 channel, const ViewChannel *look, Range *all,
            GError **error)
{
  const ImageInfo *info = image_info (image);
  ViewChannel own = *look;
  own.by_plane = TRUE;
  *all = (Range){INFINITY, -INFINITY};
  for (gint64 i = 0; i < n; i++) {
    Range range;
    PlanePosition position = {channel, choices->slice, choices->frame};
    *(choices->panels == FIGURE_SLICES ? &position.slice : &position.frame) = i;
    if (!look_limits (&own, image, plane_number (info, plane_within (info, position)), &range, error))
      return FALSE;
    *all = (Range){fmin (all->low, range.low), fmax (all->high, range.high)};
  }
  return TRUE;
}

static gboolean
share_limits (Image *image, FigureChoices *c, gint64 n, GError **error)
{
  const ImageInfo *info = image_info (image);
  g_autoptr (GArray) settings =
    *c->display ? look_parse (c->display) : g_array_new (FALSE, FALSE, sizeof (ViewChannel));
  Range range;
  if (!look_examine (image, error))
    return FALSE;
  for (gint64 i = 0; i < info->channels; i++) {
    if (i >= settings->len) {
      const ViewChannel look = look_of_image (image, i);
      g_array_append_val (settings, look);
    }
    ViewChannel *look = &g_array_index (settings, ViewChannel, i);
    if (!look->automatic || shown_range_known (info->type, &range))
      continue;
    if (!find_range (image, c, n, i, look, &range, error))
      return FALSE;
    if (range.high > range.low) {
      look->automatic = look->zscale = FALSE;
      look->low = range.low;
      look->high = range.high;
    }
  }
  g_autofree char *text = look_format ((const ViewChannel *) (gconstpointer) settings->data, settings->len);
  g_strlcpy (c->display, text, sizeof c->display);
  return TRUE;
}

/* ---- The page ---- */

/* How many panels there are; 0 with *error. */
static gint64
check_panels (Image *image, const FigureChoices *c, GError **error)
{
  const gint64 n = count_panels (image_info (image), c);
  if (n <= MAX_PANELS)
    return n;
  step_error_set (error, FV_BAD_ARGUMENT, "panels",
                  "%" G_GINT64_FORMAT " panels are too many for a figure: %d at most.", n, MAX_PANELS);
  return 0;
}

gboolean
figure_page_size (Image *image, const FigureChoices *c, double *width, double *height, GError **error)
{
  const gint64 n = check_panels (image, c, error);
  if (!n || !figure_scene_size (image, c, width, height, error))
    return FALSE;
  const int columns = columns_of (c, n);
  const double between = gap * c->dpi / 72;
  *width = columns * (*width + between) - between;
  *height = ceil ((double) n / columns) * (*height + between) - between;
  return TRUE;
}

static gboolean
add_panels (FigurePage *page, const FigureInputs *inputs, const FigureChoices *choices, gint64 n, gboolean vector,
            Progress *progress, GError **error)
{
  for (gint64 i = 0; i < n; i++) {
    g_autofree FigureChoices *c = g_memdup2 (choices, sizeof *c);
    turn_to (c, i, n);
    FigureScene *scene = figure_scene_new (inputs, c, vector, progress, error);
    if (!scene)
      return FALSE;
    g_ptr_array_add (page->panels, scene);
  }
  return TRUE;
}

FigurePage *
figure_page_new (const FigureInputs *inputs, const FigureChoices *choices, gboolean vector, Progress *progress,
                 GError **error)
{
  const gint64 n = check_panels (inputs->image, choices, error);
  g_autoptr (FigurePage) page = g_new0 (FigurePage, 1);
  g_autofree FigureChoices *c = g_memdup2 (choices, sizeof *c);
  page->panels = g_ptr_array_new_with_free_func ((GDestroyNotify) figure_scene_free);
  if (!n || (n > 1 && c->panels != FIGURE_CHANNELS && !share_limits (inputs->image, c, n, error))
      || !add_panels (page, inputs, c, n, vector, progress, error))
    return NULL;
  const FigureScene *last = page->panels->pdata[n - 1];
  page->columns = columns_of (c, n);
  page->point = last->point;
  page->gap = vector ? gap * last->point : round (gap * last->point);
  page->width = page->columns * (last->width + page->gap) - page->gap + figure_bars_width (last);
  page->height = ceil ((double) n / page->columns) * (last->height + page->gap) - page->gap;
  return g_steal_pointer (&page);
}

void
figure_page_free (FigurePage *page)
{
  g_ptr_array_unref (page->panels);
  g_free (page);
}

/* ---- Drawing ---- */

static void
draw_pixels (const FigureScene *s, cairo_t *cr)
{
  cairo_save (cr);
  cairo_scale (cr, s->pixel_zoom, s->pixel_zoom);
  cairo_set_source_surface (cr, s->pixels, 0, 0);
  cairo_pattern_set_extend (cairo_get_source (cr), s->choices.smooth ? CAIRO_EXTEND_PAD : CAIRO_EXTEND_NONE);
  cairo_pattern_set_filter (cairo_get_source (cr), s->choices.smooth ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

static gboolean
draw_panel (const FigureScene *s, cairo_t *cr, Progress *progress, GError **error)
{
  cairo_rectangle (cr, 0, 0, s->width, s->height);
  cairo_clip (cr);
  draw_pixels (s, cr);
  cairo_save (cr);
  gboolean drawn = !s->labels || figure_outlines_draw (s, cr, progress, error);
  cairo_restore (cr);
  return drawn && figure_shapes_draw (s, cr, error) && figure_marks_draw (s, cr, error);
}

gboolean
figure_page_draw (const FigurePage *page, cairo_t *cr, Progress *progress, GError **error)
{
  gboolean drawn = TRUE;
  const FigureScene *s = NULL;
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  for (guint i = 0; i < page->panels->len && drawn; i++) {
    s = page->panels->pdata[i];
    cairo_save (cr);
    cairo_translate (cr, (int) i % page->columns * (s->width + page->gap),
                     (int) i / page->columns * (s->height + page->gap));
    drawn = draw_panel (s, cr, progress, error);
    cairo_restore (cr);
  }
  return drawn && figure_bars_draw (s, cr, page->width - figure_bars_width (s), progress, error);
}
