/* SPDX-License-Identifier: MIT
 *
 * Slice by slice, and of each band by band of all channels, so that what is decoded for one channel is there for the others. Slices are read side by
 * side where each is small.
 */
#include "core/call/box.h"

#include "core/base/error.h"
#include "core/base/parallel.h"

#include <string.h>

#define BAND_BYTES ((gsize) 64 << 20)
#define FEW_BYTES ((gsize) 8 << 20)   /* of the channels of a slice: threads read such slices side by side */
#define TILE_BYTES ((gsize) 64 << 20) /* the same of planes that are one tile, which one thread decodes */

gboolean
call_box_is (const Op *op)
{
  static const char *const keys[] = {"crop", "substack", "channel", NULL};
  return g_strv_contains (keys, op->fv.key);
}

gboolean
call_box_reads (const Op *op, Image *image)
{
  return call_box_is (op) && image_comes_from_file (image) && image_missing_bytes (image) > 0;
}

gboolean
call_box_suits (const CallContext *c)
{
  return !c->target.each && c->inputs[0] && call_box_reads (c->op, c->inputs[0])
         && !image_is_on (c->inputs[0], c->device);
}

typedef struct {
  const CallContext *c;
  const ImageInfo *info; /* of the output */
  char *to;
  ImageRegion box; /* where the output lies in planes of the input */
  gint64 height;   /* of a band */
  GMutex lock;
  gint64 done; /* planes of bands; under the lock */
} Reading;

static ImageRegion
box_of (const CallContext *c)
{
  const fv_grid *const in[] = {&c->in[0]};
  fv_place mapping = {sizeof (fv_place), TRUE, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, c->op->fv.values};
  if (c->op->fv.place)
    c->op->fv.place (c->op->declared, c->call.args, in, &c->out[0], 0, &mapping);
  return (ImageRegion){(gint64) mapping.matrix[1][3], (gint64) mapping.matrix[2][3], c->out[0].shape[1],
                       c->out[0].shape[2]};
}

/* The plane of the input that a plane of the output is. */
static gint64
plane_of (const CallContext *c, gint64 plane)
{
  const fv_grid *const in[] = {&c->in[0]};
  const gint64 planes = c->out[0].shape[0];
  guint32 input = 0;
  if (!c->op->fv.plane)
    return plane;
  return plane / planes * c->in[0].shape[0]
         + c->op->fv.plane (c->op->declared, c->call.args, in, &c->out[0], plane % planes, &input);
}

/* Rows of a band: whole tiles where that can be. All channels of the file count, which are decoded together where their pixels alternate. */
static gint64
band_rows (const CallContext *c, const ImageInfo *info)
{
  Image *image = c->inputs[0];
  const gsize row_bytes = image_info_row_bytes (info) * (gsize) image_info (image)->channels,
              bytes = c->target.strip ? MIN (c->target.strip, BAND_BYTES) : BAND_BYTES;
  const gint64 rows = (gint64) (bytes / row_bytes) + 1;
  ImageLevel level;
  image_level (image, 0, &level);
  return MAX (rows / level.tile_rows, 1) * level.tile_rows;
}

/* Whether to go on. */
static gboolean
report (Reading *r, gint64 rows, GError **error)
{
  gboolean stops;
  g_mutex_lock (&r->lock);
  stops = progress_report (r->c->progress, r->done, image_info_planes (r->info) * r->info->rows);
  r->done += rows;
  g_mutex_unlock (&r->lock);
  if (stops)
    step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
  return !stops;
}

/* A band of the channels of a slice. */
static gboolean
read_band (Reading *r, gint64 first, const ImageRegion *band, GError **error)
{
  const ImageInfo *info = r->info;
  const gsize stride = image_info_row_bytes (info);
  for (gint64 c = 0; c < info->channels; c++) {
    const gint64 plane = first + c * info->depth;
    char *to = r->to + (gsize) plane * image_info_plane_bytes (info) + (gsize) (band->row - r->box.row) * stride;
    if (!report (r, band->rows, error)
        || !image_read (r->c->inputs[0], 0, plane_of (r->c, plane), band, to, stride, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_slice (gpointer data, guint64 i, GError **error)
{
  Reading *r = data;
  const gint64 depth = r->info->depth, end = r->box.row + r->box.rows,
               first = (gint64) i / depth * r->info->channels * depth + (gint64) i % depth;
  ImageRegion band = r->box;
  for (; band.row < end; band.row += band.rows) {
    band.rows = MIN (r->height - band.row % r->height, end - band.row);
    if (!read_band (r, first, &band, error))
      return FALSE;
  }
  return TRUE;
}

/* Whether slices are read side by side. */
static gboolean
are_small (const Reading *r)
{
  const gsize bytes = image_info_plane_bytes (r->info) * (gsize) r->info->channels;
  ImageLevel level;
  image_level (r->c->inputs[0], 0, &level);
  return bytes < FEW_BYTES
         || (bytes < TILE_BYTES && !level.direct && level.tile_rows >= level.rows
             && level.tile_columns >= level.columns);
}

static gboolean
read_box (const CallContext *c, const ImageInfo *info, char *to, GError **error)
{
  Reading r = {.c = c, .info = info, .to = to, .box = box_of (c)};
  r.height = band_rows (c, info);
  g_mutex_init (&r.lock);
  const gboolean done =
    parallel_do ((guint64) (info->frames * info->depth), are_small (&r) ? G_MAXUINT : 1, read_slice, &r, error);
  g_mutex_clear (&r.lock);
  return done;
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
