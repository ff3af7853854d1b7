/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: any bytes, as a file, open completely or fail with an error; a region of a plane is a part of it.
 */
#include "tests/fuzz/support.h"

#include <string.h>

#define MAX_BYTES (8 << 20) /* of planes that are read; an image only takes memory when they are */

static gsize
pixel_bytes (const ImageInfo *info)
{
  return image_info_plane_bytes (info) / (gsize) info->rows / (gsize) info->columns;
}

/* The middle of a level of the first plane; NULL when it cannot be read. */
static guint8 *
read_middle (Image *image, guint n, const ImageLevel *level, ImageRegion *region)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *pixels = NULL;
  gsize row;
  *region = (ImageRegion){level->rows / 3, level->columns / 3, (level->rows + 2) / 3, (level->columns + 2) / 3};
  row = (gsize) region->columns * pixel_bytes (image_info (image));
  if ((gsize) region->rows > MAX_BYTES / row)
    return NULL;
  pixels = g_malloc ((gsize) region->rows * row);
  if (image_read (image, n, 0, region, pixels, row, &error))
    return g_steal_pointer (&pixels);
  if (!error)
    g_error ("no region and no error");
  return NULL;
}

static void
compare (Image *image, const guint8 *middle, const ImageRegion *region)
{
  gsize row = (gsize) region->columns * pixel_bytes (image_info (image));
  g_autofree guint8 *pixels = g_malloc ((gsize) region->rows * row);
  if (!image_read (image, 0, 0, region, pixels, row, NULL) || memcmp (pixels, middle, (gsize) region->rows * row))
    g_error ("a region is not the plane's");
}

static void
read_all (Image *image)
{
  ImageRegion region, other;
  ImageLevel level;
  g_autofree guint8 *middle = NULL;
  g_assert_true (image_level (image, 0, &level));
  middle = read_middle (image, 0, &level, &region);
  for (guint n = 1; image_level (image, n, &level); n++)
    g_free (read_middle (image, n, &level, &other));
  fuzz_read_planes (image, MAX_BYTES);
  if (middle && image_plane_now (image, 0))
    compare (image, middle, &region);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  g_autoptr (GPtrArray) images = fuzz_open (bytes, size);
  for (guint i = 0; i < images->len; i++) {
    g_free (image_info_text (image_info (images->pdata[i])));
    read_all (images->pdata[i]);
  }
  return 0;
}
