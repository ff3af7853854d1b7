/* SPDX-License-Identifier: MIT
 *
 * Header and directories of TIFF (magic 42) and BigTIFF (43), in both byte orders.
 */
#include "core/files/tiff/dir.h"

#include "core/base/file_read.h"

#include <errno.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

#define MAX_FIELDS 4096 /* of one directory */
#define FEW_FIELDS 24   /* read at one go, which is enough for nearly all */
#define MAX_FIELD_BYTES 20
#define MAX_TEXT (G_GUINT64_CONSTANT (256) << 20) /* bytes: a file with holes can claim more than any memory */

/* ---- Bytes ---- */

gboolean
files_tiff_read (const FilesTiffFile *file, guint64 at, void *to, gsize size)
{
  guint8 *p = to;
  if (at > file->size || size > file->size - at)
    return FALSE;
  while (size > 0) {
    gssize n = pread (file->fd, p, size, (off_t) at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    if (file->hash)
      file_hash_saw (file->hash, file->fd, at, p, (gsize) n);
    p += n;
    at += (guint64) n;
    size -= (gsize) n;
  }
  return TRUE;
}

static guint64
get (const FilesTiffFile *file, const guint8 *p, guint bytes)
{
  guint16 v16;
  guint32 v32;
  guint64 v64;
  switch (bytes) {
  case 1: return *p;
  case 2: memcpy (&v16, p, 2); return file->swapped ? GUINT16_SWAP_LE_BE (v16) : v16;
  case 4: memcpy (&v32, p, 4); return file->swapped ? GUINT32_SWAP_LE_BE (v32) : v32;
  default: memcpy (&v64, p, 8); return file->swapped ? GUINT64_SWAP_LE_BE (v64) : v64;
  }
}

static guint
type_bytes (guint16 type)
{
  switch (type) {
  case TIFF_BYTE:
  case TIFF_ASCII:
  case TIFF_SBYTE:
  case TIFF_UNDEFINED: return 1;
  case TIFF_SHORT:
  case TIFF_SSHORT: return 2;
  case TIFF_LONG:
  case TIFF_SLONG:
  case TIFF_FLOAT:
  case TIFF_IFD: return 4;
  case TIFF_RATIONAL:
  case TIFF_SRATIONAL:
  case TIFF_DOUBLE:
  case TIFF_LONG8:
  case TIFF_SLONG8:
  case TIFF_IFD8: return 8;
  default: return 0;
  }
}

static gboolean
is_integer (guint16 type)
{
  return type == TIFF_BYTE || type == TIFF_SHORT || type == TIFF_LONG || type == TIFF_LONG8 || type == TIFF_IFD
         || type == TIFF_IFD8;
}

/* ---- Fields ---- */

gboolean
files_tiff_numbers (const FilesTiffFile *file, const FilesTiffField *field, guint64 first, gsize n, guint64 *out)
{
  guint bytes = type_bytes (field->type);
  guint8 *raw = (guint8 *) out; /* widened from the back, in place */
  if (field->here && first == 0 && n == 1 && is_integer (field->type)) {
    *out = field->value;
    return TRUE;
  }
  if (!is_integer (field->type) || first > field->count || n > field->count - first || first > file->size
      || field->at > file->size || !files_tiff_read (file, field->at + first * bytes, raw, n * bytes))
    return FALSE;
  for (gsize i = n; i-- > 0;)
    out[i] = get (file, raw + i * bytes, bytes);
  return TRUE;
}

char *
files_tiff_bytes (const FilesTiffFile *file, const FilesTiffField *field)
{
  g_autofree char *text = NULL;
  if (field->count == 0 || type_bytes (field->type) != 1 || field->at > file->size
      || field->count > MIN (file->size - field->at, MAX_TEXT))
    return NULL;
  text = g_try_malloc (field->count + 1);
  if (!text || !files_tiff_read (file, field->at, text, field->count))
    return NULL;
  text[field->count] = 0;
  return g_steal_pointer (&text);
}

double
files_tiff_rational (const FilesTiffFile *file, const FilesTiffField *field)
{
  guint8 raw[8];
  guint64 bits;
  if (field->count == 0 || !files_tiff_read (file, field->at, raw, field->type == TIFF_FLOAT ? 4 : 8))
    return 0;
  if (field->type == TIFF_RATIONAL) {
    guint64 denominator = get (file, raw + 4, 4);
    return denominator ? (double) get (file, raw, 4) / (double) denominator : 0;
  }
  bits = get (file, raw, field->type == TIFF_FLOAT ? 4 : 8);
  if (field->type == TIFF_FLOAT) {
    guint32 bits32 = (guint32) bits;
    float v;
    memcpy (&v, &bits32, 4);
    return (double) v;
  }
  if (field->type == TIFF_DOUBLE) {
    double v;
    memcpy (&v, &bits, 8);
    return v;
  }
  return 0;
}

static guint64
number (const FilesTiffFile *file, const FilesTiffField *field, guint64 otherwise)
{
  guint64 value;
  if (field->here && is_integer (field->type))
    return field->value;
  return field->count > 0 && files_tiff_numbers (file, field, 0, 1, &value) ? value : otherwise;
}

static guint16
number16 (const FilesTiffFile *file, const FilesTiffField *field, guint64 otherwise)
{
  return (guint16) MIN (number (file, field, otherwise), G_MAXUINT16);
}

static guint32
number32 (const FilesTiffFile *file, const FilesTiffField *field, guint64 otherwise)
{
  return (guint32) MIN (number (file, field, otherwise), G_MAXUINT32);
}

/* ---- The file ---- */

FilesTiffFile *
files_tiff_file_open (const char *path, GError **error)
{
  g_autoptr (FilesTiffFile) file = g_new0 (FilesTiffFile, 1);
  struct stat about;
  guint8 head[16];
  guint64 magic;

  file->references = 1;
  file->path = g_strdup (path);
  file->fd = file_open_regular (path, 0, &about, error);
  if (file->fd < 0)
    return NULL;
  file->size = (guint64) about.st_size;
  if (!files_tiff_read (file, 0, head, 8) || memcmp (head, head[0] == 'I' ? "II" : "MM", 2)) {
    file_fail (error, FILE_ERROR_FORMAT, file->path, "is not a TIFF file.");
    return NULL;
  }
  file->swapped = (head[0] == 'M') == (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  magic = get (file, head + 2, 2);
  file->big = magic == 43;
  if ((magic != 42 && magic != 43)
      || (file->big && (!files_tiff_read (file, 0, head, 16) || get (file, head + 4, 2) != 8))) {
    file_fail (error, FILE_ERROR_FORMAT, file->path, "is not a TIFF file: its header is wrong.");
    return NULL;
  }
  file->first = file->big ? get (file, head + 8, 8) : get (file, head + 4, 4);
  return g_steal_pointer (&file);
}

FilesTiffFile *
files_tiff_file_ref (FilesTiffFile *file)
{
  g_atomic_int_inc (&file->references);
  return file;
}

void
files_tiff_file_unref (FilesTiffFile *file)
{
  if (!g_atomic_int_dec_and_test (&file->references))
    return;
  if (file->fd >= 0)
    close (file->fd);
  g_clear_pointer (&file->hash, file_hash_free);
  g_free (file->path);
  g_free (file);
}

/* ---- Directories ---- */

/* The fields that are used, by tag. */
typedef struct {
  FilesTiffField subfile, old_subfile, columns, rows, bits, compression, photometric, fill_order, orientation, samples,
    rows_per_strip, planar, resolution_unit, tile_columns, tile_rows, extra, format;
} Fields;

static FilesTiffField *
field_of_tag (Fields *f, FilesTiffPage *page, guint16 tag)
{
  switch (tag) {
  case TIFFTAG_SUBFILETYPE: return &f->subfile;
  case TIFFTAG_OSUBFILETYPE: return &f->old_subfile;
  case TIFFTAG_IMAGEWIDTH: return &f->columns;
  case TIFFTAG_IMAGELENGTH: return &f->rows;
  case TIFFTAG_BITSPERSAMPLE: return &f->bits;
  case TIFFTAG_COMPRESSION: return &f->compression;
  case TIFFTAG_PHOTOMETRIC: return &f->photometric;
  case TIFFTAG_FILLORDER: return &f->fill_order;
  case TIFFTAG_ORIENTATION: return &f->orientation;
  case TIFFTAG_SAMPLESPERPIXEL: return &f->samples;
  case TIFFTAG_ROWSPERSTRIP: return &f->rows_per_strip;
  case TIFFTAG_PLANARCONFIG: return &f->planar;
  case TIFFTAG_RESOLUTIONUNIT: return &f->resolution_unit;
  case TIFFTAG_TILEWIDTH: return &f->tile_columns;
  case TIFFTAG_TILELENGTH: return &f->tile_rows;
  case TIFFTAG_EXTRASAMPLES: return &f->extra;
  case TIFFTAG_SAMPLEFORMAT: return &f->format;
  case TIFFTAG_STRIPOFFSETS:
  case TIFFTAG_TILEOFFSETS: return &page->offsets;
  case TIFFTAG_STRIPBYTECOUNTS:
  case TIFFTAG_TILEBYTECOUNTS: return &page->counts;
  case TIFFTAG_XRESOLUTION: return &page->x_resolution;
  case TIFFTAG_YRESOLUTION: return &page->y_resolution;
  case TIFFTAG_IMAGEDESCRIPTION: return &page->description;
  case TIFFTAG_SUBIFD: return &page->sub_pages;
  case TIFFTAG_COLORMAP: return &page->color_map;
  case 50838: return &page->ij_counts;
  case 50839: return &page->ij_data;
  case 33629: /* MetaMorph's table of planes */ return &page->stk;
  default: return NULL;
  }
}

static gboolean
damaged (const FilesTiffFile *file, gint64 number, const char *fault, GError **error)
{
  return file_fail (error, FILE_ERROR_DAMAGED, file->path, "is damaged: page %" G_GINT64_FORMAT " %s.", number, fault);
}

/* Reads the directory's bytes: the fields and the position of the next one. Free with g_free(). *past: NULL comes because
 * the file is too short. */
static guint8 *
read_raw (const FilesTiffFile *file, guint64 at, guint64 *n_fields, gboolean *past)
{
  guint head = file->big ? 8 : 2, entry = file->big ? 20 : 12, tail = file->big ? 8 : 4;
  gsize size, few = head + FEW_FIELDS * entry + tail;
  g_autofree guint8 *raw = g_malloc (8 + FEW_FIELDS * MAX_FIELD_BYTES + 8);
  *past = at > file->size || file->size - at < head;
  if (at < 8 || *past || !files_tiff_read (file, at, raw, MIN (few, file->size - at)))
    return NULL;
  *n_fields = get (file, raw, head);
  if (*n_fields < 1 || *n_fields > MAX_FIELDS)
    return NULL;
  size = head + *n_fields * entry + tail;
  *past = size > file->size - at;
  if (*past)
    return NULL;
  if (size > few) {
    raw = g_realloc (raw, size);
    if (!files_tiff_read (file, at, raw, size))
      return NULL;
  }
  return g_steal_pointer (&raw);
}

/* The samples' common value of a field that has one for each of them; FALSE when they differ. */
static gboolean
common_number (const FilesTiffFile *file, const FilesTiffField *field, guint16 samples, guint16 *out)
{
  guint64 values[64];
  gsize n = MIN (MIN (field->count, samples), G_N_ELEMENTS (values));
  if (field->count == 0)
    return TRUE;
  if (!files_tiff_numbers (file, field, 0, n, values))
    return FALSE;
  for (gsize i = 1; i < n; i++)
    if (values[i] != values[0])
      return FALSE;
  *out = (guint16) MIN (values[0], G_MAXUINT16);
  return TRUE;
}

static void
set_chunks (const FilesTiffFile *file, const Fields *f, FilesTiffPage *page)
{
  page->tiled = f->tile_columns.count > 0 || f->tile_rows.count > 0;
  if (page->tiled) {
    page->chunk_columns = number32 (file, &f->tile_columns, 0);
    page->chunk_rows = number32 (file, &f->tile_rows, 0);
  } else {
    guint32 rows = number32 (file, &f->rows_per_strip, 0);
    page->chunk_columns = page->columns;
    page->chunk_rows = rows == 0 || rows > page->rows ? page->rows : rows;
  }
}

/* Aperio's numbers for lossy streams of YCbCr and of RGB, the one between them that others use, and the usual one. */
enum { APERIO_YCBCR = 33003, APERIO_RGB = 33005, JPEG2000 = 34712 };

gboolean
files_tiff_page_is_jpeg2000 (const FilesTiffPage *page)
{
  return (page->compression >= APERIO_YCBCR && page->compression <= APERIO_RGB) || page->compression == JPEG2000;
}

gboolean
files_tiff_page_is_jpeg2000_ycbcr (const FilesTiffPage *page)
{
  return files_tiff_page_is_jpeg2000 (page) && page->samples == 3
         && (page->compression == APERIO_YCBCR || page->photometric == PHOTOMETRIC_YCBCR);
}

/* YCbCr becomes RGB on reading, that of JPEG 2000 as its samples are. */
static void
set_color (FilesTiffPage *page)
{
  if (page->photometric != PHOTOMETRIC_YCBCR || files_tiff_page_is_jpeg2000 (page))
    return;
  page->color = page->compression == COMPRESSION_JPEG && page->planar == PLANARCONFIG_CONTIG ? FILES_TIFF_JPEG_YCBCR
                                                                                             : FILES_TIFF_RGBA;
  page->planar = PLANARCONFIG_CONTIG;
}

static gboolean
interpret (const FilesTiffFile *file, const Fields *f, gint64 number, FilesTiffPage *page, GError **error)
{
  page->columns = number32 (file, &f->columns, 0);
  page->rows = number32 (file, &f->rows, 0);
  page->samples = number16 (file, &f->samples, 1);
  page->bits = page->format = 1;
  if (!common_number (file, &f->bits, page->samples, &page->bits)
      || !common_number (file, &f->format, page->samples, &page->format)) {
    return file_fail (error, FILE_ERROR_UNSUPPORTED, file->path,
                      "cannot be read: the samples of page %" G_GINT64_FORMAT " are of different types.", number);
  }
  page->compression = number16 (file, &f->compression, COMPRESSION_NONE);
  page->photometric = number16 (file, &f->photometric, PHOTOMETRIC_MINISBLACK);
  page->fill_order = number16 (file, &f->fill_order, FILLORDER_MSB2LSB);
  page->orientation = number16 (file, &f->orientation, ORIENTATION_TOPLEFT);
  page->planar = number16 (file, &f->planar, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE && page->samples > 1
                   ? PLANARCONFIG_SEPARATE
                   : PLANARCONFIG_CONTIG;
  page->resolution_unit = number16 (file, &f->resolution_unit, RESUNIT_INCH);
  page->extra = (guint16) MIN (f->extra.count, page->samples);
  page->alpha = number16 (file, &f->extra, EXTRASAMPLE_UNSPECIFIED);
  page->subfile = number32 (file, &f->subfile, number16 (file, &f->old_subfile, 0) == OFILETYPE_REDUCEDIMAGE);
  if (page->orientation < 1 || page->orientation > 8)
    page->orientation = ORIENTATION_TOPLEFT;
  set_chunks (file, f, page);
  set_color (page);
  if (page->bits == 0 || page->bits > 128)
    return damaged (file, number, "has samples of an impossible width", error);
  if (page->columns == 0 || page->rows == 0 || page->columns > G_MAXINT32 || page->rows > G_MAXINT32
      || page->samples == 0)
    return damaged (file, number, "has no size", error);
  if (page->chunk_columns == 0 || page->chunk_rows == 0 || page->chunk_columns > G_MAXINT32
      || page->chunk_rows > G_MAXINT32)
    return damaged (file, number, "has tiles without size", error);
  if (page->offsets.count == 0)
    return damaged (file, number, "does not say where its pixels are", error);
  return TRUE;
}

/* p: the field's entry in a directory, which is at `at` in the file. FALSE when its values are not all in the file. */
static gboolean
set_field (const FilesTiffFile *file, FilesTiffField *field, const guint8 *p, guint64 at)
{
  guint room = file->big ? 8 : 4, bytes;
  field->type = (guint16) get (file, p + 2, 2);
  field->count = get (file, p + 4, room);
  bytes = type_bytes (field->type);
  field->here = bytes > 0 && field->count <= room / bytes;
  field->at = field->here ? at + 4 + room : get (file, p + 4 + room, room);
  if (field->here)
    field->value = get (file, p + 4 + room, bytes);
  return bytes == 0 || (field->at <= file->size && field->count <= (file->size - field->at) / bytes);
}

gboolean
files_tiff_field_read (const FilesTiffFile *file, guint64 at, guint16 tag, FilesTiffField *field)
{
  const guint head = file->big ? 8 : 2, entry = file->big ? 20 : 12;
  guint64 n;
  gboolean past;
  g_autofree guint8 *raw = read_raw (file, at, &n, &past);
  for (guint64 i = 0; raw && i < n; i++) {
    const guint64 entry_at = head + i * entry;
    if (get (file, raw + entry_at, 2) == tag)
      return set_field (file, field, raw + entry_at, at + entry_at);
  }
  return FALSE;
}

gboolean
files_tiff_page_read (const FilesTiffFile *file, guint64 at, gint64 number, FilesTiffPage *page, GError **error)
{
  guint head = file->big ? 8 : 2, entry = file->big ? 20 : 12, room = file->big ? 8 : 4;
  guint64 n;
  gboolean past;
  Fields fields = {0};
  g_autofree guint8 *raw = read_raw (file, at, &n, &past);

  *page = (FilesTiffPage){.at = at};
  if (!raw)
    return file_fail (error, FILE_ERROR_DAMAGED, file->path, "is %s: the directory of page %" G_GINT64_FORMAT " %s.",
                      past ? "truncated" : "damaged", number,
                      past ? "goes past the end of the file" : "cannot be read");
  for (guint64 i = 0; i < n; i++) {
    guint64 entry_at = head + i * entry;
    FilesTiffField *field = field_of_tag (&fields, page, (guint16) get (file, raw + entry_at, 2));
    if (field && field->count == 0 && !set_field (file, field, raw + entry_at, at + entry_at))
      return file_fail (error, FILE_ERROR_DAMAGED, file->path,
                        "is truncated: page %" G_GINT64_FORMAT " has a tag %u that goes past the end of the file.",
                        number, (guint) get (file, raw + entry_at, 2));
  }
  page->next = get (file, raw + head + n * entry, room);
  return interpret (file, &fields, number, page, error);
}

gint64
files_tiff_page_shown_rows (const FilesTiffPage *page)
{
  return page->orientation > 4 ? page->columns : page->rows;
}

gint64
files_tiff_page_shown_columns (const FilesTiffPage *page)
{
  return page->orientation > 4 ? page->rows : page->columns;
}
