/* SPDX-License-Identifier: MIT
 *
 * Tags: TIFF 6.0, its supplements and BigTIFF; 50838 and 50839 are ImageJ's.
 */
#include "core/files/tiff/writer.h"

#include "core/files/shared/imagej.h"
#include "core/files/shared/samples.h"

#include <math.h>
#include <string.h>
#include <tiffio.h>

static const char software[] = "Fovea " FOVEA_VERSION;

/* ---- Directories ---- */

/* The same number for every sample. */
static void
add_per_sample (FilesTiffIfd *d, guint16 tag, guint16 samples, guint16 value)
{
  const guint16 values[] = {value, value, value};
  files_tiff_ifd_add (d, tag, TIFF_TYPE_SHORT, samples, values);
}

static void
add_resolution (const FilesTiffWriter *w, FilesTiffIfd *d)
{
  if (w->resolution[0][1] && w->resolution[1][1]) {
    files_tiff_ifd_add (d, TIFFTAG_XRESOLUTION, TIFF_TYPE_RATIONAL, 1, w->resolution[1]);
    files_tiff_ifd_add (d, TIFFTAG_YRESOLUTION, TIFF_TYPE_RATIONAL, 1, w->resolution[0]);
  }
}

static void
add_chunks (const FilesTiffWritten *p, FilesTiffIfd *d)
{
  files_tiff_ifd_add_long (d, TIFFTAG_TILEWIDTH, (guint64) p->chunk_columns);
  files_tiff_ifd_add_long (d, TIFFTAG_TILELENGTH, (guint64) p->chunk_rows);
  files_tiff_ifd_add_longs (d, TIFFTAG_TILEOFFSETS, p->n, p->offsets);
  files_tiff_ifd_add_longs (d, TIFFTAG_TILEBYTECOUNTS, p->n, p->counts);
}

void
files_tiff_add_tags (gconstpointer written, FilesTiffIfd *d)
{
  const FilesTiffWritten *p = written;
  const FilesTiffWriter *w = p->writer;
  gboolean first = p->page == 0 && p->level == 0;
  g_autofree char *description = first ? files_imagej_description (w->info) : NULL;
  files_tiff_ifd_add_long (d, TIFFTAG_SUBFILETYPE, p->level ? FILETYPE_REDUCEDIMAGE : 0);
  files_tiff_ifd_add_long (d, TIFFTAG_IMAGEWIDTH, (guint64) p->columns);
  files_tiff_ifd_add_long (d, TIFFTAG_IMAGELENGTH, (guint64) p->rows);
  add_per_sample (d, TIFFTAG_BITSPERSAMPLE, w->samples, (guint16) w->stored.bits);
  files_tiff_ifd_add_short (d, TIFFTAG_COMPRESSION, p->compression);
  files_tiff_ifd_add_short (d, TIFFTAG_PHOTOMETRIC, w->samples == 3 ? 2 : w->info->inverted ? 0 : 1);
  if (description)
    files_tiff_ifd_add (d, TIFFTAG_IMAGEDESCRIPTION, TIFF_TYPE_ASCII, strlen (description) + 1, description);
  if (!p->tiled)
    files_tiff_ifd_add_longs (d, TIFFTAG_STRIPOFFSETS, p->n, p->offsets);
  files_tiff_ifd_add_short (d, TIFFTAG_SAMPLESPERPIXEL, w->samples);
  if (!p->tiled) {
    files_tiff_ifd_add_long (d, TIFFTAG_ROWSPERSTRIP, (guint64) p->chunk_rows);
    files_tiff_ifd_add_longs (d, TIFFTAG_STRIPBYTECOUNTS, p->n, p->counts);
  }
  if (p->level == 0)
    add_resolution (w, d);
  files_tiff_ifd_add_short (d, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  files_tiff_ifd_add_short (d, TIFFTAG_RESOLUTIONUNIT,
                            strcmp (w->info->units[2], "inch") ? RESUNIT_NONE : RESUNIT_INCH);
  if (first)
    files_tiff_ifd_add (d, TIFFTAG_SOFTWARE, TIFF_TYPE_ASCII, sizeof software, software);
  if (p->differences)
    files_tiff_ifd_add_short (d, TIFFTAG_PREDICTOR, 2);
  if (p->tiled)
    add_chunks (p, d);
  if (p->n_levels)
    files_tiff_ifd_add_longs (d, TIFFTAG_SUBIFD, p->n_levels, p->levels);
  add_per_sample (d, TIFFTAG_SAMPLEFORMAT, w->samples, w->stored.format);
  if (first && w->extras->len) {
    files_tiff_ifd_add (d, 50838, TIFF_TYPE_LONG, w->counts->len / 4, w->counts->data);
    files_tiff_ifd_add (d, 50839, TIFF_TYPE_BYTE, w->extras->len, w->extras->data);
  }
}

void
files_tiff_append_header (GByteArray *to, gboolean big, guint64 first)
{
  g_byte_array_append (to, (const guint8 *) (G_BYTE_ORDER == G_LITTLE_ENDIAN ? "II" : "MM"), 2);
  files_tiff_append_number (to, big ? 43 : 42, 2);
  if (big) {
    files_tiff_append_number (to, 8, 2);
    files_tiff_append_number (to, 0, 2);
  }
  files_tiff_append_number (to, first, big ? 8 : 4);
}

/* ---- Pixels ---- */

gboolean
files_tiff_make_samples (const FilesTiffWriter *w, const void *const planes[3], gsize first, gsize n, guint8 *to,
                         GError **error)
{
  gsize bytes = w->stored.bits / 8, made = n;
  if (w->samples == 3)
    files_samples_interleave (to, (const guint8 *const *) planes, 1, (gint64) first, (gint64) n);
  else if (w->stored.copied)
    memcpy (to, (const guint8 *) planes[0] + first * bytes, n * bytes);
  else
    made = files_tiff_narrow (&w->stored, planes[0], first, n, to);
  return made == n
         || file_fail (error, FILE_ERROR_WRITE, w->path, "cannot be written: '%s' has values that %s does not hold.",
                       w->info->name, w->stored.name);
}

/* Pages run channel by channel, then slice, then frame. */
gboolean
files_tiff_page_planes (const FilesTiffWriter *w, gint64 page, const void *planes[3], GError **error)
{
  const ImageInfo *info = w->info;
  gint64 groups = info->channels / w->samples, channel = page % groups * w->samples;
  gint64 slice = page / groups % info->depth, frame = page / groups / info->depth;
  for (int s = 0; s < w->samples; s++)
    if (!(planes[s] = image_plane (w->image, (frame * info->channels + channel + s) * info->depth + slice, error)))
      return FALSE;
  return TRUE;
}

/* ---- Calibration and ImageJ's own tags ---- */

/* The fraction of 32-bit numbers that is nearest to `value`, by continued fractions; FALSE when there is none near. */
static gboolean
fraction (double value, guint32 of[2])
{
  double before[2] = {0, 1}, now[2] = {1, 0}, rest = value;
  if (!(value > 0))
    return FALSE;
  for (int i = 0; i < 64; i++) {
    double whole = floor (rest), next[2] = {whole * now[0] + before[0], whole * now[1] + before[1]};
    if (!(next[0] <= G_MAXUINT32 && next[1] <= G_MAXUINT32))
      break;
    memcpy (before, now, sizeof now);
    memcpy (now, next, sizeof now);
    if (now[0] / now[1] == value || rest == whole)
      break;
    rest = 1 / (rest - whole);
  }
  of[0] = (guint32) now[0];
  of[1] = (guint32) now[1];
  return now[1] > 0 && fabs (now[0] / now[1] / value - 1) < 1e-6;
}

gboolean
files_tiff_set_resolution (FilesTiffWriter *w, GError **error)
{
  const ImageInfo *info = w->info;
  if (!*info->units[1] && !*info->units[2] && info->spacing[1] == 1 && info->spacing[2] == 1)
    return TRUE;
  for (int i = 0; i < 2; i++)
    if (!fraction (1 / info->spacing[1 + i], w->resolution[i]))
      return file_fail (error, FILE_ERROR_WRITE, w->path,
                        "cannot be written: TIFF cannot hold a pixel size of %g %s; "
                        "give it in another unit.",
                        info->spacing[1 + i], info->units[1 + i]);
  return TRUE;
}

/* The parts of ImageJ's data: a header entry of each kind and, by counts, the sizes of its parts. */
typedef struct {
  FilesTiffWriter *w;
  GByteArray *header, *parts;
} Extras;

static void
add_kind (Extras *e, guint32 name, guint64 n)
{
  files_tiff_append_number (e->header, name, 4);
  files_tiff_append_number (e->header, n, 4);
}

static void
add_part (Extras *e, gconstpointer data, gsize bytes)
{
  files_tiff_append_number (e->w->counts, bytes, 4);
  if (bytes)
    g_byte_array_append (e->parts, data, (guint) bytes);
}

static void
add_text (Extras *e, const char *text)
{
  glong units = 0;
  g_autofree gunichar2 *utf16 = g_utf8_to_utf16 (text, -1, NULL, &units, NULL);
  add_part (e, utf16, utf16 ? (gsize) units * 2 : 0);
}

/* Of planes as files have them, channel by channel: what they are called, or which channel they are of. */
static void
add_labels (Extras *e)
{
  const ImageInfo *info = e->w->info;
  const gint64 channels = info->channels / e->w->samples;
  char *const *labels = files_imagej_has_labels (info) ? info->notes->labels : NULL;
  if (!labels && (!info->channel_names || info->role == FV_RGB))
    return;
  add_kind (e, 0x6c61626c, (guint64) e->w->pages); /* labl */
  for (gint64 page = 0; page < e->w->pages; page++) {
    const gint64 channel = page % channels, slice = page / channels % info->depth,
                 frame = page / channels / info->depth;
    add_text (e, labels ? labels[(frame * channels + channel) * info->depth + slice] : info->channel_names[channel]);
  }
}

static void
add_ranges (Extras *e)
{
  const ImageInfo *info = e->w->info;
  if (!info->display_ranges || info->role == FV_RGB)
    return;
  add_kind (e, 0x72616e67, 1); /* rang */
  add_part (e, info->display_ranges, (gsize) info->channels * 2 * sizeof (double));
}

/* Ramps from black to the channel's color: 256 reds, 256 greens, 256 blues. */
static void
add_luts (Extras *e)
{
  const ImageInfo *info = e->w->info;
  if (!info->channel_colors || info->role == FV_RGB)
    return;
  add_kind (e, 0x6c757473, (guint64) info->channels); /* luts */
  for (gint64 c = 0; c < info->channels; c++) {
    guint8 lut[768];
    for (guint i = 0; i < 768; i++)
      lut[i] = (guint8) (((info->channel_colors[c] >> (16 - i / 256 * 8) & 0xff) * (i % 256) + 127) / 255);
    add_part (e, lut, sizeof lut);
  }
}

static void
add_info (Extras *e)
{
  const ImageNotes *notes = e->w->info->notes;
  if (notes && notes->info) {
    add_kind (e, 0x696e666f, 1); /* info */
    add_text (e, notes->info);
  }
}

static void
add_bytes (Extras *e, GBytes *bytes)
{
  gsize n;
  gconstpointer data = g_bytes_get_data (bytes, &n);
  add_part (e, data, n);
}

static void
add_selections (Extras *e)
{
  const ImageNotes *notes = e->w->info->notes;
  if (notes && notes->roi) {
    add_kind (e, 0x726f6920, 1); /* roi */
    add_bytes (e, notes->roi);
  }
  if (notes && notes->overlay)
    add_kind (e, 0x6f766572, notes->overlay->len); /* over */
  for (guint i = 0; notes && notes->overlay && i < notes->overlay->len; i++)
    add_bytes (e, notes->overlay->pdata[i]);
}

static void
add_properties (Extras *e)
{
  const ImageNotes *notes = e->w->info->notes;
  if (!notes || !notes->properties)
    return;
  add_kind (e, 0x70726f70, g_strv_length (notes->properties)); /* prop */
  for (char *const *text = notes->properties; *text; text++)
    add_text (e, *text);
}

/* Kinds come in ImageJ's order. */
void
files_tiff_set_extras (FilesTiffWriter *w)
{
  g_autoptr (GByteArray) header = g_byte_array_new (), parts = g_byte_array_new (), counts = NULL;
  Extras e = {w, header, parts};
  files_tiff_append_number (header, 0x494a494a, 4); /* IJIJ */
  add_info (&e);
  add_labels (&e);
  add_ranges (&e);
  add_luts (&e);
  add_selections (&e);
  add_properties (&e);
  if (header->len == 4)
    return;
  counts = g_steal_pointer (&w->counts);
  w->counts = g_byte_array_new ();
  files_tiff_append_number (w->counts, header->len, 4);
  g_byte_array_append (w->counts, counts->data, counts->len);
  g_byte_array_append (w->extras, header->data, header->len);
  g_byte_array_append (w->extras, parts->data, parts->len);
}
