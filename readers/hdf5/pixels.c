/* SPDX-License-Identifier: MIT
 *
 * A block of the dataset that covers the region is read as it is stored. Unless its pixels are the rows of the region already, these are gathered out of
 * it. Axes behind rows and columns are read whole: single numbers far from each other would take HDF5 longer.
 */
#include "readers/hdf5/pixels.h"

#include <string.h>

#define MAX_BLOCK ((gint64) 64 << 20) /* bytes that are gathered from at once */
#define EXACT ((gint64) 1 << 53)      /* up to which a 64-bit float holds every integer */

/* A block in a dataset. */
typedef struct {
  hsize_t start[HDF5_AXES], count[HDF5_AXES];
  gint64 step[HDF5_AXES]; /* in numbers, in the block */
  gint64 numbers;
} Block;

/* Index of this axis of the image in the dataset, or -1. */
static int
axis_in (const Hdf5Image *image, Hdf5Axis axis)
{
  for (guint i = 0; i < image->n_axes; i++)
    if (image->axes[i] == axis)
      return (int) i;
  return -1;
}

/* What the region has along the axes of the image. */
static void
position_of (const Hdf5Image *image, const ProcessRegion *r, gint64 first[HDF5_IMAGE_AXES], gint64 n[HDF5_IMAGE_AXES])
{
  const gint64 depth = image->sizes[HDF5_Z], channels = image->sizes[HDF5_C], slice = r->plane % depth;
  const gint64 deep = g_array_index (image->levels, Hdf5Level, r->level).depth;
  const gint64 from[] = {r->plane / depth / channels, r->plane / depth % channels, slice * deep / depth, r->row,
                         r->column},
               count[] = {1, 1, 1, r->rows, r->columns};
  memcpy (first, from, sizeof from);
  memcpy (n, count, sizeof count);
}

static void
set_block (const Hdf5Image *image, const Hdf5Dataset *d, const gint64 first[HDF5_IMAGE_AXES],
           const gint64 n[HDF5_IMAGE_AXES], Block *b)
{
  const int last = MAX (axis_in (image, HDF5_Y), axis_in (image, HDF5_X));
  b->numbers = 1;
  for (guint i = d->n; i-- > 0;) {
    const Hdf5Axis axis = image->axes[i];
    const gboolean whole = (int) i > last;
    b->start[i] = axis == HDF5_OTHER || whole ? 0 : (hsize_t) first[axis];
    b->count[i] = whole ? (hsize_t) d->shape[i] : axis == HDF5_OTHER ? 1 : (hsize_t) n[axis];
    b->step[i] = b->numbers;
    b->numbers *= (gint64) b->count[i];
  }
}

static gboolean
read_block (const Hdf5Dataset *d, const Block *b, void *to, fv_error *error)
{
  /* Of the same shape in memory, which HDF5 copies row by row; of another it would copy number by number. */
  const hid_t space = H5Dget_space (d->id), memory = H5Screate_simple ((int) d->n, b->count, NULL);
  const gboolean done = space >= 0 && memory >= 0
                        && H5Sselect_hyperslab (space, H5S_SELECT_SET, b->start, NULL, b->count, NULL) >= 0
                        && H5Dread (d->id, d->memory, memory, space, H5P_DEFAULT, to) >= 0;
  if (space >= 0)
    H5Sclose (space);
  if (memory >= 0)
    H5Sclose (memory);
  return done || process_error (error, FV_BAD_INPUT, "Its pixels are damaged or cut off: HDF5 cannot read them.");
}

#define GATHER(TYPE)                                                                                                   \
  for (gint64 y = 0; y < rows; y++)                                                                                    \
    for (gint64 x = 0; x < columns; x++)                                                                               \
  ((TYPE *) (void *) to)[y * columns + x] = ((const TYPE *) (const void *) from)[y * down + x * across]

static void
gather (const guint8 *from, gint64 down, gint64 across, gint64 rows, gint64 columns, gsize bytes, guint8 *to)
{
  switch (bytes) {
  case 1: GATHER (guint8); break;
  case 2: GATHER (guint16); break;
  case 4: GATHER (guint32); break;
  default: GATHER (guint64); break;
  }
}

/* ---- Conversion ---- */

static gboolean
make_floats (guint8 *pixels, gsize n, gboolean is_signed, fv_error *error)
{
  for (gsize i = 0; i < n; i++) {
    guint64 bits;
    memcpy (&bits, pixels + 8 * i, 8);
    const gint64 value = (gint64) bits;
    if (is_signed ? value > EXACT || value < -EXACT : bits > (guint64) EXACT) {
      g_autofree char *text =
        is_signed ? g_strdup_printf ("%" G_GINT64_FORMAT, value) : g_strdup_printf ("%" G_GUINT64_FORMAT, bits);
      return process_error (error, FV_UNSUPPORTED, "It has the value %s, which a 64-bit float cannot hold exactly.",
                            text);
    }
    const double number = is_signed ? (double) value : (double) bits;
    memcpy (pixels + 8 * i, &number, 8);
  }
  return TRUE;
}

static gboolean
convert (const Hdf5Dataset *d, guint8 *pixels, gsize n, fv_error *error)
{
  switch (d->conversion) {
  case HDF5_AS_IT_IS: break;
  case HDF5_MASK:
    for (gsize i = 0; i < n; i++)
      pixels[i] = pixels[i] ? 255 : 0;
    break;
  case HDF5_SIGNED: return make_floats (pixels, n, TRUE, error);
  case HDF5_UNSIGNED: return make_floats (pixels, n, FALSE, error);
  }
  return TRUE;
}

/* ---- Regions ---- */

/* Rows of the region, of which a block fits into memory. */
static gboolean
read_rows (const Hdf5Image *image, const Hdf5Dataset *d, const gint64 first[HDF5_IMAGE_AXES],
           const gint64 n[HDF5_IMAGE_AXES], guint8 *to, fv_error *error)
{
  const int y = axis_in (image, HDF5_Y), x = axis_in (image, HDF5_X);
  Block b;
  set_block (image, d, first, n, &b);
  if (b.numbers == n[HDF5_Y] * n[HDF5_X] && y < x)
    return read_block (d, &b, to, error);
  g_autofree guint8 *block = g_try_malloc ((gsize) b.numbers * d->bytes);
  if (!block)
    return process_error (error, FV_NO_MEMORY, "Not enough memory for %" G_GINT64_FORMAT " pixels.", b.numbers);
  if (!read_block (d, &b, block, error))
    return FALSE;
  gint64 at = 0;
  for (int i = MAX (y, x) + 1; i < (int) d->n; i++)
    if (image->axes[i] < HDF5_OTHER)
      at += first[image->axes[i]] * b.step[i];
  gather (block + (gsize) at * d->bytes, b.step[y], b.step[x], n[HDF5_Y], n[HDF5_X], d->bytes, to);
  return TRUE;
}

gboolean
hdf5_pixels_read (const Hdf5Image *image, const Hdf5Dataset *d, const ProcessRegion *region, guint8 *to,
                  fv_error *error)
{
  gint64 first[HDF5_IMAGE_AXES], n[HDF5_IMAGE_AXES];
  Block all;
  position_of (image, region, first, n);
  for (guint i = 0; i < image->n_axes; i++)
    if (image->axes[i] < HDF5_OTHER && first[image->axes[i]] + n[image->axes[i]] > d->shape[i])
      return process_error (error, FV_BAD_INPUT, "A dataset is smaller than the first one of the image.");
  set_block (image, d, first, n, &all);
  const gint64 row = all.numbers / n[HDF5_Y] * (gint64) d->bytes, rows = CLAMP (MAX_BLOCK / row, 1, n[HDF5_Y]);
  const gint64 end = region->row + region->rows;
  for (; first[HDF5_Y] < end; first[HDF5_Y] += rows) {
    n[HDF5_Y] = MIN (rows, end - first[HDF5_Y]);
    if (!read_rows (image, d, first, n, to, error) || !convert (d, to, (gsize) (n[HDF5_Y] * n[HDF5_X]), error))
      return FALSE;
    to += (gsize) (n[HDF5_Y] * n[HDF5_X]) * d->bytes;
  }
  return TRUE;
}
