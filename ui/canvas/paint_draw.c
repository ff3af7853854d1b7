/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/paint_draw.h"

#include "core/figure/display_args.h"
#include "core/measure/object_find.h"
#include "core/call/op.h"
#include "core/view/look_limits.h"
#include "core/view/shown_range.h"
#include "ui/canvas/paint_fade.h"
#include "ui/canvas/paint_object.h"

#include <math.h>

/* Whether anything of a channel is to be seen. */
static gboolean
is_seen (const PaintRequest *r, const ImageInfo *info, gint64 c)
{
  return r->composite || info->role == FV_RGB ? !r->settings[c].hidden : c == r->channel;
}

/* Those of the last whole image, so that the picture does not change when the whole is there; where that is another kind of image,
 * of the part. */
static gboolean
find_part_limits (const PaintRequest *r, const ImageInfo *info, gint64 c, Range *limits, GError **error)
{
  if (paint_sources_are_like (r->sources, info))
    return paint_sources_range (r->sources, c, &r->settings[c], limits, error);
  return look_limits (&r->settings[c], r->part.image, c * info->depth + r->slice, limits, error);
}

/* What channel c shows darkest and brightest. */
static gboolean
find_limits (const PaintRequest *r, const ImageInfo *info, gint64 c, Range *limits, GError **error)
{
  const ViewChannel *look = &r->settings[c];
  *limits = is_seen (r, info, c) ? (Range){look->low, look->high}
                                 : DISPLAY_HIDDEN; /* below it are all values: nothing is added */
  if (!is_seen (r, info, c) || !look->automatic || shown_range_known (info->type, limits))
    return TRUE;
  if (r->whole)
    return look_limits (look, r->image, c * info->depth + r->slice, limits, error);
  return r->part.preview ? find_part_limits (r, info, c, limits, error)
                         : paint_sources_range (r->sources, c, look, limits, error);
}

/* It looks for them where the image was made, of all channels: see paint_device(). */
static gboolean
display_finds_limits (const PaintRequest *r, const ImageInfo *info)
{
  Range known;
  return r->whole && r->settings[0].automatic && !look_limits_are_of_all (&r->settings[0], info)
         && !shown_range_known (info->type, &known);
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
                               .settings = r->settings,
                               .limits = ranged ? limits : NULL};
  return display_args_new (&display, error);
}

/* Outlines of the selected objects except the first, in the shown slice. */
static gboolean
draw_others (PaintRequest *r, guchar *pixels, GError **error)
{
  for (guint i = 1; i < r->chosen->len; i++) {
    const int label = g_array_index (r->chosen, int, i);
    const ObjectWanted wanted = {r->objects, r->table, r->slice, r->frame, label, FALSE};
    const PaintObject object = {r->objects, r->slice, r->frame, label};
    g_autoptr (GError) fault = NULL;
    gint64 slice;
    ImageRegion box;
    if (object_find (&wanted, &slice, &box, &fault))
      paint_object_draw (&object, &box, &r->area, pixels, &fault);
    if (fault) {
      g_propagate_error (error, g_steal_pointer (&fault));
      return FALSE;
    }
  }
  return TRUE;
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
  const gboolean numbers = look_is_labels (r->settings, info, r->composite, r->channel);
  const PaintWanted wanted = {r->image, r->labels, r->slice, r->frame, numbers, seen, r->area, r->more};
  if (!r->whole && !r->part.preview)
    return paint_inputs_find (inputs, r->sources, &wanted, error);
  paint_inputs_whole (inputs, &wanted);
  if (r->part.preview)
    inputs->area = r->part.area;
  return TRUE;
}

/* How white each pixel of the picture is, in R of R, G, B, A, when the channel is looked at so; NULL with *error. */
static Image *
cover (const PaintRequest *r, Image *image, const ViewChannel *look, const PaintArea *area, Progress *progress,
       GError **error)
{
  const ImageInfo *info = image_info (image);
  g_autofree ViewChannel *settings = g_new (ViewChannel, info->channels);
  PaintRequest alone = *r;
  CallResult result;
  for (gint64 c = 0; c < info->channels; c++)
    settings[c] = *look;
  alone.settings = settings;
  alone.composite = FALSE;
  alone.overlay = 0;
  g_autofree gpointer args = arguments (&alone, info, area, error);
  if (!args || !call_op (r->op, args, (Image *[]){image, NULL}, r->device, progress, &result, error))
    return NULL;
  g_autoptr (Image) cover = image_ref (result.images[0]);
  call_result_clear (&result);
  return image_on_host (cover, progress, error) ? g_steal_pointer (&cover) : NULL;
}

/* A little of the image is seen through the color. */
static void
tint (guchar *pixel, int share, const guchar color[3])
{
  for (int c = 0; c < 3; c++)
    pixel[c] = (guchar) ((pixel[c] * (1020 - 3 * share) + 3 * share * color[c]) / 1020);
}

/* What a threshold takes is red, or else what is below is blue and what is above is green: all as in ImageJ. over: NULL, or what is above. */
static void
tint_all (guchar *pixels, gsize n, ViewThreshold threshold, const guchar *mask, const guchar *over)
{
  static const guchar red[3] = {255, 0, 0}, green[3] = {0, 255, 0}, blue[3] = {0, 0, 255};
  for (gsize i = 0; i < 4 * n; i += 4) {
    const int above = over ? MIN (over[i], 255 - mask[i]) : 0;
    if (threshold == VIEW_RED)
      tint (pixels + i, mask[i], red);
    else if (pixels[i + 3]) { /* of the image */
      tint (pixels + i, above, green);
      tint (pixels + i, 255 - mask[i] - above, blue);
    }
  }
}

static gboolean
draw_threshold (const PaintRequest *r, const PaintInputs *inputs, guchar *pixels, Progress *progress, GError **error)
{
  const ViewChannel plain = {0}, above = {.low = r->upper,
                                          .high = r->upper + fmax (fabs (r->upper), 1e-30) * 1e-6,
                                          .gamma = 1,
                                          .lut = "gray"};
  const gboolean ends = r->threshold == VIEW_OVER_UNDER && isfinite (r->upper);
  g_autoptr (Image) mask = cover (r, inputs->images[1], &plain, &inputs->area, progress, error);
  g_autoptr (Image) over = mask && ends ? cover (r, inputs->images[0], &above, &inputs->area, progress, error) : NULL;
  if (!mask || (ends && !over))
    return FALSE;
  tint_all (pixels, (gsize) r->area.width * (gsize) r->area.height, r->threshold, image_plane (mask, 0, error),
            over ? image_plane (over, 0, error) : NULL);
  return TRUE;
}

/* With or without the labels. */
static Image *
draw (const PaintRequest *r, PaintInputs *inputs, Progress *progress, GError **error)
{
  Image *shown[2] = {inputs->images[0], r->masked ? NULL : inputs->images[1]};
  CallResult result;
  g_autofree gpointer args = arguments (r, image_info (shown[0]), &inputs->area, error);
  if (!args || !call_op (r->op, args, shown, r->device, progress, &result, error))
    return NULL;
  g_autoptr (Image) pixels = image_ref (result.images[0]);
  call_result_clear (&result);
  const PaintFade fade = {r->op, args, shown, r->device, inputs->area, r->kept, r->colors};
  if (!image_on_host (pixels, progress, error) || (r->kept && !paint_fade (&fade, pixels, progress, error))
      || (r->masked && !draw_threshold (r, inputs, image_pixels (pixels), progress, error)))
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
  if (r->objects && (!draw_object (r, image_pixels (pixels), error) || !draw_others (r, image_pixels (pixels), error)))
    return FALSE;
  paint_set_pixels (r->paint, pixels);
  return TRUE;
}
