/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: what any bytes decode to is written in every format and read back the same, or is refused and nothing
 * is left behind.
 */
#include "core/base/file_folder.h"
#include "core/data/pixel_type.h"
#include "tests/fuzz/support.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>

#define MAX_BYTES (4 << 20)

/* TIFF holds pixel sizes as fractions, FITS has no 16-bit floats. OME-Zarr holds all that TIFF does. */
static void
compare_info (const ImageInfo *a, const ImageInfo *b, const char *format)
{
  gboolean tiff = g_str_has_suffix (format, ".tif") || g_str_has_suffix (format, ".zarr");
  gboolean all = tiff || g_str_has_suffix (format, ".fits");
  if (a->rows != b->rows || a->columns != b->columns)
    g_error ("%s: another size", format);
  if (all
      && ((a->type != b->type && (tiff || a->type != FV_F16)) || a->frames != b->frames || a->channels != b->channels
          || a->depth != b->depth))
    g_error ("%s: another type or other dimensions", format);
  if (tiff && b->source_type && g_strcmp0 (a->source_type, b->source_type))
    g_error ("%s: %s has become %s", format, a->source_type, b->source_type);
  if (all && (a->role == FV_RGB) != (b->role == FV_RGB))
    g_error ("%s: RGB or not", format);
  for (int axis = a->depth > 1 ? 0 : 1; tiff && axis < 3; axis++)
    if (fabs (a->spacing[axis] / b->spacing[axis] - 1) > 1e-5 || strcmp (a->units[axis], b->units[axis]))
      g_error ("%s: a pixel was %g %s and is %g %s", format, a->spacing[axis], a->units[axis], b->spacing[axis],
               b->units[axis]);
}

static void
compare_pixels (Image *a, Image *b, const char *format)
{
  const ImageInfo *info = image_info (a), *other = image_info (b);
  gsize n = (gsize) info->rows * (gsize) info->columns;
  for (gint64 plane = 0; plane < image_info_planes (info); plane++) {
    const void *p = image_plane (a, plane, NULL), *q = image_plane (b, plane, NULL);
    if (!q)
      g_error ("%s: plane %" G_GINT64_FORMAT " cannot be read back", format, plane);
    for (gsize i = 0; i < n; i++) {
      double v = pixel_type_value (info->type, p, (gint64) i), w = pixel_type_value (other->type, q, (gint64) i);
      if (v != w && !(isnan (v) && isnan (w)))
        g_error ("%s: %.17g has become %.17g", format, v, w);
    }
  }
}

static void
write_and_read (Image *image, const char *ending)
{
  g_autofree char *format = g_strconcat ("x.", ending, NULL);
  g_autofree char *path = g_build_filename (fuzz_folder (), format, NULL);
  g_autoptr (GError) error = NULL;
  gboolean written = files_save (image, path, &error);
  g_autoptr (GDir) folder = g_dir_open (fuzz_folder (), 0, NULL);
  g_autoptr (Image) back = NULL;
  if (written ? error != NULL : !error)
    g_error ("%s: written and an error, or neither", format);
  for (const char *name; (name = g_dir_read_name (folder));)
    if (!written || strcmp (name, format))
      g_error ("%s: '%s' is left behind", format, name);
  if (!written)
    return;
  if (!(back = files_open (path, 0, &error)))
    g_error ("%s: cannot be read back: %s", format, error->message);
  compare_info (image_info (image), image_info (back), format);
  /* JPEG is close, and GIF if it has more than 256 colors. Slices of RGB become frames, whose planes have another order, and gray colors one channel. */
  const ImageInfo *a = image_info (image), *b = image_info (back);
  const gboolean same_planes = a->channels == b->channels && (a->depth == b->depth || a->channels == 1);
  if (!g_str_has_suffix (format, ".jpg") && !g_str_has_suffix (format, ".gif") && same_planes)
    compare_pixels (image, back, format);
  file_folder_remove (AT_FDCWD, path);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  g_autoptr (GPtrArray) images = fuzz_open (bytes, size);
  for (guint i = 0; i < images->len; i++)
    for (const FileFormat *const *f = formats_all (); fuzz_read_planes (images->pdata[i], MAX_BYTES) && *f; f++)
      if ((*f)->n_written)
        write_and_read (images->pdata[i], (*f)->endings[0]);
  return 0;
}
