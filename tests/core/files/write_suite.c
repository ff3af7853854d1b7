/* SPDX-License-Identifier: MIT
 *
 * Writes TIFF files of every kind into a folder, for programs that are not Fovea to read: check_imagej.sh and
 * check_tifffile.py. The pixel at t, c, z, y, x is a number that they compute themselves:
 * n = 10000 t + 1000 c + 100 z + 10 y + x; u8: n mod 251, i8: n - 20, u16: n, i16 and i32: 100 n - 5000,
 * u32: 2^32 - 1 - n, f16 and f32: n / 4 - 3, f64: n / 10.
 */
#include "core/data/pixel_type.h"
#include "core/files/files.h"

typedef struct {
  const char *name;
  ImageInfo info;
} Case;

static char *names[] = {"nuclei", "α-tubulin", "membrane", NULL};
static guint32 colors[] = {0x0000ff, 0x00ff00, 0xff8000};
static double ranges[] = {0, 1000, 100.5, 2000, 50, 3000}, signed_range[] = {-4000, -1000};

#define UM .units = {"µm", "µm", "µm"}, .frame_unit = "s"
#define PX .units = {"", "", ""}, .frame_unit = "s"
#define SIZE(T, C, Z, Y, X) .frames = T, .channels = C, .depth = Z, .rows = Y, .columns = X

static const Case cases[] = {
  {"u8", {FV_U8, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 1, 1}, PX}},
  {"u16", {FV_U16, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 0.325, 0.325}, UM}},
  {"i32", {FV_I32, FV_LABELS, SIZE (1, 1, 1, 5, 7), .spacing = {1, 1, 1}, PX}},
  {"i16", {FV_I16, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 1, 1}, PX, .display_ranges = signed_range}},
  {"i8", {FV_I8, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 1, 1}, PX}},
  {"u32", {FV_U32, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 1, 1}, PX}},
  {"f16", {FV_F16, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 1, 1}, PX}},
  {"f32", {FV_F32, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 0.25, 0.5}, UM}},
  {"f64", {FV_F64, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 1, 1}, PX}},
  {"rgb", {FV_U8, FV_RGB, SIZE (1, 3, 1, 5, 7), .spacing = {1, 2, 2}, UM}},
  {"rgb_stack", {FV_U8, FV_RGB, SIZE (1, 3, 4, 5, 7), .spacing = {3, 2, 2}, UM}},
  {"stack", {FV_U16, FV_IMAGE, SIZE (1, 1, 4, 5, 7), .spacing = {0.8, 0.2, 0.2}, UM}},
  {"series", {FV_F32, FV_IMAGE, SIZE (6, 1, 1, 5, 7), .spacing = {1, 0.1, 0.1}, UM, .frame_interval = 2.5}},
  {"channels", {FV_U8, FV_IMAGE, SIZE (1, 2, 1, 5, 7), .spacing = {1, 1, 1}, PX}},
  {"hyperstack",
   {FV_U16, FV_IMAGE, SIZE (2, 3, 4, 5, 7), .spacing = {0.75, 0.2, 0.2}, UM, .frame_interval = 30,
    .channel_names = names, .channel_colors = colors, .display_ranges = ranges}},
  {"inverted", {FV_U8, FV_IMAGE, SIZE (1, 1, 1, 5, 7), .spacing = {1, 1, 1}, PX, .inverted = TRUE}},
};

static void
set_pixel (void *pixels, fv_type type, gsize i, gint64 n)
{
  switch (type) {
  case FV_U8: ((guint8 *) pixels)[i] = (guint8) (n % 251); break;
  case FV_U16: ((guint16 *) pixels)[i] = (guint16) n; break;
  case FV_I32: ((gint32 *) pixels)[i] = (gint32) (100 * n - 5000); break;
  case FV_F32: ((float *) pixels)[i] = (float) n / 4 - 3; break;
  case FV_F64: ((double *) pixels)[i] = (double) n / 10; break;
  case FV_I8: ((gint8 *) pixels)[i] = (gint8) (n - 20); break;
  case FV_I16: ((gint16 *) pixels)[i] = (gint16) (100 * n - 5000); break;
  case FV_U32: ((guint32 *) pixels)[i] = (guint32) (4294967295 - n); break;
  case FV_F16: ((guint16 *) pixels)[i] = half_from_float ((float) n / 4 - 3); break;
  }
}

static void
fill (void *pixels, const ImageInfo *info)
{
  gsize i = 0;
  for (gint64 t = 0; t < info->frames; t++)
    for (gint64 c = 0; c < info->channels; c++)
      for (gint64 z = 0; z < info->depth; z++)
        for (gint64 y = 0; y < info->rows; y++)
          for (gint64 x = 0; x < info->columns; x++)
            set_pixel (pixels, info->type, i++, 10000 * t + 1000 * c + 100 * z + 10 * y + x);
}

int
main (int argc, char **argv)
{
  for (guint i = 0; argc == 2 && i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (Image) image = image_new (&cases[i].info, &error);
    g_autofree char *path = g_strdup_printf ("%s/%s.tif", argv[1], cases[i].name);
    if (image)
      fill (image_pixels (image), &cases[i].info);
    if (!image || !files_save (image, path, &error)) {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  }
  return argc == 2 ? 0 : 2;
}
