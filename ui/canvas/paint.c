/* SPDX-License-Identifier: MIT
 */
#include "ui/canvas/paint.h"

/* In Cairo's format, so that nothing is converted when a frame is drawn: red and blue are swapped. All pixels are
 * opaque, or black and transparent. */
static void
swap_colors (guint32 *pixels, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    guint32 p = GUINT32_FROM_LE (pixels[i]);
    pixels[i] = (p & 0xff00) | (p >> 16 & 0xff) | (p & 0xff) << 16 | (p & 0xff000000);
  }
}

void
paint_set_pixels (Paint *paint, Image *pixels)
{
  static const cairo_user_data_key_t holder;
  int width = paint->area.width, height = paint->area.height;
  gsize n = (gsize) width * (gsize) height;
  guint32 *memory = image_pixels (pixels);
  swap_colors (memory, n);
  g_autoptr (GBytes) bytes =
    g_bytes_new_with_free_func (memory, n * 4, (GDestroyNotify) image_unref, image_ref (pixels));
  paint->texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) width * 4);
  paint->surface =
    cairo_image_surface_create_for_data ((guchar *) memory, CAIRO_FORMAT_ARGB32, width, height, 4 * width);
  cairo_surface_set_user_data (paint->surface, &holder, image_ref (pixels), (cairo_destroy_func_t) image_unref);
}

void
paint_free (Paint *paint)
{
  if (!paint)
    return;
  g_clear_object (&paint->texture);
  g_clear_pointer (&paint->surface, cairo_surface_destroy);
  g_free (paint);
}
