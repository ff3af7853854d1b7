/* SPDX-License-Identifier: MIT
 */
#include "core/files/jpeg2000/codestream.h"

#include "core/base/file_error.h"
#include "core/base/progress.h"
#include "core/files/shared/big.h"
#include "core/files/shared/jpeg2000_stream.h"

enum {
  MAX_STEP = 4, /* of subsampled components */
  ALIGNED = 12, /* which all steps up to that divide */
  MAX_COMPONENTS = 1024,
  MAX_BITS = 24,       /* of more OpenJPEG loses the last ones */
  TILE_PART = 14,      /* bytes that each tile has at least: SOT and SOD */
  PRECINCT_SHIFT = 30, /* pixels of a precinct, for which there is at least a byte */
};

typedef struct {
  FilesJpeg2000Part part;
  opj_codec_t *codec;
  opj_stream_t *stream;
  opj_image_t *image;
} Decoder;

static void
decoder_clear (Decoder *d)
{
  g_clear_pointer (&d->image, opj_image_destroy);
  g_clear_pointer (&d->stream, opj_stream_destroy);
  g_clear_pointer (&d->codec, opj_destroy_codec);
}

/* Until the header has been read. FALSE when it cannot be. */
static gboolean
decoder_open (Decoder *d, const FilesJ2k *j, guint level, guint threads)
{
  opj_dparameters_t parameters;
  *d = (Decoder){.part = {.bytes = j->bytes, .start = j->at, .n = j->size}};
  d->codec = opj_create_decompress (OPJ_CODEC_J2K);
  d->stream = files_jpeg2000_stream_new (&d->part);
  opj_set_default_decoder_parameters (&parameters);
  parameters.cp_reduce = level;
  return d->codec && d->stream && opj_setup_decoder (d->codec, &parameters)
         && (threads < 2 || opj_codec_set_threads (d->codec, (int) threads))
         && opj_read_header (d->stream, d->codec, &d->image);
}

gint64
files_j2k_at_level (gint64 at, guint level)
{
  return (at + ((gint64) 1 << level) - 1) >> level;
}

/* ---- The header ---- */

static gboolean
read_component (FilesJ2k *j, const opj_image_comp_t *from, FilesJ2kComponent *to, GError **error)
{
  *to = (FilesJ2kComponent){from->prec, from->sgnd != 0, from->dx, from->dy};
  j->is_subsampled |= to->dx > 1 || to->dy > 1;
  if (to->bits < 1 || to->bits > MAX_BITS)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, j->bytes->path,
                      "has pixels of %u bits; at most %d are read exactly. Save it as TIFF.", to->bits, MAX_BITS);
  if (to->is_signed != j->components[0].is_signed)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, j->bytes->path,
                      "has signed and unsigned components, which cannot be read together; save it as TIFF.");
  return (to->dx >= 1 && to->dx <= MAX_STEP && to->dy >= 1 && to->dy <= MAX_STEP && j->column % to->dx == 0
          && j->row % to->dy == 0)
         || file_fail (error, FILE_ERROR_UNSUPPORTED, j->bytes->path,
                       "has components with one number for %u×%u pixels, which cannot be read; save it as TIFF.",
                       to->dx, to->dy);
}

/* Of all components; a codestream without it has one. */
static guint
levels_of (opj_codec_t *codec, guint n_components)
{
  opj_codestream_info_v2_t *about = opj_get_cstr_info (codec);
  guint levels = about && about->m_default_tile_info.tccp_info ? 32 : 1;
  for (guint i = 0; levels > 1 && i < n_components; i++)
    levels = MIN (levels, about->m_default_tile_info.tccp_info[i].numresolutions);
  if (about)
    opj_destroy_cstr_info (&about);
  return MAX (levels, 1);
}

/* Whether its main header has the marker CAP, as blocks of high throughput need it (ITU-T T.814): OpenJPEG 2.5.0 decodes parts of them wrongly. */
static gboolean
has_fast_blocks (const FilesJ2k *j)
{
  enum { CAP = 0xff50, SOT = 0xff90 };
  guint8 head[4];
  guint marker = 0;
  for (guint64 at = j->at + 2; marker != CAP && marker != SOT && files_bytes_read (j->bytes, at, head, sizeof head);
       at += 2 + files_big (head + 2, 2))
    marker = (guint) files_big (head, 2);
  return marker == CAP;
}

static void
read_tiles (FilesJ2k *j, opj_codec_t *codec)
{
  opj_codestream_info_v2_t *about = opj_get_cstr_info (codec);
  j->tile_row = about ? about->ty0 : 0;
  j->tile_column = about ? about->tx0 : 0;
  j->tile_rows = about ? MAX ((gint64) about->tdy, 1) : j->rows;
  j->tile_columns = about ? MAX ((gint64) about->tdx, 1) : j->columns;
  if (about)
    opj_destroy_cstr_info (&about);
  if (!(j->is_whole = has_fast_blocks (j)))
    return;
  j->tile_row = j->row;
  j->tile_column = j->column;
  j->tile_rows = j->rows;
  j->tile_columns = j->columns;
}

/* Whether the bytes can be so many pixels. */
static gboolean
can_be (const FilesJ2k *j)
{
  const gint64 down = (j->row + j->rows - 1 - j->tile_row) / j->tile_rows + 1;
  const gint64 across = (j->column + j->columns - 1 - j->tile_column) / j->tile_columns + 1;
  const guint64 tiles = (guint64) down * (guint64) across, pixels = (guint64) (j->rows * j->columns);
  return tiles <= j->size / TILE_PART && pixels >> PRECINCT_SHIFT <= j->size;
}

static gboolean
read_header (FilesJ2k *j, const Decoder *d, GError **error)
{
  const opj_image_t *image = d->image;
  *j = (FilesJ2k){.bytes = j->bytes, .at = j->at, .size = j->size, .row = image->y0, .column = image->x0};
  j->rows = (gint64) image->y1 - image->y0;
  j->columns = (gint64) image->x1 - image->x0;
  if (j->rows < 1 || j->columns < 1 || image->x1 > G_MAXINT32 || image->y1 > G_MAXINT32 || !image->numcomps)
    return file_fail (error, FILE_ERROR_DAMAGED, j->bytes->path, "is damaged: it has no size.");
  read_tiles (j, d->codec);
  if (!can_be (j))
    return file_fail (error, FILE_ERROR_DAMAGED, j->bytes->path,
                      "is damaged: it claims %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT " pixels, more than it can hold.",
                      j->columns, j->rows);
  if (image->numcomps > MAX_COMPONENTS)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, j->bytes->path,
                      "has %u components; at most %d are read. Save it as TIFF.", image->numcomps, MAX_COMPONENTS);
  j->n_components = image->numcomps;
  j->components = g_new0 (FilesJ2kComponent, j->n_components);
  j->components[0].is_signed = image->comps[0].sgnd != 0;
  for (guint i = 0; i < j->n_components; i++)
    if (!read_component (j, image->comps + i, j->components + i, error))
      return FALSE;
  j->levels = j->is_subsampled ? 1 : levels_of (d->codec, j->n_components);
  return TRUE;
}

gboolean
files_j2k_read (FilesJ2k *self, GError **error)
{
  Decoder d;
  const gboolean read = decoder_open (&d, self, 0, 1)
                          ? read_header (self, &d, error)
                          : file_fail (error, FILE_ERROR_DAMAGED, self->bytes->path,
                                       "is damaged: the header of its JPEG 2000 codestream cannot be read.");
  decoder_clear (&d);
  return read;
}

/* ---- Pixels ---- */

/* On the grid of the codestream. */
typedef struct {
  gint64 row, column, end_row, end_column;
} Area;

/* What must be decoded for a region: subsampled components begin with a number of their own. */
static Area
area_of (const FilesJ2k *j, guint level, const ImageRegion *region)
{
  const gint64 row = files_j2k_at_level (j->row, level) + region->row,
               column = files_j2k_at_level (j->column, level) + region->column;
  Area area = {row << level, column << level, MIN ((row + region->rows) << level, j->row + j->rows),
               MIN ((column + region->columns) << level, j->column + j->columns)};
  if (j->is_whole)
    return (Area){j->row, j->column, j->row + j->rows, j->column + j->columns};
  if (j->is_subsampled) {
    area.row = MAX (area.row / ALIGNED * ALIGNED, j->row);
    area.column = MAX (area.column / ALIGNED * ALIGNED, j->column);
  }
  return area;
}

/* How many numbers with this step there are of a line of the grid. */
static gint64
count (gint64 first, gint64 end, guint step, guint level)
{
  return files_j2k_at_level ((end + step - 1) / step, level) - files_j2k_at_level ((first + step - 1) / step, level);
}

static void
take_component (const FilesJ2k *j, guint number, const opj_image_comp_t *from, const Area *area, guint level,
                const ImageRegion *region, FilesJ2kTake take, gpointer data)
{
  const FilesJ2kComponent *component = j->components + number;
  const gint64 row = files_j2k_at_level (j->row, level) + region->row,
               column = files_j2k_at_level (j->column, level) + region->column,
               first_row = files_j2k_at_level (area->row, level),
               first_column = files_j2k_at_level (area->column, level);
  g_autofree gint32 *repeated = component->dx > 1 ? g_new (gint32, (gsize) region->columns) : NULL;
  for (gint64 y = 0; y < region->rows; y++) {
    if (!j->is_subsampled) {
      take (data, number, y, from->data + (gsize) (row + y - first_row) * from->w + (column - first_column));
      continue;
    }
    const OPJ_INT32 *numbers = from->data + (gsize) ((row + y) / component->dy - area->row / component->dy) * from->w;
    const gint64 first = area->column / component->dx;
    for (gint64 x = 0; repeated && x < region->columns; x++)
      repeated[x] = numbers[(column + x) / component->dx - first];
    take (data, number, y, repeated ? repeated : numbers + (column - area->column));
  }
}

static gboolean
decode (const FilesJ2k *j, Decoder *d, guint level, const ImageRegion *region, FilesJ2kTake take, gpointer data)
{
  const Area area = area_of (j, level, region);
  if (d->image->numcomps != j->n_components
      || !opj_set_decode_area (d->codec, d->image, (OPJ_INT32) area.column, (OPJ_INT32) area.row,
                               (OPJ_INT32) area.end_column, (OPJ_INT32) area.end_row)
      || !opj_decode (d->codec, d->stream, d->image) || !opj_end_decompress (d->codec, d->stream))
    return FALSE;
  for (guint i = 0; i < j->n_components; i++) {
    const opj_image_comp_t *component = d->image->comps + i;
    if (!component->data || component->w != count (area.column, area.end_column, j->components[i].dx, level)
        || component->h != count (area.row, area.end_row, j->components[i].dy, level))
      return FALSE;
  }
  for (guint i = 0; i < j->n_components; i++)
    take_component (j, i, d->image->comps + i, &area, level, region, take, data);
  return TRUE;
}

gboolean
files_j2k_decode (const FilesJ2k *self, guint level, const ImageRegion *region, guint threads, FilesJ2kTake take,
                  gpointer data, GError **error)
{
  Decoder d;
  const gboolean decoded = decoder_open (&d, self, level, threads) && decode (self, &d, level, region, take, data);
  decoder_clear (&d);
  return decoded
         || (!progress_stopped (error)
             && file_fail (
               error, FILE_ERROR_DAMAGED, self->bytes->path,
               "is damaged or truncated, or does not fit into memory: its JPEG 2000 pixels cannot be decoded."));
}
