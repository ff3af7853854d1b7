/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/paint_preview.h"

#include "core/run/shown.h"

#include <math.h>

PaintPreview *
paint_preview_new (const View *view)
{
  Document *document = view_document (view);
  const Recipe *recipe = document_recipe (document);
  const int index = view_index (view);
  PaintPreview *p = g_new (PaintPreview, 1);
  *p = (PaintPreview){run_new (recipe, document_source (document), RUN_KEEP_ALL),
                      index,
                      view_threshold (view) != VIEW_MASK,
                      index < 0 ? 0 : view_upper (view, recipe_step (recipe, (guint) index)),
                      view_slice (view),
                      view_frame (view),
                      view_overlay (view),
                      view_provisional (view)};
  run_continue (p->run, document_run (document));
  return p;
}

void
paint_preview_free (PaintPreview *p)
{
  if (!p)
    return;
  run_free (p->run);
  g_free (p);
}

static PreviewArea
area_of (const PaintPreview *p, const PaintArea *a)
{
  return (PreviewArea){a->x, a->y, a->width / a->zoom, a->height / a->zoom, a->zoom, p->slice, p->frame};
}

gboolean
paint_preview_make (const PaintPreview *p, PreviewCache *cache, const PaintArea *area, Device *cpu, PaintPart *part)
{
  const PreviewArea seen = area_of (p, area);
  g_autoptr (GError) error = NULL;
  Image *from;
  if (!p->late && !preview_pays (p->run, cpu))
    return FALSE;
  if (!(part->preview = preview_make (cache, p->run, p->index, &seen, cpu, &error))) {
    g_debug ("no preview: %s", error->message);
    return FALSE;
  }
  const Preview *made = part->preview;
  part->image = run_image_at (made->run, p->index);
  if (p->over && (from = shown_thresholded (made->run, p->index))) {
    part->labels = part->image;
    part->image = from;
    part->mask = TRUE;
    part->upper = p->upper;
  } else
    part->labels = shown_labels (made->run, p->index, part->image);
  part->objects = shown_is_objects (made->run, p->index, part->image);
  part->area = *area;
  part->area.x = ldexp (area->x, -(int) made->level) - (double) made->region.column;
  part->area.y = ldexp (area->y, -(int) made->level) - (double) made->region.row;
  part->area.zoom = ldexp (area->zoom, (int) made->level);
  return TRUE;
}

void
paint_part_clear (PaintPart *part)
{
  g_clear_pointer (&part->preview, preview_free);
}

void
paint_preview_prepare (const PaintPreview *p, PreviewCache *cache, const PaintArea *area)
{
  const PreviewArea seen = area_of (p, area);
  preview_prepare (cache, p->run, p->index, &seen);
}
