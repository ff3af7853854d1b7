/* SPDX-License-Identifier: MIT
 *
 * Band by band, of all planes, so that what is decoded of a band for one channel is there for the others.
 */
#include "core/call/box.h"

#include "core/base/error.h"

#include <string.h>

#define BAND_BYTES ((gsize) 64 << 20)

gboolean
call_box_is (const Op *op)
{
  return !strcmp (op->fv.key, "crop");
}

gboolean
call_box_suits (const CallContext *c)
{
  return call_box_is (c->op) && !c->target.each && image_can_stream (c->inputs[0]);
}

/* Where the output lies in the input. */
static ImageRegion
box_of (const CallContext *c)
{
  const fv_grid *const in[] = {&c->in[0]};
  fv_place mapping = {sizeof (fv_place), TRUE, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, c->op->fv.values};
  c->op->fv.place (c->op->declared, c->call.args, in, &c->out[0], 0, &mapping);
  return (ImageRegion){(gint64) mapping.matrix[1][3], (gint64) mapping.matrix[2][3], c->out[0].shape[1],
                       c->out[0].shape[2]};
}

/* Rows of a band: whole tiles where that can be. */
static gint64
band_rows (Image *image, gsize row_bytes)
{
  const gint64 rows = (gint64) (BAND_BYTES / row_bytes) + 1;
  ImageLevel level;
  image_level (image, 0, &level);
  return MAX (rows / level.tile_rows, 1) * level.tile_rows;
}

/* The rows of a box, which begin at `row` of the output, of all planes. */
static gboolean
read_band (const CallContext *c, const ImageInfo *info, const ImageRegion *band, gint64 row, char *to, GError **error)
{
  const gsize row_bytes = image_info_row_bytes (info), plane_bytes = image_info_plane_bytes (info);
  const gint64 planes = image_info_planes (info);
  for (gint64 i = 0; i < planes; i++) {
    if (progress_report (c->progress, row * planes + band->rows * i, info->rows * planes)) {
      step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
      return FALSE;
    }
    if (!image_read (c->inputs[0], 0, i, band, to + (gsize) i * plane_bytes + (gsize) row * row_bytes, row_bytes,
                     error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_box (const CallContext *c, const ImageInfo *info, char *to, GError **error)
{
  const ImageRegion box = box_of (c);
  const gint64 height = band_rows (c->inputs[0], image_info_row_bytes (info)), end = box.row + box.rows;
  ImageRegion band = box;
  for (; band.row < end; band.row += band.rows) {
    band.rows = MIN (height - band.row % height, end - band.row);
    if (!read_band (c, info, &band, band.row - box.row, to, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
call_box_run (CallContext *c, const ImageInfo *infos, GError **error)
{
  const gboolean discrete = c->device->discrete;
  char *memory = NULL;
  Image *image = discrete ? image_new (infos, error)
                          : image_new_on_device (infos, c->device, c->target.on_disk[0], (void **) &memory, error);
  if (!image)
    return FALSE;
  c->result->images[c->result->n_images++] = image;
  const gboolean done =
    call_context_mark (c, 0, error) && read_box (c, infos, discrete ? image_pixels (image) : memory, error);
  if (!discrete)
    image_off_device (image, c->device);
  return done;
}
