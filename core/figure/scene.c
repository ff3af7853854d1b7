/* SPDX-License-Identifier: MIT
 *
 * Only the part is read, of a smaller level where the file has one that is fine enough. It is drawn in host memory by the operation
 * `display`, as the window does it, so that both have the same colors.
 */
#include "core/figure/scene.h"

#include "core/base/error.h"
#include "core/measure/object_labels.h"
#include "core/call/op.h"
#include "core/selection/selection.h"
#include "core/view/look_limits.h"
#include "core/view/shown_range.h"

#include <math.h>
#include <string.h>

enum { MAX_DOTS = 32767 }; /* of a surface, each way */

/* ---- Where ---- */

static gboolean
check_position (const char *key, gint64 at, gint64 n, GError **error)
{
  if (at < n)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, key,
                  "%s %" G_GINT64_FORMAT " does not exist: the image has %" G_GINT64_FORMAT ", counted from 0.", key,
                  at, n);
  return FALSE;
}

static gboolean
find_position (FigureScene *s, GError **error)
{
  const FigureChoices *c = &s->choices;
  const ImageInfo *info = image_info (s->image);
  s->position = (PlanePosition){c->mode == FIGURE_SINGLE ? c->channel : 0, c->slice, c->frame};
  return check_position ("channel", s->position.channel, info->channels, error)
         && check_position ("slice", c->slice, info->depth, error)
         && check_position ("frame", c->frame, info->frames, error);
}

static gboolean
find_part (FigureScene *s, GError **error)
{
  const ImageInfo *info = image_info (s->image);
  g_autoptr (Selection) selection = NULL;
  SelectionPoint low, high;
  s->part = (PlanePart){0, 0, info->columns, info->rows};
  if (!*s->choices.part)
    return TRUE;
  if (!(selection = selection_parse (s->choices.part, error)))
    return FALSE;
  selection_bounds (selection, &low, &high);
  if (high.x > 0 && high.y > 0 && low.x < (double) info->columns && low.y < (double) info->rows) {
    s->part = selection_part (selection, info, 0);
    return TRUE;
  }
  step_error_set (error, FV_BAD_ARGUMENT, "part",
                  "%s is outside the image, which has %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " pixels.",
                  s->choices.part, info->columns, info->rows);
  return FALSE;
}

static gboolean
find_size (FigureScene *s, GError **error)
{
  const FigureChoices *c = &s->choices;
  const double per_unit[] = {1, c->dpi / 25.4, c->dpi / 2.54, c->dpi};
  double columns = (double) s->part.width, rows = (double) s->part.height;
  double width = c->width > 0 ? c->width * per_unit[c->unit] : columns;
  s->point = c->dpi / 72;
  s->width = s->vector ? width : fmax (1, round (width));
  s->zoom = s->width / columns;
  s->height = s->vector ? rows * s->zoom : fmax (1, ceil (rows * s->zoom - 0.5));
  if (s->width <= MAX_DOTS && s->height <= MAX_DOTS)
    return TRUE;
  step_error_set (error, FV_BAD_ARGUMENT, "width",
                  "A figure can have at most %d × %d pixels, not %.0f × %.0f. Choose a smaller width or "
                  "resolution.",
                  MAX_DOTS, MAX_DOTS, s->width, s->height);
  return FALSE;
}

gboolean
figure_scene_size (Image *image, const FigureChoices *choices, double *width, double *height, GError **error)
{
  FigureScene s = {.choices = *choices, .image = image};
  gboolean found = find_part (&s, error) && find_size (&s, error);
  *width = s.width;
  *height = s.height;
  return found;
}

/* ---- Looks ---- */

gboolean
figure_scene_shows (const FigureScene *s, gint64 c)
{
  return s->choices.mode == FIGURE_COMPOSITE || image_info (s->image)->role == FV_RGB ? !s->settings[c].hidden
                                                                                      : c == s->position.channel;
}

/* What channel c shows darkest and brightest: as in a window. */
static gboolean
find_limits (FigureScene *s, gint64 c, GError **error)
{
  const ImageInfo *info = image_info (s->image);
  Range *limits = &s->limits[c];
  *limits = (Range){s->settings[c].low, s->settings[c].high};
  if (!figure_scene_shows (s, c))
    *limits = DISPLAY_HIDDEN;
  else if (s->settings[c].automatic && !shown_range_known (info->type, limits)) {
    const PlanePosition position = {c, s->position.slice, s->position.frame};
    return look_limits (&s->settings[c], s->image, plane_number (info, position), limits, error);
  }
  return TRUE;
}

static gboolean
find_settings (FigureScene *s, GError **error)
{
  const ImageInfo *info = image_info (s->image);
  g_autoptr (GArray) given = *s->choices.display ? look_parse (s->choices.display) : NULL;
  if (!look_examine (s->image, error))
    return FALSE;
  s->settings = g_new (ViewChannel, info->channels);
  for (gint64 c = 0; c < info->channels; c++)
    s->settings[c] = given && c < given->len ? g_array_index (given, ViewChannel, c) : look_of_image (s->image, c);
  if (info->role == FV_LABELS || info->role == FV_MASK)
    return TRUE;
  s->limits = g_new (Range, info->channels);
  for (gint64 c = 0; c < info->channels; c++)
    if (!find_limits (s, c, error))
      return FALSE;
  return TRUE;
}

/* ---- Pixels ---- */

/* A part of a level of the slice as an image of its own, with all its channels. */
static Image *
read_part (Image *image, guint level, const PlanePosition *position, const ImageRegion *region, GError **error)
{
  const ImageInfo *from = image_info (image);
  ImageInfo info = *from;
  info.depth = info.frames = 1;
  info.rows = region->rows;
  info.columns = region->columns;
  g_autoptr (Image) part = image_new (&info, error);
  for (gint64 c = 0; part && c < info.channels; c++) {
    gint64 plane = plane_number (from, (PlanePosition){c, position->slice, position->frame});
    guint8 *to = (guint8 *) image_pixels (part) + (gsize) c * image_info_plane_bytes (&info);
    if (!image_read (image, level, plane, region, to, image_info_row_bytes (&info), error))
      return NULL;
  }
  return g_steal_pointer (&part);
}

/* The coarsest level whose pixels are not larger than a dot. */
static guint
find_level (const FigureScene *s, ImageLevel *level)
{
  guint n = 0;
  ImageLevel next;
  image_level (s->image, 0, level);
  while (image_level (s->image, n + 1, &next)
         && (double) next.columns >= s->zoom * (double) image_info (s->image)->columns
         && (double) next.rows >= s->zoom * (double) image_info (s->image)->rows) {
    *level = next;
    n++;
  }
  return n;
}

/* R, G, B, A in bytes as a surface. */
static cairo_surface_t *
make_surface (const guint8 *rgba, int columns, int rows)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, columns, rows);
  guint8 *pixels = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  cairo_surface_flush (surface);
  for (int y = 0; pixels && y < rows; y++) {
    guint32 *row = (guint32 *) (gpointer) (pixels + (gsize) y * (gsize) stride);
    for (int x = 0; x < columns; x++, rgba += 4)
      row[x] = (guint32) rgba[0] << 16 | (guint32) rgba[1] << 8 | rgba[2];
  }
  cairo_surface_mark_dirty (surface);
  return surface;
}

cairo_surface_t *
figure_scene_display (const FigureScene *s, Image *image, Image *overlay, const ViewChannel *settings,
                      const Range *limits, const DisplayArea *area, Progress *progress, GError **error)
{
  const Op *op = modules_op (s->modules, "display", error);
  Device *device = op ? modules_device (s->modules, "cpu", error) : NULL;
  const DisplayLook look = {.op = op,
                            .info = image_info (image),
                            .area = area,
                            .channel = s->position.channel < image_info (image)->channels ? s->position.channel : 0,
                            .composite = s->choices.mode == FIGURE_COMPOSITE,
                            .fill = TRUE,
                            .overlay = s->choices.opacity,
                            .settings = settings,
                            .limits = limits};
  g_autofree gpointer args = device ? display_args_new (&look, error) : NULL;
  CallResult result;
  cairo_surface_t *surface = NULL;
  if (!args || !call_op (op, args, (Image *[]){image, overlay}, device, progress, &result, error))
    return NULL;
  const guint8 *pixels = image_plane (result.images[0], 0, error);
  if (pixels)
    surface = make_surface (pixels, area->width, area->height);
  call_result_clear (&result);
  return surface;
}

/* A mask is red, as a threshold in the window. */
static gboolean
redden (const FigureScene *s, Image *mask, const DisplayArea *area, Progress *progress, GError **error)
{
  g_autofree ViewChannel *settings = g_new0 (ViewChannel, image_info (mask)->channels);
  cairo_surface_t *is = figure_scene_display (s, mask, NULL, settings, NULL, area, progress, error);
  if (!is)
    return FALSE;
  cairo_surface_t *cover = cairo_image_surface_create (CAIRO_FORMAT_A8, area->width, area->height);
  cairo_t *cr = cairo_create (s->pixels);
  for (int y = 0; y < area->height; y++) {
    const guint8 *from = cairo_image_surface_get_data (is) + (gsize) y * (gsize) cairo_image_surface_get_stride (is);
    guint8 *to = cairo_image_surface_get_data (cover) + (gsize) y * (gsize) cairo_image_surface_get_stride (cover);
    for (int x = 0; x < area->width; x++)
      to[x] = from[4 * x + 1];
  }
  cairo_surface_mark_dirty (cover);
  cairo_set_source_rgba (cr, 1, 0, 0, s->choices.opacity);
  cairo_mask_surface (cr, cover, 0, 0);
  cairo_destroy (cr);
  cairo_surface_destroy (cover);
  cairo_surface_destroy (is);
  return TRUE;
}

/* The part in the pixels of a level, and all of these that it touches. Squares that are to stay squares are several dots large, because many
 * programs that show SVG and PDF smooth what they enlarge. */
static DisplayArea
area_of (const FigureScene *s, const ImageLevel *level, ImageRegion *region)
{
  const ImageInfo *info = image_info (s->image);
  const double across = (double) level->columns / (double) info->columns,
               down = (double) level->rows / (double) info->rows;
  const double x = (double) s->part.x * across, y = (double) s->part.y * down;
  const double right = (double) (s->part.x + s->part.width) * across,
               bottom = (double) (s->part.y + s->part.height) * down;
  *region = (ImageRegion){.row = (gint64) floor (y), .column = (gint64) floor (x)};
  region->rows = MIN ((gint64) ceil (bottom), level->rows) - region->row;
  region->columns = MIN ((gint64) ceil (right), level->columns) - region->column;
  if (s->zoom > 1 && (s->vector || s->choices.smooth)) { /* it grows when it is drawn */
    const int times =
      s->choices.smooth ? 1 : (int) MIN (ceil (s->zoom), MAX_DOTS / MAX (region->columns, region->rows));
    return (DisplayArea){0, 0, times, times * (int) region->columns, times * (int) region->rows};
  }
  return (DisplayArea){x - floor (x), y - floor (y), s->zoom / across, (int) ceil (s->width - 0.5),
                       (int) ceil (s->height - 0.5)};
}

/* As fine as the figure shows them. */
static gboolean
make_pixels (FigureScene *s, Image *labels, Progress *progress, GError **error)
{
  ImageLevel level = {.rows = image_info (s->image)->rows, .columns = image_info (s->image)->columns};
  guint n = labels ? 0 : find_level (s, &level);
  ImageRegion region;
  DisplayArea area = area_of (s, &level, &region);
  g_autoptr (Image) part = read_part (s->image, n, &s->position, &region, error), over = NULL;
  if (!part || (labels && !(over = read_part (labels, 0, &s->position, &region, error))))
    return FALSE;
  area.width = MAX (area.width, 1);
  area.height = MAX (area.height, 1);
  s->pixel_zoom = s->zoom * (double) level.columns / (double) image_info (s->image)->columns / area.zoom;
  s->pixels = figure_scene_display (s, part, s->red ? NULL : over, s->settings, s->limits, &area, progress, error);
  return s->pixels && (!over || !s->red || redden (s, over, &area, progress, error));
}

/* Objects that go on beyond the part have no line along its edge. */
static gboolean
read_labels (FigureScene *s, Image *labels, GError **error)
{
  const ImageInfo *info = image_info (labels);
  const gint64 room = 1 + (gint64) ceil (s->choices.line * s->point / s->zoom), x = MAX (s->part.x - room, 0),
               y = MAX (s->part.y - room, 0);
  const gint64 right = MIN (s->part.x + s->part.width + room, info->columns),
               bottom = MIN (s->part.y + s->part.height + room, info->rows);
  const ImageRegion region = {y, x, bottom - y, right - x};
  const PlanePosition position = plane_within (info, (PlanePosition){0, s->position.slice, s->position.frame});
  s->outlined = (PlanePart){x, y, region.columns, region.rows};
  s->labels = g_try_new (gint32, (gsize) (region.rows * region.columns));
  if (s->labels)
    return object_labels_read (labels, plane_number (info, position), &region, s->labels, error);
  step_error_set (error, FV_NO_MEMORY, NULL,
                  "Not enough memory for the objects of %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT " pixels.",
                  region.columns, region.rows);
  return FALSE;
}

/* ---- The scene ---- */

static gboolean
check_labels (const FigureScene *s, Image *labels, GError **error)
{
  const ImageInfo *a = image_info (s->image), *b = image_info (labels);
  if (a->rows == b->rows && a->columns == b->columns && s->position.slice < b->depth && s->position.frame < b->frames)
    return TRUE;
  step_error_set (error, FV_BAD_INPUT, "labels",
                  "The objects belong to an image of another size and cannot be drawn over this one.");
  return FALSE;
}

FigureScene *
figure_scene_new (const FigureInputs *inputs, const FigureChoices *choices, gboolean vector, Progress *progress,
                  GError **error)
{
  g_autoptr (FigureScene) s = g_new0 (FigureScene, 1);
  Image *labels = choices->objects == FIGURE_NO_OBJECTS ? NULL : inputs->labels;
  s->choices = *choices;
  if (image_info (inputs->image)->channels > LOOK_COMPOSITE)
    s->choices.mode = FIGURE_SINGLE;
  s->modules = inputs->modules;
  s->image = image_ref (inputs->image);
  s->vector = vector;
  s->red = labels && image_info (labels)->role == FV_MASK;
  const gboolean fill = choices->objects == FIGURE_FILL;
  if (find_position (s, error) && find_part (s, error) && find_size (s, error)
      && (!labels || check_labels (s, labels, error)) && find_settings (s, error)
      && make_pixels (s, fill ? labels : NULL, progress, error) && (!labels || fill || read_labels (s, labels, error)))
    return g_steal_pointer (&s);
  return NULL;
}

void
figure_scene_free (FigureScene *s)
{
  image_unref (s->image);
  g_clear_pointer (&s->pixels, cairo_surface_destroy);
  g_free (s->settings);
  g_free (s->limits);
  g_free (s->labels);
  g_free (s);
}
