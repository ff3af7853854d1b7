/* SPDX-License-Identifier: MIT
 *
 * Frames say where they are in the image, from 1. Or they are all there, row by row, of an optical path after the other, and of its focal planes after one
 * another (PS3.3, C.7.6.17.3). Paths of gray images are channels. Other planes, such as segments, are slices.
 */
#include "core/files/dicom/mosaic.h"

#define MAX_TILES ((gint64) 1 << 26)

/* FALSE: not at the corner of a tile, or the tile has a frame already. */
static gboolean
set_tile (DicomMosaic *self, const DicomHeader *h, guint frame)
{
  const gint64 row = h->frames[frame].tile[0] - 1, column = h->frames[frame].tile[1] - 1;
  if (row < 0 || column < 0 || row >= h->matrix[0] || column >= h->matrix[1] || row % h->rows || column % h->columns)
    return FALSE;
  guint *to = &self->frames[row / h->rows * self->across + column / h->columns];
  if (*to)
    return FALSE;
  *to = frame + 1;
  return TRUE;
}

static gboolean
set_tiles (DicomMosaic *self, const DicomHeader *h)
{
  const gint64 tiles = self->across * self->down;
  if (!h->frames[0].tile[0]) {
    for (guint i = 0; i < h->n_frames; i++)
      self->frames[i] = i + 1;
    return TRUE;
  }
  for (guint i = 0; i < h->n_frames; i++)
    if (!set_tile (self, h, i))
      return FALSE;
  self->missing = (guint) (tiles - h->n_frames);
  return TRUE;
}

/* FALSE: the frames are not those of whole planes. */
static gboolean
set_planes (DicomMosaic *self, const DicomHeader *h)
{
  const gint64 tiles = self->across * self->down, planes = h->n_frames / tiles;
  self->channels = self->depth = 1;
  if (h->frames[0].tile[0])
    return TRUE;
  if (h->colors < DICOM_PALETTE && h->paths > 1 && planes % h->paths == 0)
    self->channels = h->paths;
  self->depth = planes / self->channels;
  return planes > 0 && h->n_frames % tiles == 0;
}

DicomMosaic *
dicom_mosaic_new (const DicomHeader *h)
{
  if (h->matrix[0] < 1 || h->matrix[1] < 1
      || (h->flavor != DICOM_VOLUME && h->n_frames == 1 && h->matrix[0] <= h->rows && h->matrix[1] <= h->columns))
    return NULL;
  g_autoptr (DicomMosaic) self = g_new0 (DicomMosaic, 1);
  self->down = (h->matrix[0] - 1) / h->rows + 1;
  self->across = (h->matrix[1] - 1) / h->columns + 1;
  if (self->across > MAX_TILES / self->down)
    return NULL;
  if (!set_planes (self, h))
    return NULL;
  self->frames = g_new0 (guint, (gsize) (self->across * self->down * self->channels * self->depth));
  return set_tiles (self, h) ? g_steal_pointer (&self) : NULL;
}

void
dicom_mosaic_free (DicomMosaic *self)
{
  g_free (self->frames);
  g_free (self);
}
