/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/canvas_marks.h"

#include "core/view/range.h"

void
canvas_marks_word (GtkWidget *canvas, GtkSnapshot *snapshot, const char *word, double x, double align)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (canvas, word);
  const GdkRGBA back = {0, 0, 0, 0.6F}, front = {1, 1, 1, 1};
  int width, height;
  pango_layout_get_pixel_size (layout, &width, &height);
  float left = (float) (x - align * width);
  gtk_snapshot_append_color (snapshot, &back,
                             &GRAPHENE_RECT_INIT (left - 6, 8, (float) width + 12, (float) height + 6));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (left, 11));
  gtk_snapshot_append_layout (snapshot, layout, &front);
  gtk_snapshot_restore (snapshot);
}

void
canvas_marks_scale_bar (GtkWidget *canvas, GtkSnapshot *snapshot, const ImageInfo *info, const PaintArea *shown)
{
  const gboolean calibrated = *info->units[2] != 0;
  double pixel = calibrated ? info->spacing[2] : 1;
  double length = range_round_length (MIN (shown->width, 800) / 4.0 / shown->zoom * pixel);
  float bar = (float) (length / pixel * shown->zoom), x = (float) shown->width - bar - 16,
        y = (float) shown->height - 16;
  g_autofree char *text = g_strdup_printf ("%g %s", length, calibrated ? info->units[2] : "px");
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (canvas, text);
  const GdkRGBA back = {0, 0, 0, 0.6F}, front = {1, 1, 1, 1};
  int text_width, text_height;
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  float box = MAX (bar, (float) text_width) + 12;
  gtk_snapshot_append_color (
    snapshot, &back,
    &GRAPHENE_RECT_INIT ((float) shown->width - box - 10, y - (float) text_height - 8, box, (float) text_height + 18));
  gtk_snapshot_append_color (snapshot, &front, &GRAPHENE_RECT_INIT (x, y, bar, 4));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT (x + (bar - (float) text_width) / 2, y - (float) text_height - 4));
  gtk_snapshot_append_layout (snapshot, layout, &front);
  gtk_snapshot_restore (snapshot);
}

static void
frame_rect (GtkSnapshot *snapshot, graphene_rect_t rect, float width, const GdkRGBA *color)
{
  GskRoundedRect outline;
  const float widths[4] = {width, width, width, width};
  const GdkRGBA colors[4] = {*color, *color, *color, *color};
  gsk_rounded_rect_init_from_rect (&outline, &rect, 0);
  gtk_snapshot_append_border (snapshot, &outline, widths, colors);
}

void
canvas_marks_object (GtkSnapshot *snapshot, const graphene_rect_t *object, const PaintArea *shown)
{
  const GdkRGBA dark = {0, 0, 0, 0.8F}, bright = {1, 0.9F, 0.16F, 1};
  const float width = (float) (object->size.width * shown->zoom), height = (float) (object->size.height * shown->zoom);
  const float room = 6;
  if (MAX (width, height) >= 16)
    return;
  graphene_rect_t box = GRAPHENE_RECT_INIT ((float) ((object->origin.x - shown->x) * shown->zoom) - room,
                                            (float) ((object->origin.y - shown->y) * shown->zoom) - room,
                                            width + 2 * room, height + 2 * room);
  graphene_rect_t around = box;
  graphene_rect_inset (&around, -1, -1);
  frame_rect (snapshot, around, 4, &dark);
  frame_rect (snapshot, box, 2, &bright);
}
