/* SPDX-License-Identifier: MIT
 *
 * Frames say where they are in the image, from 1. Or they are all there, row by row, of an optical path after the other, and of its focal planes after one
 * another (PS3.3, C.7.6.17.3). Paths of gray images are channels. Other planes, such as segments, are slices.
 */
#include "core/files/dicom/mosaic.h"

#define MAX_TILES ((gint64) 1 << 26)

static const DicomFrame *
frame_of (const DicomPlane *plane)
{
  return plane->file->header->frames + plane->frame;
}

/* In all files of a concatenation. */
static gint64
index_of (const DicomPlane *plane)
{
  return MAX (plane->file->header->first_frame, 0) + plane->frame;
}

/* FALSE: not at the corner of a tile, or the tile has a frame already. */
static gboolean
set_tile (DicomMosaic *self, const DicomPlane *frames, guint i)
{
  const DicomHeader *h = frames->file->header;
  const gint64 row = frame_of (frames + i)->tile[0] - 1, column = frame_of (frames + i)->tile[1] - 1;
  if (row < 0 || column < 0 || row >= h->matrix[0] || column >= h->matrix[1] || row % h->rows || column % h->columns)
    return FALSE;
  guint *to = &self->frames[row / h->rows * self->across + column / h->columns];
  if (*to)
    return FALSE;
  *to = i + 1;
  return TRUE;
}

static gboolean
set_tiles (DicomMosaic *self, const DicomPlane *frames, guint n)
{
  const gint64 tiles = self->across * self->down * self->channels * self->depth;
  const gboolean in_order = !frame_of (frames)->tile[0];
  for (guint i = 0; i < n; i++)
    if (in_order)
      self->frames[index_of (frames + i)] = i + 1;
    else if (!set_tile (self, frames, i))
      return FALSE;
  self->missing = (guint) (tiles - n);
  return TRUE;
}

/* FALSE: the frames are not those of whole planes, or there are too many. The last parts of a concatenation can be missing. */
static gboolean
set_planes (DicomMosaic *self, const DicomPlane *frames, guint n)
{
  const DicomHeader *h = frames->file->header;
  const gint64 tiles = self->across * self->down, end = index_of (frames + n - 1) + 1;
  const gint64 paths = CLAMP (h->paths, 1, MAX_TILES), focal = CLAMP (h->focal, 1, MAX_TILES / paths);
  gint64 planes = end / tiles;
  self->channels = self->depth = 1;
  if (frame_of (frames)->tile[0])
    return TRUE;
  if (h->first_frame >= 0)
    planes = MAX ((end + tiles - 1) / tiles, paths * focal);
  if (h->colors < DICOM_PALETTE && h->paths > 1 && planes % h->paths == 0)
    self->channels = h->paths;
  self->depth = planes / self->channels;
  /* Of planes that no file has, the header knows. */
  return planes > 0 && planes <= MAX_TILES / tiles && planes <= MAX (paths * focal, n)
         && (h->first_frame >= 0 || end % tiles == 0);
}

DicomMosaic *
dicom_mosaic_new (const DicomPlane *frames, guint n)
{
  const DicomHeader *h = frames->file->header;
  if (h->matrix[0] < 1 || h->matrix[1] < 1
      || (h->flavor != DICOM_VOLUME && n == 1 && h->matrix[0] <= h->rows && h->matrix[1] <= h->columns))
    return NULL;
  g_autoptr (DicomMosaic) self = g_new0 (DicomMosaic, 1);
  self->down = (h->matrix[0] - 1) / h->rows + 1;
  self->across = (h->matrix[1] - 1) / h->columns + 1;
  if (self->across > MAX_TILES / self->down)
    return NULL;
  if (!set_planes (self, frames, n))
    return NULL;
  self->frames = g_new0 (guint, (gsize) (self->across * self->down * self->channels * self->depth));
  return set_tiles (self, frames, n) ? g_steal_pointer (&self) : NULL;
}

void
dicom_mosaic_free (DicomMosaic *self)
{
  g_free (self->frames);
  g_free (self);
}
