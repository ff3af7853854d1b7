/* SPDX-License-Identifier: MIT
 *
 * Each selection is drawn in the box around it alone, so that thousands of them cost little more than their pixels.
 */
#include "core/selection/drawn.h"

#include "core/base/error.h"

#include <string.h>

static gboolean
has_planes (const GPtrArray *selections)
{
  for (guint i = 0; i < selections->len; i++) {
    const Selection *selection = selections->pdata[i];
    if (selection->slice >= 0 || selection->frame >= 0)
      return TRUE;
  }
  return FALSE;
}

ImageInfo
selections_drawn_info (const GPtrArray *selections, const ImageInfo *like, gboolean labels)
{
  const gboolean whole = labels || has_planes (selections);
  ImageInfo info = {.type = labels ? FV_I32 : FV_U8,
                    .role = labels ? FV_LABELS : FV_MASK,
                    .frames = whole ? like->frames : 1,
                    .channels = 1,
                    .depth = whole ? like->depth : 1,
                    .rows = like->rows,
                    .columns = like->columns,
                    .frame_interval = like->frame_interval,
                    .frame_unit = like->frame_unit,
                    .name = like->name,
                    .fits_header = like->fits_header};
  memcpy (info.spacing, like->spacing, sizeof info.spacing);
  memcpy (info.units, like->units, sizeof info.units);
  memcpy (info.origin, like->origin, sizeof info.origin);
  return info;
}

/* One plane of the image. */
typedef struct {
  const ImageInfo *info;
  gpointer pixels;
  PlanePosition position;
} Plane;

/* inside: the mask of the part. */
static void
draw (const Plane *plane, const PlanePart *part, const guint8 *inside, gint32 label)
{
  for (gint64 y = 0; y < part->height; y++)
    for (gint64 x = 0; x < part->width; x++) {
      const gint64 at = (part->y + y) * plane->info->columns + part->x + x;
      if (!inside[y * part->width + x])
        continue;
      if (plane->info->type == FV_I32)
        ((gint32 *) plane->pixels)[at] = label;
      else
        ((guint8 *) plane->pixels)[at] = 255;
    }
}

static gboolean
is_of_plane (const Selection *selection, const Plane *plane)
{
  return (selection->slice < 0 || plane->info->depth == 1 || selection->slice == plane->position.slice)
         && (selection->frame < 0 || plane->info->frames == 1 || selection->frame == plane->position.frame);
}

/* One selection on all of its planes. */
static gboolean
draw_selection (Image *image, const Selection *selection, gint32 label)
{
  const ImageInfo *info = image_info (image);
  const gsize bytes = (gsize) (info->rows * info->columns) * (info->type == FV_I32 ? sizeof (gint32) : 1);
  const PlanePart part = selection_part (selection, info, 1);
  g_autoptr (Selection) moved = selection_copy (selection);
  g_autoptr (Image) mask = NULL;
  selection_move (moved, -(double) part.x, -(double) part.y);
  if (!(mask = selection_mask (moved, part.width, part.height)))
    return FALSE;
  Plane plane = {info, NULL, {0, 0, 0}};
  for (; plane.position.frame < info->frames; plane.position.frame++)
    for (plane.position.slice = 0; plane.position.slice < info->depth; plane.position.slice++) {
      plane.pixels = (guint8 *) image_pixels (image) + (gsize) plane_number (info, plane.position) * bytes;
      if (is_of_plane (selection, &plane))
        draw (&plane, &part, image_pixels (mask), label);
    }
  return TRUE;
}

Image *
selections_drawn (const GPtrArray *selections, const ImageInfo *like, gboolean labels, GError **error)
{
  const ImageInfo info = selections_drawn_info (selections, like, labels);
  g_autoptr (Image) image = image_new (&info, NULL);
  gboolean drawn = image != NULL;
  if (drawn)
    memset (image_pixels (image), 0, image_bytes (image));
  for (guint i = 0; i < selections->len && drawn; i++)
    drawn = draw_selection (image, selections->pdata[i], (gint32) i + 1);
  if (!drawn)
    step_error_set (error, FV_NO_MEMORY, NULL, "Not enough memory to draw the selections.");
  return drawn ? g_steal_pointer (&image) : NULL;
}
