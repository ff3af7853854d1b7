/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/paint_draw.h"

#include "core/figure/display_args.h"
#include "core/measure/object_find.h"
#include "core/run/call_op.h"
#include "core/view/shown_range.h"
#include "ui/canvas/paint_fade.h"
#include "ui/canvas/paint_object.h"

/* Whether anything of a channel is to be seen. */
static gboolean
is_seen (const PaintRequest *r, const ImageInfo *info, gint64 c)
{
  return r->composite || info->role == FV_RGB ? !r->looks[c].hidden : c == r->channel;
}

/* Those of the last whole image, so that the picture does not change when the whole is there; where that is another kind of image,
 * of the part. */
static gboolean
find_part_limits (const PaintRequest *r, const ImageInfo *info, gint64 c, Range *limits, GError **error)
{
  if (paint_sources_are_like (r->sources, info))
    return paint_sources_range (r->sources, c, limits, error);
  *limits = shown_range_of (info->type, image_plane (r->part.image, c * info->depth + r->slice, error),
                            info->rows * info->columns);
  return TRUE;
}

/* What channel c shows darkest and brightest. */
static gboolean
find_limits (const PaintRequest *r, const ImageInfo *info, gint64 c, Range *limits, GError **error)
{
  const ViewChannel *look = &r->looks[c];
  *limits = (Range){look->low, look->high};
  if (!is_seen (r, info, c)) /* all its values are below that: it adds nothing */
    *limits = DISPLAY_HIDDEN;
  else if (look->automatic && !shown_range_known (info->type, limits) && !r->whole)
    return r->part.preview ? find_part_limits (r, info, c, limits, error)
                           : paint_sources_range (r->sources, c, limits, error);
  return TRUE;
}

/* It looks for them where the image was made, of all channels: see paint_device(). */
static gboolean
display_finds_limits (const PaintRequest *r, const ImageInfo *info)
{
  Range known;
  return r->whole && r->looks[0].automatic && !shown_range_known (info->type, &known);
}

/* The arguments of `display`. area: in pixels of what is drawn. */
static gpointer
arguments (const PaintRequest *r, const ImageInfo *info, const PaintArea *area, GError **error)
{
  g_autofree Range *limits = g_new (Range, info->channels);
  const gboolean ranged = (info->role == FV_RGB || info->role == FV_IMAGE) && !display_finds_limits (r, info);
  for (gint64 c = 0; ranged && c < info->channels; c++)
    if (!find_limits (r, info, c, &limits[c], error))
      return NULL;
  const DisplayLook display = {.op = r->op,
                               .info = info,
                               .area = area,
                               .channel = r->channel,
                               .slice = r->whole || r->part.preview ? r->slice : 0,
                               .composite = r->composite,
                               .overlay = r->overlay,
                               .looks = r->looks,
                               .limits = ranged ? limits : NULL};
  return display_args_new (&display, error);
}

/* The picked object: where it is, and its outline on the picture when it is in the slice that is seen. */
static gboolean
draw_object (PaintRequest *r, guchar *pixels, GError **error)
{
  const ObjectWanted wanted = {r->objects, r->table, r->slice, r->frame, r->object, r->seek};
  const PaintObject object = {r->objects, r->slice, r->frame, r->object};
  Paint *paint = r->paint;
  g_autoptr (GError) fault = NULL;
  ImageRegion box;
  if (!object_find (&wanted, &paint->object_slice, &box, &fault)) {
    if (fault)
      g_propagate_error (error, g_steal_pointer (&fault));
    return !*error;
  }
  graphene_rect_init (&paint->box, (float) box.column, (float) box.row, (float) box.columns, (float) box.rows);
  paint->object = r->object;
  return paint->object_slice != r->slice || paint_object_draw (&object, &box, &r->area, pixels, error);
}

static gboolean
find_inputs (const PaintRequest *r, PaintInputs *inputs, GError **error)
{
  const ImageInfo *info = image_info (r->image);
  g_autofree gboolean *seen = g_new (gboolean, info->channels);
  for (gint64 c = 0; c < info->channels; c++)
    seen[c] = is_seen (r, info, c);
  const PaintWanted wanted = {r->image, r->labels, r->slice, r->frame, seen, r->area, r->more};
  if (!r->whole && !r->part.preview)
    return paint_inputs_find (inputs, r->sources, &wanted, error);
  paint_inputs_whole (inputs, &wanted);
  if (r->part.preview)
    inputs->area = r->part.area;
  return TRUE;
}

/* What a threshold takes is red, as in ImageJ, and a little of the image is seen through it. */
static gboolean
redden (const PaintRequest *r, Image *mask, const PaintArea *area, guchar *pixels, Progress *progress, GError **error)
{
  const ImageInfo *info = image_info (mask);
  g_autofree ViewChannel *looks = g_new0 (ViewChannel, info->channels);
  PaintRequest alone = *r;
  CallResult result;
  alone.looks = looks;
  alone.composite = FALSE;
  alone.overlay = 0;
  g_autofree gpointer args = arguments (&alone, info, area, error);
  if (!args || !call_op (r->op, args, (Image *[]){mask, NULL}, r->device, progress, &result, error))
    return FALSE;
  const guchar *is =
    image_on_host (result.images[0], progress, error) ? image_plane (result.images[0], 0, error) : NULL;
  for (gsize i = 0, n = (gsize) r->area.width * (gsize) r->area.height; is && i < 4 * n; i += 4)
    for (int c = 0; c < 3; c++)
      pixels[i + c] = (guchar) ((pixels[i + c] * (1020 - 3 * is[i]) + 3 * is[i] * (c == 0 ? 255 : 0)) / 1020);
  call_result_clear (&result);
  return is != NULL;
}

/* With or without the labels. */
static Image *
draw (const PaintRequest *r, PaintInputs *inputs, Progress *progress, GError **error)
{
  Image *shown[2] = {inputs->images[0], r->red ? NULL : inputs->images[1]};
  CallResult result;
  g_autofree gpointer args = arguments (r, image_info (shown[0]), &inputs->area, error);
  if (!args || !call_op (r->op, args, shown, r->device, progress, &result, error))
    return NULL;
  g_autoptr (Image) pixels = image_ref (result.images[0]);
  call_result_clear (&result);
  const PaintFade fade = {r->op, args, shown, r->device, inputs->area, r->kept, r->colours};
  if (!image_on_host (pixels, progress, error) || (r->kept && !paint_fade (&fade, pixels, progress, error))
      || (r->red && !redden (r, inputs->images[1], &inputs->area, image_pixels (pixels), progress, error)))
    return NULL;
  return g_steal_pointer (&pixels);
}

gboolean
paint_draw (PaintRequest *r, Progress *progress, GError **error)
{
  g_auto (PaintInputs) inputs = {0};
  g_autoptr (Image) pixels = find_inputs (r, &inputs, error) ? draw (r, &inputs, progress, error) : NULL;
  if (!pixels)
    return FALSE;
  r->partial = inputs.partial;
  r->fault = g_steal_pointer (&inputs.fault);
  r->paint = g_new0 (Paint, 1);
  r->paint->area = r->area;
  r->paint->asked = r->asked;
  r->paint->provisional = r->part.preview != NULL;
  if (r->objects && !draw_object (r, image_pixels (pixels), error))
    return FALSE;
  paint_set_pixels (r->paint, pixels);
  return TRUE;
}
