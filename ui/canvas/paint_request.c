/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/paint_request.h"

void
paint_request_clear (PaintRequest *r)
{
  image_unref (r->image);
  image_unref (r->labels);
  image_unref (r->objects);
  table_unref (r->table);
  g_clear_pointer (&r->chosen, g_array_unref);
  g_free (r->settings);
  g_clear_pointer (&r->kept, g_bytes_unref);
  paint_free (r->paint);
  g_clear_error (&r->fault);
  paint_part_clear (&r->part);
}

/* What another image looks like beside one that looks so: limits of an image of another kind say nothing of it. */
static ViewChannel *
settings_for (Image *image, const ImageInfo *known, const ViewChannel *settings)
{
  const ImageInfo *info = image_info (image);
  const gboolean like = known->type == info->type && known->role == info->role;
  ViewChannel *own = g_new0 (ViewChannel, info->channels);
  for (gint64 c = 0; c < info->channels; c++)
    own[c] = like && c < known->channels ? settings[c] : look_of_image (image, c);
  return own;
}

/* Of one of its images. */
static PaintRequest
request_of (const View *view, Image *image, const PaintArea *area)
{
  return (PaintRequest){.asked = g_get_monotonic_time (),
                        .area = *area,
                        .image = image_ref (image),
                        .channel = MIN (view_channel (view), image_info (image)->channels - 1),
                        .slice = view_slice (view),
                        .frame = view_frame (view),
                        .composite = view_composite (view),
                        .threshold = view_threshold (view)};
}

PaintRequest
paint_request_shown (const View *view, const PaintArea *area)
{
  Image *image = view_image (view), *labels = view_mask (view) ? NULL : view_labels (view);
  PaintRequest r = request_of (view, image, area);
  r.overlay = view_shows_objects (view) ? 0 : view_overlay (view);
  r.colors = view_shows_objects (view);
  r.object = view_object (view);
  r.chosen = g_array_copy ((GArray *) view_chosen (view));
  r.objects = r.object && view_objects (view) ? image_ref (view_objects (view)) : NULL;
  r.table = r.objects && view_objects_table (view) ? table_ref (view_objects_table (view)) : NULL;
  r.settings = g_memdup2 (view_look (view, 0), (gsize) image_info (image)->channels * sizeof (ViewChannel));
  if (labels && labels != image && (r.overlay > 0 || view_kept (view, labels)))
    r.labels = image_ref (labels);
  if (labels && (r.colors || r.overlay > 0) && view_kept (view, labels))
    r.kept = g_bytes_ref (view_kept (view, labels));
  if (view_mask (view)) {
    r.labels = image_ref (view_mask (view));
    r.masked = TRUE;
    r.upper = view_upper (view, run_result (document_run (view_document (view)), (guint) view_index (view))->step);
    r.overlay = 0;
  }
  return r;
}

PaintRequest
paint_request_before (const View *view, const PaintArea *area)
{
  Image *before = view_before (view);
  PaintRequest r = request_of (view, before, area);
  r.settings = settings_for (before, image_info (view_image (view)), view_look (view, 0));
  return r;
}

static void
take (Image **to, Image *image)
{
  if (image)
    image_ref (image);
  image_unref (*to);
  *to = image;
}

/* Objects of a part have numbers of their own. */
void
paint_request_take_part (PaintRequest *r, double overlay)
{
  const PaintPart *part = &r->part;
  g_autofree ViewChannel *before = g_steal_pointer (&r->settings);
  r->settings = settings_for (part->image, image_info (r->image), before);
  r->channel = MIN (r->channel, image_info (part->image)->channels - 1);
  r->masked = part->mask;
  r->upper = part->upper;
  r->overlay = part->objects || part->mask ? 0 : overlay;
  take (&r->image, part->image);
  take (&r->labels, part->mask || (part->labels != part->image && r->overlay > 0) ? part->labels : NULL);
  take (&r->objects, NULL);
  g_clear_pointer (&r->kept, g_bytes_unref);
  r->slice = image_info (part->image)->depth > 1 ? part->preview->slice : 0;
  r->frame = 0;
}
