/* SPDX-License-Identifier: MIT
 *
 * Largest ratios of decoded to encoded bytes, rounded up. PackBits 128 from 2; LZW 4096 from a 12-bit code; Deflate 258 from 2 bits; Zstandard a 128
 * KiB block from 4. LZMA 273 from a fraction of a bit; JPEG a block of 64 from fewer than 2 bits (progressive); the run-length ones less. CCITT,
 * JBIG, LERC, WebP and JPEG 2000 have no such limit.
 */
#include "core/files/tiff/codec.h"

#include "core/base/file_error.h"
#include "core/files/tiff/predictor.h"
#include "core/files/tiff/unpack.h"

#include <string.h>
#include <tiffio.h>

#define UNLIMITED_BYTES (G_GUINT64_CONSTANT (256) << 20)

struct FilesTiffCodec {
  const FilesTiffFile *file;
  const FilesTiffPage *page;
  TIFF *tiff;
  guint64 at;                  /* next byte that libtiff reads */
  guint8 header[16];           /* as the file's, but for the first directory */
  gboolean decoding;           /* warnings count as faults */
  char *fault;                 /* the first error of libtiff */
  guint32 *raster;             /* one chunk as RGBA */
  gboolean differences;        /* what is decoded are differences */
  FilesTiffUnpacker *unpacker; /* NULL: libtiff decodes */
};

/* ---- What is known ---- */

static const struct {
  guint16 scheme;
  const char *name;
} unknown_schemes[] = {
  {9, "JBIG T.85"},     {10, "JBIG T.43"},       {262, "Kodak 262"},    {22610, "JPEG XR"},    {32867, "Kodak KDC"},
  {32895, "IT8 CT"},    {32896, "IT8 LW"},       {32897, "IT8 MP"},     {32898, "IT8 BL"},     {32908, "PixarFilm"},
  {32947, "Kodak DCS"}, {33007, "JPEG (33007)"}, {34713, "Nikon NEF"},  {34892, "lossy JPEG"}, {34926, "Zstandard"},
  {34927, "WebP"},      {34933, "PNG"},          {34934, "JPEG XR"},    {48124, "JetRaw"},     {50002, "JPEG XL"},
  {52546, "JPEG XL"},   {65000, "Kodak DCR"},    {65535, "Pentax PEF"},
};

static gboolean
unsupported (const FilesTiffFile *file, const char *text, GError **error)
{
  return file_fail (error, FILE_ERROR_UNSUPPORTED, file->path, "%s.", text);
}

static gboolean
known_color (const FilesTiffFile *file, const FilesTiffPage *page, GError **error)
{
  switch (page->photometric) {
  case PHOTOMETRIC_SEPARATED:
    return unsupported (file, "has colors for printing (CMYK), which cannot be read; convert it to RGB first", error);
  case PHOTOMETRIC_CIELAB:
  case PHOTOMETRIC_ICCLAB:
  case PHOTOMETRIC_ITULAB:
    return unsupported (file, "has L*a*b* colors, which cannot be read; convert it to RGB first", error);
  case PHOTOMETRIC_LOGL:
  case PHOTOMETRIC_LOGLUV:
    return unsupported (file,
                        "has logarithmic values (LogL or LogLuv), which cannot be read; save it as 32-bit "
                        "floating point first",
                        error);
  default: return TRUE;
  }
}

/* Numbers of whole bytes; Y, Cb and Cr of 8 bits. */
static gboolean
known_jpeg2000 (const FilesTiffFile *file, const FilesTiffPage *page, GError **error)
{
  const gboolean is_integer = page->format == SAMPLEFORMAT_UINT || page->format == SAMPLEFORMAT_INT;
  const gboolean known = files_tiff_page_is_jpeg2000_ycbcr (page)
                           ? page->bits == 8 && page->planar == PLANARCONFIG_CONTIG
                           : page->bits == 8 || page->bits == 16;
  if (is_integer && known)
    return known_color (file, page, error);
  return unsupported (file,
                      "has pixels in JPEG 2000 of a kind that cannot be read: only integers of 8 and 16 bits can, and "
                      "YCbCr of 8; save it uncompressed or with LZW, Deflate or Zstandard",
                      error);
}

gboolean
files_tiff_codec_known (const FilesTiffFile *file, const FilesTiffPage *page, GError **error)
{
  const TIFFCodec *codec = TIFFFindCODEC (page->compression);
  const char *name = codec ? codec->name : NULL;
  g_autofree char *text = NULL;
  if (files_tiff_page_is_jpeg2000 (page))
    return known_jpeg2000 (file, page, error);
  if (TIFFIsCODECConfigured (page->compression))
    return known_color (file, page, error);
  for (guint i = 0; i < G_N_ELEMENTS (unknown_schemes); i++)
    if (unknown_schemes[i].scheme == page->compression)
      name = unknown_schemes[i].name;
  text =
    g_strdup_printf ("is compressed with %s (compression %u), which cannot be read; save it uncompressed or with LZW, "
                     "Deflate or Zstandard",
                     name ? name : "an unknown method", page->compression);
  return unsupported (file, text, error);
}

guint64
files_tiff_codec_max (const FilesTiffPage *page, guint64 size)
{
  guint64 ratio, bytes;
  switch (page->compression) {
  case COMPRESSION_NONE: /* or sub-sampled YCbCr */ ratio = page->color == FILES_TIFF_PLAIN ? 1 : 4; break;
  case COMPRESSION_PACKBITS:
  case COMPRESSION_THUNDERSCAN: ratio = 64; break;
  case COMPRESSION_NEXT:
  case COMPRESSION_SGILOG:
  case COMPRESSION_SGILOG24: ratio = 256; break;
  case COMPRESSION_LZW: ratio = 4096; break;
  case COMPRESSION_DEFLATE:
  case COMPRESSION_ADOBE_DEFLATE: ratio = 1100; break;
  case COMPRESSION_JPEG:
  case COMPRESSION_OJPEG:
  case COMPRESSION_PIXARLOG: ratio = 2200; break;
  default: ratio = 1 << 16;
  }
  if (!g_uint64_checked_mul (&bytes, size, ratio))
    bytes = G_MAXUINT64;
  return ratio == 1 << 16 ? MAX (bytes, UNLIMITED_BYTES) : bytes;
}

/* ---- libtiff's view of the file ---- */

static tmsize_t
client_read (thandle_t handle, void *to, tmsize_t size)
{
  FilesTiffCodec *codec = handle;
  guint64 left = codec->at < codec->file->size ? codec->file->size - codec->at : 0;
  gsize n = MIN ((guint64) MAX (size, 0), left), header = codec->file->big ? 16 : 8;
  if (!files_tiff_read (codec->file, codec->at, to, n))
    return -1;
  if (codec->at < header)
    memcpy (to, codec->header + codec->at, MIN (n, header - codec->at));
  codec->at += n;
  return (tmsize_t) n;
}

static tmsize_t
client_write (thandle_t handle, void *from, tmsize_t size)
{
  (void) handle, (void) from, (void) size;
  return -1;
}

static toff_t
client_seek (thandle_t handle, toff_t offset, int whence)
{
  FilesTiffCodec *codec = handle;
  codec->at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? codec->at + offset : codec->file->size + offset;
  return codec->at;
}

static int
client_close (thandle_t handle)
{
  (void) handle;
  return 0;
}

static toff_t
client_size (thandle_t handle)
{
  return ((FilesTiffCodec *) handle)->file->size;
}

static void
keep_fault (FilesTiffCodec *codec, const char *format, va_list arguments)
{
  g_autofree char *text = codec->fault ? NULL : g_strdup_vprintf (format, arguments);
  if (!text)
    return;
  codec->fault = g_utf8_make_valid (text, -1);
  g_strdelimit (codec->fault, "\r\n", ' ');
  if (g_str_has_suffix (codec->fault, "."))
    codec->fault[strlen (codec->fault) - 1] = 0;
}

static int
on_error (TIFF *tiff, void *handle, const char *module, const char *format, va_list arguments)
{
  (void) tiff, (void) module;
  keep_fault (handle, format, arguments);
  return 1;
}

/* While pixels are decoded, codecs fill gaps and only warn. Two of the warnings are harmless. */
static int
on_warning (TIFF *tiff, void *handle, const char *module, const char *format, va_list arguments)
{
  FilesTiffCodec *codec = handle;
  va_list copy;
  g_autofree char *text = NULL;
  (void) tiff, (void) module;
  if (!codec->decoding || codec->page->compression == COMPRESSION_OJPEG)
    return 1;
  va_copy (copy, arguments);
  text = g_strdup_vprintf (format, copy);
  va_end (copy);
  if (!strstr (text, "Old-style LZW") && !strstr (text, "extraneous bytes before marker"))
    keep_fault (codec, format, arguments);
  return 1;
}

/* ---- A page ---- */

static void
set_header (FilesTiffCodec *codec)
{
  guint64 at = codec->page->at;
  guint32 at32 = (guint32) at;
  files_tiff_read (codec->file, 0, codec->header, codec->file->big ? 16 : 8);
  if (codec->file->big) {
    at = codec->file->swapped ? GUINT64_SWAP_LE_BE (at) : at;
    memcpy (codec->header + 8, &at, 8);
  } else {
    at32 = codec->file->swapped ? GUINT32_SWAP_LE_BE (at32) : at32;
    memcpy (codec->header + 4, &at32, 4);
  }
}

static TIFF *
open_page (FilesTiffCodec *codec, guint64 chunk_bytes)
{
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc ();
  guint64 max = (G_GUINT64_CONSTANT (64) << 20) + codec->file->size + 8 * MIN (chunk_bytes, G_MAXINT64 / 32);
  TIFF *tiff;
  TIFFOpenOptionsSetErrorHandlerExtR (options, on_error, codec);
  TIFFOpenOptionsSetWarningHandlerExtR (options, on_warning, codec);
  TIFFOpenOptionsSetMaxSingleMemAlloc (options, (tmsize_t) max);
  tiff = TIFFClientOpenExt (codec->file->path, "rm", codec, client_read, client_write, client_seek, client_close,
                            client_size, NULL, NULL, options);
  TIFFOpenOptionsFree (options);
  return tiff;
}

/* Whether libtiff understands the page's layout as it was understood here. */
static gboolean
agrees (FilesTiffCodec *codec, guint64 chunk_bytes)
{
  TIFF *tiff = codec->tiff;
  guint32 columns = 0, rows = 0, tile_columns = 0, tile_rows = 0;
  if (!TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &columns) || !TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &rows)
      || columns != codec->page->columns || rows != codec->page->rows || !TIFFIsTiled (tiff) != !codec->page->tiled)
    return FALSE;
  if (codec->page->tiled
      && (!TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &tile_columns) || !TIFFGetField (tiff, TIFFTAG_TILELENGTH, &tile_rows)
          || tile_columns != codec->page->chunk_columns || tile_rows != codec->page->chunk_rows))
    return FALSE;
  return chunk_bytes == (codec->page->tiled ? TIFFTileSize64 (tiff) : TIFFVStripSize64 (tiff, codec->page->chunk_rows));
}

/* Sums up differences, for which libtiff takes as long as to decode them, and unpacks what has no others. */
static void
take_over (FilesTiffCodec *codec)
{
  guint16 predictor = PREDICTOR_NONE;
  guint32 tables_bytes = 0;
  const guint8 *tables = NULL;
  if (codec->page->compression == COMPRESSION_JPEG)
    TIFFGetField (codec->tiff, TIFFTAG_JPEGTABLES, &tables_bytes, &tables);
  TIFFGetField (codec->tiff, TIFFTAG_PREDICTOR, &predictor);
  codec->differences = predictor == PREDICTOR_HORIZONTAL && files_tiff_predictor_known (codec->page->bits)
                       && TIFFSetField (codec->tiff, TIFFTAG_PREDICTOR, PREDICTOR_NONE);
  if (codec->page->color == FILES_TIFF_PLAIN && (predictor == PREDICTOR_NONE || codec->differences))
    codec->unpacker = files_tiff_unpacker_new (codec->page, tables, tables_bytes);
}

/* FALSE and codec->fault when libtiff cannot do it. */
static gboolean
prepare (FilesTiffCodec *codec, guint64 chunk_bytes)
{
  char text[1024];
  guint64 pixels = (guint64) codec->page->chunk_rows * codec->page->chunk_columns;
  if (codec->page->color == FILES_TIFF_JPEG_YCBCR)
    TIFFSetField (codec->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  if (files_tiff_page_is_jpeg2000_ycbcr (codec->page))
    TIFFSetField (codec->tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB); /* or it counts on fewer Cb and Cr */
  if (codec->page->color == FILES_TIFF_RGBA) {
    TIFFSetField (codec->tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (!TIFFRGBAImageOK (codec->tiff, text)) {
      codec->fault = g_utf8_make_valid (text, -1);
      return FALSE;
    }
    codec->raster = g_try_malloc (pixels * sizeof *codec->raster);
    return codec->raster != NULL;
  }
  if (!agrees (codec, chunk_bytes))
    return FALSE;
  take_over (codec);
  return TRUE;
}

gboolean
files_tiff_codec_lacks (const char *fault)
{
  static const char *const says[] = {"not supported", "Unsupported JPEG", "can not handle", "not implemented"};
  for (guint i = 0; i < G_N_ELEMENTS (says); i++)
    if (strstr (fault, says[i]))
      return TRUE;
  return FALSE;
}

FilesTiffCodec *
files_tiff_codec_new (const FilesTiffFile *file, const FilesTiffPage *page, gint64 number, guint64 chunk_bytes,
                      GError **error)
{
  FilesTiffCodec *codec = g_new0 (FilesTiffCodec, 1);
  codec->file = file;
  codec->page = page;
  set_header (codec);
  codec->tiff = open_page (codec, chunk_bytes);
  if (codec->tiff && prepare (codec, chunk_bytes))
    return codec;
  if (codec->fault && files_tiff_codec_lacks (codec->fault))
    file_fail (error, FILE_ERROR_UNSUPPORTED, file->path,
               "has pixels on page %" G_GINT64_FORMAT
               " of a kind that cannot be read (%s); save it uncompressed first.",
               number, codec->fault);
  else
    file_fail (error, FILE_ERROR_DAMAGED, file->path, "is damaged: page %" G_GINT64_FORMAT " %s%s.", number,
               codec->fault ? "cannot be decoded: " : "contradicts itself about its size",
               codec->fault ? codec->fault : "");
  files_tiff_codec_free (codec);
  return NULL;
}

/* libtiff's raster runs from the bottom to the top. */
static gboolean
read_rgba (FilesTiffCodec *codec, guint32 chunk, guint32 rows, guint8 *to)
{
  guint32 width = codec->page->chunk_columns, across = (codec->page->columns - 1) / width + 1;
  guint32 x = chunk % across * width, y = chunk / across * codec->page->chunk_rows;
  if (codec->page->tiled ? !TIFFReadRGBATileExt (codec->tiff, x, y, codec->raster, 1)
                         : !TIFFReadRGBAStripExt (codec->tiff, y, codec->raster, 1))
    return FALSE;
  for (guint32 row = 0; row < rows; row++) {
    const guint32 *from = codec->raster + (gsize) (rows - 1 - row) * width;
    for (guint32 i = 0; i < width; i++, to += 3) {
      to[0] = TIFFGetR (from[i]);
      to[1] = TIFFGetG (from[i]);
      to[2] = TIFFGetB (from[i]);
    }
  }
  return TRUE;
}

/* A JBIG stream says itself how large it is, and libtiff gives it the memory and the time. Its bits are reversed in files
 * with the usual order of bits. */
static gboolean
is_jbig_of_size (const FilesTiffCodec *codec, guint32 chunk, guint32 rows)
{
  guint8 head[20];
  guint32 size[2];
  if (!files_tiff_read (codec->file, TIFFGetStrileOffset (codec->tiff, chunk), head, sizeof head))
    return FALSE;
  if (codec->page->fill_order != FILLORDER_LSB2MSB)
    TIFFReverseBits (head, sizeof head);
  memcpy (size, head + 4, sizeof size);
  return head[1] == 0 && head[2] == 1 && GUINT32_FROM_BE (size[0]) == codec->page->chunk_columns
         && GUINT32_FROM_BE (size[1]) == rows; /* head[1], head[2]: resolution layers, bit planes */
}

void
files_tiff_swap (const FilesTiffFile *file, guint bits, guint8 *p, gsize bytes)
{
  if (!file->swapped)
    return;
  if (bits == 16)
    TIFFSwabArrayOfShort ((uint16_t *) (void *) p, (tmsize_t) (bytes / 2));
  else if (bits == 24)
    TIFFSwabArrayOfTriples (p, (tmsize_t) (bytes / 3));
  else if (bits == 32)
    TIFFSwabArrayOfLong ((uint32_t *) (void *) p, (tmsize_t) (bytes / 4));
  else if (bits == 64)
    TIFFSwabArrayOfDouble ((double *) (void *) p, (tmsize_t) (bytes / 8));
}

static FilesTiffUnpacked
unpack (FilesTiffCodec *codec, guint32 chunk, guint8 *to, gsize bytes)
{
  guint64 at = TIFFGetStrileOffset (codec->tiff, chunk), count = TIFFGetStrileByteCount (codec->tiff, chunk);
  gsize n = at < codec->file->size ? MIN (count, codec->file->size - at) : 0;
  guint8 *raw = files_tiff_unpacker_input (codec->unpacker, n);
  const char *why;
  FilesTiffUnpacked result;
  if (!raw || !files_tiff_read (codec->file, at, raw, n))
    return FILES_TIFF_DAMAGED;
  result = files_tiff_unpack (codec->unpacker, n, to, bytes, &why);
  if (why)
    codec->fault = g_strdup_printf ("its JPEG 2000 stream %s", why);
  if (result == FILES_TIFF_UNPACKED && codec->page->compression != COMPRESSION_JPEG /* the order of both is their own */
      && !files_tiff_page_is_jpeg2000 (codec->page))
    files_tiff_swap (codec->file, codec->page->bits, to, bytes);
  else if (result == FILES_TIFF_SHORT)
    codec->fault = g_strdup ("there are fewer pixels than there should be");
  return result;
}

static gboolean
read_with_libtiff (FilesTiffCodec *codec, guint32 chunk, guint32 rows, guint8 *to, gsize bytes)
{
  memset (to, 0, bytes); /* it can leave some as they are and say nothing */
  if (codec->page->color == FILES_TIFF_RGBA)
    return read_rgba (codec, chunk, rows, to);
  if (codec->page->tiled)
    return TIFFReadEncodedTile (codec->tiff, chunk, to, (tmsize_t) bytes) == (tmsize_t) bytes;
  return TIFFReadEncodedStrip (codec->tiff, chunk, to, (tmsize_t) bytes) == (tmsize_t) bytes;
}

char *
files_tiff_codec_chunk (FilesTiffCodec *codec, guint32 chunk, guint32 rows, guint8 *to, gsize bytes)
{
  FilesTiffUnpacked result = FILES_TIFF_UNSURE;
  gboolean done;
  if (codec->page->compression == COMPRESSION_JBIG && !is_jbig_of_size (codec, chunk, rows))
    return g_strdup ("cannot be decoded (its JBIG data are of another size)");
  g_clear_pointer (&codec->fault, g_free); /* of another chunk */
  codec->decoding = TRUE;
  if (codec->unpacker)
    result = unpack (codec, chunk, to, bytes);
  done =
    result == FILES_TIFF_UNSURE ? read_with_libtiff (codec, chunk, rows, to, bytes) : result == FILES_TIFF_UNPACKED;
  codec->decoding = FALSE;
  if (done && !codec->fault) {
    guint samples = codec->page->planar == PLANARCONFIG_SEPARATE ? 1 : codec->page->samples;
    if (codec->differences)
      files_tiff_predictor_undo (codec->page->bits, samples, rows, codec->page->chunk_columns, to);
    return NULL;
  }
  return codec->fault ? g_strdup_printf ("cannot be decoded (%s)", codec->fault) : g_strdup ("cannot be decoded");
}

void
files_tiff_codec_free (FilesTiffCodec *codec)
{
  if (!codec)
    return;
  if (codec->tiff)
    TIFFClose (codec->tiff);
  files_tiff_unpacker_free (codec->unpacker);
  g_free (codec->raster);
  g_free (codec->fault);
  g_free (codec);
}
