/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/canvas_word.h"

void
canvas_word_draw (GtkWidget *canvas, GtkSnapshot *snapshot, const char *word, double x, double align)
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
