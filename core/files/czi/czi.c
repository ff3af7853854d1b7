/* SPDX-License-Identifier: MIT
 *
 * The source of an image. Gray pixels that are not compressed are read into their rows; all others are decoded as sub-blocks, which are kept for a
 * while.
 */
#include "core/files/czi/czi.h"

#include "core/base/parallel.h"
#include "core/data/pixel_type.h"
#include "core/files/czi/block.h"
#include "core/files/czi/info.h"
#include "core/files/czi/mosaic.h"
#include "core/files/shared/decoded.h"

enum { PIECE = 1 << 20 /* bytes of a thread's piece of what is not compressed */ };

typedef struct {
  FilesCziLayout *layout;
  const FilesCziImage *image;
  FilesDecoded *kept;
  gsize bytes;       /* of a sample */
  gboolean direct[]; /* of each level: any region is read as it is */
} Source;

/* A region that is being read. */
typedef struct {
  Source *source;
  const ImageRegion *region;
  GArray *parts;  /* FilesCziPart */
  GArray *pieces; /* guint: the first part of each piece, and the number of parts at the end */
  guint sample;   /* of each pixel */
  guint8 *to;
  gsize stride;
} Reading;

/* ---- Parts ---- */

static guint8 *
row_of (const Reading *r, const ImageRegion *seen, gint64 row)
{
  return r->to + (gsize) (seen->row + row - r->region->row) * r->stride
         + (gsize) (seen->column - r->region->column) * r->source->bytes;
}

static void
clear (const Reading *r, const ImageRegion *seen)
{
  for (gint64 y = 0; y < seen->rows; y++)
    memset (row_of (r, seen, y), 0, (gsize) seen->columns * r->source->bytes);
}

static gboolean
is_direct (const FilesCziBlock *block, const FilesCziPixel *pixel)
{
  return block->compression == FILES_CZI_RAW && pixel->samples == 1;
}

/* Of a sub-block that is not compressed, of one sample. */
static gboolean
read_rows (const Reading *r, const FilesCziPart *part, GError **error)
{
  FilesBytes *bytes = r->source->layout->bytes;
  const FilesCziBlock *block = part->tile->block;
  const ImageRegion *seen = &part->seen;
  const gsize row = (gsize) block->columns * r->source->bytes, wanted = (gsize) seen->columns * r->source->bytes;
  const gint64 together = wanted == row && r->stride == row ? seen->rows : 1;
  FilesCziData data;
  if (!files_czi_block_find (bytes, block, &data, error))
    return FALSE;
  const guint64 from = data.at + (guint64) (seen->row - part->tile->row) * row
                       + (guint64) (seen->column - part->tile->column) * r->source->bytes;
  gboolean done = data.bytes >= files_czi_block_bytes (block, r->source->image->pixel);
  for (gint64 y = 0; y < seen->rows && done; y += together)
    done = files_bytes_read (bytes, from + (guint64) y * row, row_of (r, seen, y), wanted * (gsize) together);
  return done
         || file_fail (error, FILE_ERROR_DAMAGED, bytes->path,
                       "is damaged or truncated: the sub-block at byte %" G_GINT64_FORMAT
                       " has fewer bytes than its pixels need.",
                       block->at);
}

/* Inlined where `bytes` is a constant, so that the compiler makes moves of it. */
static inline void
pick (gsize bytes, const guint8 *restrict from, gsize step, gsize n, guint8 *restrict to)
{
  for (gsize i = 0; i < n; i++)
    memcpy (to + i * bytes, from + i * step, bytes);
}

static void
pick_samples (gsize bytes, const guint8 *from, gsize samples, gsize n, guint8 *to)
{
  if (samples == 1)
    memcpy (to, from, n * bytes);
  else if (bytes == 1)
    pick (1, from, samples, n, to);
  else if (bytes == 2)
    pick (2, from, 2 * samples, n, to);
  else
    pick (4, from, 4 * samples, n, to);
}

static void
copy_rows (const Reading *r, const FilesCziPart *part, const guint8 *pixels)
{
  const gsize bytes = r->source->bytes, samples = r->source->image->pixel->samples;
  const ImageRegion *seen = &part->seen;
  const gsize columns = (gsize) part->tile->block->columns, column = (gsize) (seen->column - part->tile->column);
  for (gint64 y = 0; y < seen->rows; y++) {
    const gsize row = (gsize) (seen->row - part->tile->row + y);
    pick_samples (bytes, pixels + ((row * columns + column) * samples + r->sample) * bytes, samples,
                  (gsize) seen->columns, row_of (r, seen, y));
  }
}

static const FilesCziPart *
part_at (const Reading *r, guint i)
{
  return &g_array_index (r->parts, FilesCziPart, i);
}

/* The parts of one tile. */
static gboolean
read_tile (const Reading *r, guint first, guint end, GError **error)
{
  guint64 used = 0;
  for (guint i = first; i < end; i++)
    used += (guint64) part_at (r, i)->seen.rows * (guint64) part_at (r, i)->seen.columns;
  const Source *s = r->source;
  const FilesCziBlock *block = part_at (r, first)->tile->block;
  g_autoptr (FilesDecodedPart) pixels =
    files_decoded_take (s->kept, block, files_czi_block_bytes (block, s->image->pixel), used * s->bytes, error);
  for (guint i = first; i < end && pixels; i++)
    copy_rows (r, part_at (r, i), files_decoded_bytes (pixels));
  return pixels != NULL;
}

static gboolean
read_piece (gpointer data, guint64 piece, GError **error)
{
  const Reading *r = data;
  const guint first = g_array_index (r->pieces, guint, piece), end = g_array_index (r->pieces, guint, piece + 1);
  const FilesCziPart *part = part_at (r, first);
  if (!part->tile) {
    clear (r, &part->seen);
    return TRUE;
  }
  return is_direct (part->tile->block, r->source->image->pixel) ? read_rows (r, part, error)
                                                                : read_tile (r, first, end, error);
}

/* ---- Regions ---- */

/* Cuts a part into bands of about PIECE bytes, behind the others. */
static void
add_bands (const Reading *r, GArray *parts, const FilesCziPart *part)
{
  const gint64 rows = PIECE / (part->seen.columns * (gint64) r->source->bytes) + 1;
  for (gint64 y = 0; y < part->seen.rows; y += rows) {
    FilesCziPart band = *part;
    band.seen.row += y;
    band.seen.rows = MIN (rows, part->seen.rows - y);
    g_array_append_val (parts, band);
  }
}

/* Parts that need no decoding are cut into bands; those of a tile that does are one piece. */
static void
make_pieces (Reading *r)
{
  const FilesCziPixel *pixel = r->source->image->pixel;
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (FilesCziPart));
  const FilesCziTile *before = NULL;
  r->pieces = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < r->parts->len; i++) {
    const FilesCziPart *part = part_at (r, i);
    const gboolean decoded = part->tile && !is_direct (part->tile->block, pixel);
    guint first = parts->len;
    if (decoded)
      g_array_append_vals (parts, part, 1);
    else
      add_bands (r, parts, part);
    for (; first < parts->len; first++)
      if (!decoded || part->tile != before)
        g_array_append_val (r->pieces, first);
    before = part->tile;
  }
  g_array_append_val (r->pieces, parts->len);
  g_array_unref (r->parts);
  r->parts = parts;
}

/* The sub-blocks' plane of a plane of the image, and the sample there. */
static gint64
sub_block_plane (const FilesCziImage *image, gint64 plane, guint *sample)
{
  const gint64 samples = image->pixel->samples, z = plane % image->depth, others = plane / image->depth;
  *sample = 0;
  if (samples == 1)
    return plane;
  *sample = (guint) (others % samples);
  if (*sample < 3)
    *sample = 2 - *sample; /* blue comes first */
  return others / samples * image->depth + z;
}

static gboolean
source_read (gpointer self, guint level, gint64 plane, const ImageRegion *region, void *to, gsize stride,
             GError **error)
{
  Source *s = self;
  Reading r = {.source = s, .region = region, .to = to, .stride = stride};
  const FilesCziTile *tiles;
  const guint n =
    files_czi_level_tiles (files_czi_level (s->image, level), sub_block_plane (s->image, plane, &r.sample), &tiles);
  r.parts = files_czi_mosaic (tiles, n, region);
  make_pieces (&r);
  const gboolean done = parallel_do (r.pieces->len - 1, G_MAXUINT, read_piece, &r, error);
  g_array_unref (r.parts);
  g_array_unref (r.pieces);
  return done;
}

static gboolean
source_level (gpointer self, guint n, ImageLevel *level)
{
  const Source *s = self;
  const FilesCziLevel *own = files_czi_level (s->image, n);
  if (own)
    *level = (ImageLevel){own->rows, own->columns, own->tile_rows, own->tile_columns, s->direct[n]};
  return own != NULL;
}

/* ---- Opening ---- */

static guint8 *
decode (gpointer self, gconstpointer block, GError **error)
{
  const Source *s = self;
  return files_czi_block_decode (s->layout->bytes, block, s->image->pixel, error);
}

static void
source_free (gpointer self)
{
  Source *s = self;
  files_decoded_free (s->kept);
  files_czi_layout_unref (s->layout);
  g_free (s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Source, source_free)

/* Whether all sub-blocks can be decoded, as far as the directory says. */
static gboolean
check_tiles (const Source *s, const FilesCziLevel *level, gboolean *direct, GError **error)
{
  *direct = TRUE;
  for (guint i = 0; i < level->tiles->len; i++) {
    const FilesCziBlock *block = g_array_index (level->tiles, FilesCziTile, i).block;
    if (!files_czi_block_known (s->layout->bytes, block, error))
      return FALSE;
    *direct = *direct && is_direct (block, s->image->pixel);
  }
  return TRUE;
}

Image *
files_czi_open (gpointer data, guint n, GError **error)
{
  static const ImageSource functions = {source_level, source_read, source_free};
  FilesCziLayout *layout = data;
  const FilesCziImage *image = layout->images->pdata[n];
  g_autoptr (Source) s = g_malloc0 (sizeof (Source) + image->levels->len * sizeof (gboolean));
  ImageInfo info;
  s->layout = files_czi_layout_ref (layout);
  s->image = image;
  s->kept = files_decoded_new (decode, s);
  s->bytes = pixel_type_bytes (image->pixel->type);
  for (guint i = 0; i < image->levels->len; i++)
    if (!check_tiles (s, files_czi_level (image, i), &s->direct[i], error))
      return NULL;
  files_czi_info (layout, n, &info);
  Image *opened =
    image_info_check (&info, error) ? image_new_from_source (&info, &functions, g_steal_pointer (&s), error) : NULL;
  image_info_clear (&info);
  return opened;
}
