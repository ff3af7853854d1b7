/* SPDX-License-Identifier: MIT
 */
#include "ui/figure/looked_at.h"

#include "core/base/settings.h"
#include "core/base/text.h"
#include "core/ops/args.h"

#include <math.h>
#include <string.h>

static const char group[] = "Figures", key[] = "choices";

gboolean
looked_at_has (const fv_param *param)
{
  static const char *const keys[] = {"step",  "labels", "part",    "mode",       "channel",
                                     "slice", "frame",  "display", "selections", NULL};
  return g_strv_contains (keys, param->key);
}

static void
take_kept (FigureChoices *c)
{
  g_autofree char *kept = settings_get (settings_of_user (), group, key);
  g_auto (GStrv) words = kept ? text_words (kept, NULL) : NULL;
  g_autofree FigureChoices *with = g_memdup2 (c, sizeof *c);
  if (words && figure_choices_set (with, (const char *const *) words, NULL))
    *c = *with;
}

void
looked_at_keep (const FigureChoices *choices)
{
  const Op *op = figure_op ();
  g_autofree FigureChoices *usual = figure_choices_new (), *kept = g_memdup2 (choices, sizeof *choices);
  g_autoptr (GError) error = NULL;
  for (guint i = 0; i < op->n_params; i++) {
    const fv_param *p = &op->fv.params[i];
    g_autofree char *value = args_get (usual, p);
    if (looked_at_has (p) || !g_strcmp0 (p->key, "text")) /* that is of this image */
      args_set (op, kept, p->key, value, NULL);
  }
  g_autofree char *text = args_format (op, kept, NULL);
  if (!settings_set (settings_of_user (), group, key, text, &error))
    g_info ("The settings of figures cannot be saved: %s", error->message);
}

void
looked_at_take (FigureChoices *c, const Page *page)
{
  const View *view = page_view (page);
  const PlanePosition position = view_plane (view);
  g_autofree char *settings = view_display_settings (view);
  c->step = view_index (view) + 1;
  c->mode = view_composite (view) ? FIGURE_COMPOSITE : FIGURE_SINGLE;
  c->channel = (int32_t) position.channel;
  c->slice = (int32_t) position.slice;
  c->frame = (int32_t) position.frame;
  if (g_strlcpy (c->display, settings, sizeof c->display) >= sizeof c->display)
    *c->display = 0;
}

/* A threshold is seen as in the window, and outlines that are not seen there are not drawn. */
static void
take_objects (FigureChoices *c, const View *view)
{
  if (view_mask (view)) {
    c->objects = FIGURE_FILL;
    c->opacity = 0.75;
  } else if (view_overlay (view) <= 0)
    c->objects = FIGURE_NO_OBJECTS;
}

static void
set_part (FigureChoices *c, double left, double top, double right, double bottom)
{
  const SelectionPoint corners[2] = {{left, top}, {right, bottom}};
  g_autoptr (Selection) box = selection_new (SELECTION_RECTANGLE, 2, corners);
  g_autofree char *text = selection_format (box);
  g_strlcpy (c->part, text, sizeof c->part);
}

gboolean
looked_at_take_part (FigureChoices *c, const Page *page, FigurePart part)
{
  const ImageInfo *info = image_info (view_image (page_view (page)));
  const Selection *selection = selections_current (page_selections (page));
  *c->part = 0;
  if (part == FIGURE_SEEN) {
    const PaintArea a = canvas_area (page_canvas (page));
    set_part (c, fmax (0, floor (a.x)), fmax (0, floor (a.y)),
              fmin ((double) info->columns, ceil (a.x + a.width / a.zoom)),
              fmin ((double) info->rows, ceil (a.y + a.height / a.zoom)));
  } else if (part == FIGURE_SELECTED && selection) {
    const PlanePart box = selection_part (selection, info, 0);
    set_part (c, (double) box.x, (double) box.y, (double) (box.x + box.width), (double) (box.y + box.height));
  }
  return part != FIGURE_SELECTED || selection;
}

static gboolean
is_here (const Selection *s, const View *view)
{
  return (s->slice < 0 || s->slice == view_slice (view)) && (s->frame < 0 || s->frame == view_frame (view))
         && (s->channel < 0 || view_composite (view) || s->channel == view_channel (view));
}

gboolean
looked_at_take_selections (FigureChoices *c, const Page *page, gboolean any)
{
  const Selections *all = page_selections (page);
  const guint n = any && selections_shown (all) ? selections_length (all) : 0;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean whole = TRUE;
  for (guint i = 0; i <= n; i++) { /* the current one at last, of which a kept one may be the copy */
    const Selection *s = i < n ? selections_kept (all, i) : any ? selections_current (all) : NULL;
    if (!s || (i < n && ((int) i == selections_chosen (all) || !is_here (s, page_view (page)))))
      continue;
    g_autofree char *shape = selection_format (s);
    if (text->len + strlen (shape) + 2 >= sizeof c->selections)
      whole = FALSE;
    else
      g_string_append_printf (text, "%s%s", text->len ? ";" : "", shape);
  }
  g_strlcpy (c->selections, text->str, sizeof c->selections);
  return whole;
}

FigureChoices *
looked_at_choices (const Page *page)
{
  FigureChoices *c = figure_choices_new ();
  take_kept (c);
  looked_at_take (c, page);
  take_objects (c, page_view (page));
  return c;
}
