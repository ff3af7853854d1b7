/* SPDX-License-Identifier: MIT
 *
 * The names of ITU-T T.81: Pt is the point transform, Ra is left of a sample, Rb above it and Rc left above.
 */
#include "core/files/shared/lossless_jpeg.h"

#include <string.h>

enum { MAX_COMPONENTS = 4, MAX_TABLES = 4, CODES = 17, MAX_CODE_BITS = 16 };
enum {
  SOF0 = 0xc0,
  SOF3 = 0xc3,
  DHT = 0xc4,
  JPG = 0xc8,
  DAC = 0xcc,
  SOF15 = 0xcf,
  RST0 = 0xd0,
  RST7 = 0xd7,
  SOI = 0xd8,
  EOI = 0xd9,
  SOS = 0xda,
  DRI = 0xdd,
  TEM = 0x01
};

/* Codes of k bits are first[k] to last[k], the values of which begin at start[k]. */
typedef struct {
  gboolean known;
  gint32 first[MAX_CODE_BITS + 1], last[MAX_CODE_BITS + 1], start[MAX_CODE_BITS + 1];
  guint8 values[CODES];
} Huffman;

typedef struct {
  const guint8 *bytes;
  gsize size, at;
  guint32 bits; /* the last `count` ones are still to be read */
  guint count;
  gboolean ended; /* bits were read that are not there */
} Bits;

typedef struct {
  Huffman huffman[MAX_TABLES];
  guint8 ids[MAX_COMPONENTS];
  guint seen; /* components, a bit each */
  guint restart;
  const FilesLosslessJpeg *header;
  guint16 *samples;
} Decoder;

typedef struct {
  guint n, components[MAX_COMPONENTS]; /* which ones, in their order */
  const Huffman *tables[MAX_COMPONENTS];
  guint predictor, pt;
} Scan;

/* ---- Markers ---- */

static guint
number16 (const guint8 *p)
{
  return (guint) p[0] << 8 | p[1];
}

/* The next marker and what belongs to it, which *at is moved behind; 0: there is none. */
static guint
next_marker (const guint8 *bytes, gsize size, gsize *at, const guint8 **content, gsize *length)
{
  while (*at + 1 < size && (bytes[*at] != 0xff || bytes[*at + 1] == 0xff || bytes[*at + 1] == 0))
    ++*at;
  if (*at + 1 >= size)
    return 0;
  const guint marker = bytes[*at + 1];
  *at += 2;
  *content = NULL;
  *length = 0;
  if (marker == TEM || (marker >= RST0 && marker <= EOI))
    return marker;
  if (*at + 2 > size || number16 (bytes + *at) < 2 || number16 (bytes + *at) > size - *at)
    return 0;
  *content = bytes + *at + 2;
  *length = number16 (bytes + *at) - 2;
  *at += *length + 2;
  return marker;
}

static gboolean
read_frame (const guint8 *p, gsize n, FilesLosslessJpeg *header)
{
  if (n < 6 || n < 6 + 3 * (gsize) p[5])
    return FALSE;
  *header = (FilesLosslessJpeg){number16 (p + 1), number16 (p + 3), p[5], p[0]};
  for (guint c = 0; c < header->components; c++)
    if (p[7 + 3 * c] != p[7]) /* sub-sampled */
      return FALSE;
  return header->rows && header->columns && header->components >= 1 && header->components <= MAX_COMPONENTS
         && header->bits >= 2 && header->bits <= 16;
}

gboolean
files_lossless_jpeg_header (const guint8 *bytes, gsize size, FilesLosslessJpeg *header)
{
  const guint8 *content;
  gsize at = 0, length;
  for (guint marker; (marker = next_marker (bytes, size, &at, &content, &length)) && marker != SOS;)
    if (marker == SOF3)
      return read_frame (content, length, header);
    else if (marker >= SOF0 && marker <= SOF15 && marker != DHT && marker != JPG && marker != DAC)
      return FALSE;
  return FALSE;
}

gboolean
files_lossless_jpeg_fits (const FilesLosslessJpeg *header, gsize size)
{
  return (guint64) header->rows * header->columns * header->components / 8 <= size;
}

/* ---- Tables ---- */

static gboolean
read_table (Huffman *h, const guint8 *counts, const guint8 *values, guint n)
{
  gint32 code = 0, start = 0;
  memcpy (h->values, values, n);
  for (guint k = 1; k <= MAX_CODE_BITS; k++) {
    h->first[k] = code;
    h->start[k] = start;
    code += counts[k - 1];
    start += counts[k - 1];
    h->last[k] = code - 1;
    if (code > 1 << k)
      return FALSE;
    code <<= 1;
  }
  for (guint i = 0; i < n; i++)
    if (values[i] > 16)
      return FALSE;
  return h->known = TRUE;
}

static gboolean
read_tables (Decoder *d, const guint8 *p, gsize n)
{
  while (n > 0) {
    guint sum = 0;
    if (n < 17 || p[0] >= MAX_TABLES)
      return FALSE;
    for (guint k = 1; k <= MAX_CODE_BITS; k++)
      sum += p[k];
    if (sum > CODES || n < 17 + (gsize) sum || !read_table (&d->huffman[p[0]], p + 1, p + 17, sum))
      return FALSE;
    p += 17 + sum;
    n -= 17 + sum;
  }
  return TRUE;
}

/* ---- Bits ---- */

/* A marker ends them; 0xff 0x00 is 0xff. */
static void
fill (Bits *b)
{
  while (b->count <= 24) {
    guint8 byte = 0;
    if (b->at < b->size && (b->bytes[b->at] != 0xff || (b->at + 1 < b->size && b->bytes[b->at + 1] == 0))) {
      byte = b->bytes[b->at];
      b->at += byte == 0xff ? 2 : 1;
      b->bits = b->bits << 8 | byte;
      b->count += 8;
    } else
      return;
  }
}

static guint
take (Bits *b, guint n)
{
  if (b->count < n)
    fill (b);
  if (b->count < n) {
    b->ended = TRUE;
    return 0;
  }
  b->count -= n;
  return b->bits >> b->count & ((1u << n) - 1);
}

/* A difference: a code says how many bits it has. */
static gint32
take_difference (Bits *b, const Huffman *h)
{
  gint32 code = 0;
  for (guint k = 1; k <= MAX_CODE_BITS && !b->ended; k++) {
    code = code << 1 | (gint32) take (b, 1);
    if (code <= h->last[k] && code >= h->first[k]) {
      const guint n = h->values[h->start[k] + code - h->first[k]];
      if (n == 0 || n == 16)
        return n ? 32768 : 0;
      const gint32 value = (gint32) take (b, n);
      return value < 1 << (n - 1) ? value - (1 << n) + 1 : value;
    }
  }
  b->ended = TRUE;
  return 0;
}

/* ---- Samples ---- */

static gint32
predict (guint predictor, gint32 ra, gint32 rb, gint32 rc)
{
  switch (predictor) {
  case 1: return ra;
  case 2: return rb;
  case 3: return rc;
  case 4: return ra + rb - rc;
  case 5: return ra + ((rb - rc) >> 1);
  case 6: return rb + ((ra - rc) >> 1);
  default: return (ra + rb) >> 1;
  }
}

/* A row of the components of a scan. first: it has none above. */
static void
decode_row (const Decoder *d, const Scan *scan, Bits *bits, guint row, gboolean first)
{
  const guint step = d->header->components;
  const gsize width = (gsize) d->header->columns * step;
  guint16 *line = d->samples + row * width, *above = line - (first ? 0 : width);
  for (guint x = 0; x < d->header->columns; x++)
    for (guint i = 0; i < scan->n; i++) {
      const gsize at = (gsize) x * step + scan->components[i];
      const gint32 guess = !x && first ? 1 << (d->header->bits - scan->pt - 1)
                           : !x        ? above[at]
                           : first     ? line[at - step]
                                       : predict (scan->predictor, line[at - step], above[at], above[at - step]);
      line[at] = (guint16) (guess + take_difference (bits, scan->tables[i]));
    }
}

/* Behind the marker of a restart. */
static gboolean
restart (Bits *b)
{
  b->count = 0;
  b->bits = 0;
  if (b->at + 2 > b->size || b->bytes[b->at] != 0xff || b->bytes[b->at + 1] < RST0 || b->bytes[b->at + 1] > RST7)
    return FALSE;
  b->at += 2;
  return TRUE;
}

static const char *
decode_scan (Decoder *d, const Scan *scan, Bits *bits)
{
  const guint every = d->restart / d->header->columns; /* rows */
  if (d->restart % d->header->columns)
    return "a restart is within a row";
  for (guint row = 0; row < d->header->rows; row++) {
    const gboolean restarts = every && row && row % every == 0;
    if (restarts && !restart (bits))
      return "a restart is missing";
    decode_row (d, scan, bits, row, !row || restarts);
    if (bits->ended)
      return "it ends too early, or a code is wrong";
  }
  for (guint i = 0; i < scan->n; i++)
    d->seen |= 1u << scan->components[i];
  for (gsize i = 0, n = (gsize) d->header->rows * d->header->columns; scan->pt && i < n; i++)
    for (guint j = 0; j < scan->n; j++)
      d->samples[i * d->header->components + scan->components[j]] <<= scan->pt;
  return NULL;
}

/* ---- The stream ---- */

static const char *
read_scan (const Decoder *d, const guint8 *p, gsize n, Scan *scan)
{
  if (n < 1 || p[0] < 1 || p[0] > d->header->components || n < 4 + 2 * (gsize) p[0])
    return "the header of a scan is wrong";
  scan->n = p[0];
  for (guint i = 0; i < scan->n; i++) {
    const guint table = p[2 + 2 * i] >> 4;
    guint c = 0;
    while (c < d->header->components && d->ids[c] != p[1 + 2 * i])
      c++;
    if (c == d->header->components || d->seen >> c & 1 || table >= MAX_TABLES || !d->huffman[table].known)
      return "the header of a scan is wrong";
    scan->components[i] = c;
    scan->tables[i] = &d->huffman[table];
  }
  scan->predictor = p[1 + 2 * scan->n];
  scan->pt = p[3 + 2 * scan->n] & 15;
  return scan->predictor < 1 || scan->predictor > 7 || scan->pt >= d->header->bits ? "the header of a scan is wrong"
                                                                                   : NULL;
}

static const char *
read_content (Decoder *d, guint marker, const guint8 *p, gsize n)
{
  if (marker == DHT && !read_tables (d, p, n))
    return "a table is wrong";
  if (marker == DRI && n < 2)
    return "a restart interval is missing";
  if (marker == DRI)
    d->restart = number16 (p);
  for (guint c = 0; marker == SOF3 && c < d->header->components; c++)
    d->ids[c] = p[6 + 3 * c];
  return NULL;
}

static const char *
read_stream (Decoder *d, const guint8 *bytes, gsize size)
{
  const guint8 *content;
  const char *fault = NULL;
  gsize at = 0, length;
  for (guint marker; !fault && (marker = next_marker (bytes, size, &at, &content, &length)) && marker != EOI;)
    if (marker == SOS) {
      Scan scan;
      Bits bits = {.bytes = bytes, .size = size, .at = at};
      fault = read_scan (d, content, length, &scan);
      fault = fault ? fault : decode_scan (d, &scan, &bits);
      at = bits.at;
    } else
      fault = read_content (d, marker, content, length);
  return fault;
}

const char *
files_lossless_jpeg_decode (const guint8 *tables, gsize tables_bytes, const guint8 *bytes, gsize size,
                            const FilesLosslessJpeg *header, guint16 *samples)
{
  Decoder d = {.header = header, .samples = samples};
  FilesLosslessJpeg own;
  if (!files_lossless_jpeg_header (bytes, size, &own) || memcmp (&own, header, sizeof own))
    return "its header is wrong";
  const char *fault = tables ? read_stream (&d, tables, tables_bytes) : NULL;
  fault = fault ? fault : read_stream (&d, bytes, size);
  return fault ? fault : d.seen != (1u << header->components) - 1 ? "a scan is missing" : NULL;
}
