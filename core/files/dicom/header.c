/* SPDX-License-Identifier: MIT
 *
 * Elements come in the order of their tags, so that what all frames have in common is known before what each has.
 */
#include "core/files/dicom/header.h"

#include "core/files/codec/jpeg_ls.h"

#include <string.h>

#define UID "1.2.840.10008.1.2"
#define DEFLATED UID ".1.99"

static const DicomSyntax syntaxes[] = {
  {UID, "implicit", DICOM_NATIVE, FALSE},
  {UID ".1", "explicit", DICOM_NATIVE, FALSE},
  {UID ".2", "explicit, big-endian", DICOM_NATIVE, TRUE},
  {UID ".5", "RLE", DICOM_RLE, FALSE},
  {UID ".4.50", "JPEG", DICOM_JPEG, FALSE},
  {UID ".4.51", "JPEG", DICOM_JPEG, FALSE},
  {UID ".4.57", "lossless JPEG", DICOM_JPEG_LOSSLESS, FALSE},
  {UID ".4.70", "lossless JPEG", DICOM_JPEG_LOSSLESS, FALSE},
  {UID ".4.80", "JPEG-LS", DICOM_JPEG_LS, FALSE},
  {UID ".4.81", "JPEG-LS", DICOM_JPEG_LS, FALSE},
  {UID ".4.90", "JPEG 2000", DICOM_JPEG_2000, FALSE},
  {UID ".4.91", "JPEG 2000", DICOM_JPEG_2000, FALSE},
  {DEFLATED, "deflated", DICOM_NATIVE, FALSE},
};

gboolean
dicom_is (const guint8 *head, gsize n)
{
  return n >= 132 && !memcmp (head + 128, "DICM", 4);
}

/* ---- The elements that count ---- */

typedef struct {
  DicomHeader *header;
  DicomFrame common; /* what frames have that say nothing else */
  DicomFrame *frame; /* that is read; NULL: none in particular */
  char photometric[17];
} Reading;

static gboolean read_elements (Reading *r, DicomElements *from);

/* The items of a sequence. by_frame: each is of one frame. */
static gboolean
read_items (Reading *r, const DicomElements *from, const DicomElement *sequence, gboolean by_frame)
{
  DicomElements items = dicom_inside (from, sequence);
  DicomElement item;
  for (guint i = 0; items.at < items.end; i++) {
    if (!dicom_next (&items, &item))
      return FALSE;
    if (item.tag != DICOM_ITEM)
      return item.tag == DICOM_SEQUENCE_END;
    if (by_frame)
      r->frame = i < r->header->n_frames ? r->header->frames + i : NULL;
    DicomElements inside = dicom_inside (&items, &item);
    if (!by_frame || r->frame)
      if (!read_elements (r, &inside))
        return FALSE;
    if (!dicom_skip (&items, &item))
      return FALSE;
  }
  return TRUE;
}

static void
make_frames (Reading *r)
{
  DicomHeader *h = r->header;
  h->frames = g_new (DicomFrame, h->n_frames);
  for (guint i = 0; i < h->n_frames; i++)
    h->frames[i] = r->common;
}

static void
set_text (char **text, const DicomElements *from, const DicomElement *e)
{
  g_free (*text);
  *text = dicom_text (from, e);
}

static void
set_photometric (Reading *r, const DicomElements *from, const DicomElement *e)
{
  g_autofree char *text = dicom_text (from, e);
  g_strlcpy (r->photometric, text ? text : "", sizeof r->photometric);
}

/* The third word of the type of an image. */
static DicomFlavor
flavor_of (const DicomElements *from, const DicomElement *e)
{
  static const char *const words[] = {"", "VOLUME", "THUMBNAIL", "LABEL", "OVERVIEW"};
  g_autofree char *text = dicom_text (from, e);
  g_auto (GStrv) parts = g_strsplit (text ? text : "", "\\", 4);
  for (guint i = 1; g_strv_length (parts) > 2 && i < G_N_ELEMENTS (words); i++)
    if (!strcmp (g_strstrip (parts[2]), words[i]))
      return (DicomFlavor) i;
  return DICOM_UNKNOWN;
}

static const DicomSyntax *
find_syntax (const DicomElements *from, const DicomElement *e)
{
  static const DicomSyntax unknown = {"", "an unknown transfer syntax", DICOM_OTHER, FALSE};
  g_autofree char *uid = dicom_text (from, e);
  for (guint i = 0; uid && i < G_N_ELEMENTS (syntaxes); i++)
    if (!strcmp (uid, syntaxes[i].uid))
      return &syntaxes[i];
  return &unknown;
}

static void
set_palette (DicomHeader *h, const DicomElements *from, const DicomElement *e)
{
  const gint64 entries = dicom_integer (from, e, 0);
  h->palette.entries = entries == 0 ? 1 << 16 : (guint) CLAMP (entries, 0, 1 << 16);
  h->palette.first = dicom_integer (from, e, 1);
  if (h->is_signed)
    h->palette.first = (gint16) h->palette.first;
  h->palette.bits = (guint) CLAMP (dicom_integer (from, e, 2), 0, 16);
}

/* HHMMSS.ffffff as s. */
static double
time_of (const DicomElements *from, const DicomElement *e)
{
  g_autofree char *text = dicom_text (from, e);
  const double clock = text ? g_ascii_strtod (text, NULL) : 0;
  const gint64 whole = clock > 0 && clock < 240000 ? (gint64) clock : 0;
  return (double) (whole / 10000 * 3600 + whole / 100 % 100 * 60 + whole % 100) + (clock - (double) whole);
}

/* An integer that is written as text. */
static gint32
decimal_integer (const DicomElements *from, const DicomElement *e)
{
  double value = 0;
  dicom_decimals (from, e, &value, 1);
  return (gint32) CLAMP (value, G_MININT32, G_MAXINT32);
}

/* An element outside of sequences that are only passed through. */
static void
read_element (Reading *r, const DicomElements *from, const DicomElement *e)
{
  DicomHeader *h = r->header;
  DicomFrame *frame = r->frame ? r->frame : &r->common;
  double decimals[6];
  switch (e->tag) {
  case DICOM_TAG (0x0004, 0x1220): h->is_index = TRUE; break; /* records of files */
  case DICOM_TAG (0x0008, 0x0008): h->flavor = flavor_of (from, e); break;
  case DICOM_TAG (0x0008, 0x0018): set_text (&h->instance, from, e); break;
  case DICOM_TAG (0x0008, 0x0019): set_text (&h->pyramid, from, e); break;
  case DICOM_TAG (0x0008, 0x0032): h->time = h->time != 0 ? h->time : time_of (from, e); break; /* of acquisition */
  case DICOM_TAG (0x0008, 0x0060): set_text (&h->modality, from, e); break;
  case DICOM_TAG (0x0018, 0x0088): dicom_decimals (from, e, &h->between, 1); break;
  case DICOM_TAG (0x0018, 0x1060):
  case DICOM_TAG (0x0020, 0x0100): dicom_decimals (from, e, &h->time, 1); break; /* trigger, temporal position */
  case DICOM_TAG (0x0018, 0x1063):
    if (dicom_decimals (from, e, decimals, 1))
      h->interval = decimals[0] / 1000;
    break;
  case DICOM_TAG (0x0018, 0x1164): /* at the detector, where nothing better follows */
  case DICOM_TAG (0x0028, 0x0030): dicom_decimals (from, e, h->spacing, 2); break;
  case DICOM_TAG (0x0020, 0x000e): set_text (&h->series, from, e); break;
  case DICOM_TAG (0x0020, 0x0011): h->series_number = decimal_integer (from, e); break;
  case DICOM_TAG (0x0020, 0x0013): h->number = decimal_integer (from, e); break;
  case DICOM_TAG (0x0020, 0x0052): set_text (&h->space, from, e); break;
  case DICOM_TAG (0x0020, 0x0032): frame->has_position = dicom_decimals (from, e, frame->position, 3) == 3; break;
  case DICOM_TAG (0x0020, 0x0037): h->has_orientation = dicom_decimals (from, e, h->orientation, 6) == 6; break;
  case DICOM_TAG (0x0020, 0x9161): set_text (&h->concatenation, from, e); break;
  case DICOM_TAG (0x0020, 0x9162): h->part = (guint) MAX (dicom_integer (from, e, 0), 0); break;
  case DICOM_TAG (0x0020, 0x9163): h->parts = (guint) MAX (dicom_integer (from, e, 0), 0); break;
  case DICOM_TAG (0x0020, 0x9228):
    h->first_frame = e->length ? MIN (dicom_integer (from, e, 0), G_MAXINT32) : -1;
    break;
  case DICOM_TAG (0x0028, 0x0002): h->samples = (guint) dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0028, 0x0004): set_photometric (r, from, e); break;
  case DICOM_TAG (0x0028, 0x0006): h->by_sample = dicom_integer (from, e, 0) == 1; break;
  case DICOM_TAG (0x0028, 0x0008): h->n_frames = (guint) MAX (decimal_integer (from, e), 0); break;
  case DICOM_TAG (0x0028, 0x0010): h->rows = (guint) dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0028, 0x0011): h->columns = (guint) dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0028, 0x0100): h->allocated = (guint) dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0028, 0x0101): h->stored = (guint) dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0028, 0x0102): h->high = (guint) dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0028, 0x0103): h->is_signed = dicom_integer (from, e, 0) == 1; break;
  case DICOM_TAG (0x0028, 0x1050):
    h->has_window = dicom_decimals (from, e, &h->center, 1) == 1 && dicom_decimals (from, e, decimals, 2) == 1;
    break;
  case DICOM_TAG (0x0028, 0x1051): h->has_window &= dicom_decimals (from, e, &h->width, 1) == 1 && h->width >= 1; break;
  case DICOM_TAG (0x0028, 0x1052): dicom_decimals (from, e, &frame->intercept, 1); break;
  case DICOM_TAG (0x0028, 0x1053): dicom_decimals (from, e, &frame->slope, 1); break;
  case DICOM_TAG (0x0028, 0x1054): set_text (&h->value_unit, from, e); break;
  case DICOM_TAG (0x0028, 0x1101): set_palette (h, from, e); break;
  case DICOM_TAG (0x0028, 0x1201):
  case DICOM_TAG (0x0028, 0x1202):
  case DICOM_TAG (0x0028, 0x1203):
    h->palette.at[e->tag - DICOM_TAG (0x0028, 0x1201)] = e->at;
    h->palette.length[e->tag - DICOM_TAG (0x0028, 0x1201)] = e->length;
    break;
  case DICOM_TAG (0x0048, 0x0006): h->matrix[1] = dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0048, 0x0007): h->matrix[0] = dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0048, 0x0302): h->paths = dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0048, 0x0303): h->focal = dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0048, 0x021e): frame->tile[1] = dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x0048, 0x021f): frame->tile[0] = dicom_integer (from, e, 0); break;
  case DICOM_TAG (0x7fe0, 0x0001):
    h->offsets_at = e->at;
    h->offsets_length = e->length;
    break;
  case DICOM_TAG (0x7fe0, 0x0008):
  case DICOM_TAG (0x7fe0, 0x0009): h->is_float = TRUE; /* fall through */
  case DICOM_TAG (0x7fe0, 0x0010):
    h->in_words = !strcmp (e->vr, "OW");
    h->pixels_at = e->at;
    h->pixels_length = e->length;
    break;
  }
}

/* Elements that are sequences with something of the above in them. */
static gboolean
is_wanted_sequence (guint32 tag)
{
  switch (tag) {
  case DICOM_TAG (0x0020, 0x9113): /* position of a plane */
  case DICOM_TAG (0x0020, 0x9116): /* orientation of a plane */
  case DICOM_TAG (0x0028, 0x9110): /* sizes of pixels */
  case DICOM_TAG (0x0028, 0x9132): /* window */
  case DICOM_TAG (0x0028, 0x9145): /* rescaling */
  case DICOM_TAG (0x0048, 0x021a): /* position in a slide */
  case DICOM_TAG (0x5200, 0x9229): /* of all frames */ return TRUE;
  default: return FALSE;
  }
}

static gboolean
read_elements (Reading *r, DicomElements *from)
{
  DicomElement e;
  while (from->at < from->end) {
    gboolean good = dicom_next (from, &e);
    if (!good)
      return FALSE;
    if (e.tag == DICOM_ITEM_END)
      return TRUE;
    if (e.tag == DICOM_TAG (0x5200, 0x9230) && !r->header->frames) {
      if (r->header->n_frames > (from->end - e.at) / 8) /* an item has as many bytes at least */
        return FALSE;
      make_frames (r);
      good = read_items (r, from, &e, TRUE);
      r->frame = NULL;
    } else if (is_wanted_sequence (e.tag))
      good = read_items (r, from, &e, FALSE);
    else
      read_element (r, from, &e);
    if (e.tag >> 16 == 0x7fe0 && e.length == DICOM_UNDEFINED)
      return TRUE; /* the pixels are the last */
    if (!good || !dicom_skip (from, &e))
      return FALSE;
  }
  return TRUE;
}

/* Whether elements have their types with them: some files do not have them though they say so. */
static gboolean
names_types (const DicomElements *from)
{
  guint8 head[6];
  return files_bytes_read (from->bytes, from->at, head, sizeof head) && g_ascii_isupper (head[4])
         && g_ascii_isupper (head[5]);
}

DicomElements
dicom_elements_of (FilesBytes *bytes, const DicomSyntax **syntax)
{
  DicomElements from = {bytes, MIN (132, bytes->size), bytes->size, TRUE, FALSE}, next = from;
  DicomElement e;
  *syntax = &syntaxes[0];
  for (; dicom_next (&next, &e) && e.tag >> 16 == 2; from = next)
    if (e.tag == DICOM_TAG (0x0002, 0x0010))
      *syntax = find_syntax (&from, &e);
  from.is_big = (*syntax)->is_big;
  from.is_explicit = names_types (&from);
  return from;
}

gboolean
dicom_is_deflated (FilesBytes *bytes, guint64 *at)
{
  const DicomSyntax *syntax;
  *at = dicom_elements_of (bytes, &syntax).at;
  return !strcmp (syntax->uid, DEFLATED);
}

/* ---- Checks ---- */

static gboolean
take_colors (DicomHeader *h, const char *photometric)
{
  static const struct {
    const char *name;
    DicomColors colors;
  } known[] = {{"MONOCHROME1", DICOM_GRAY_INVERTED},
               {"MONOCHROME2", DICOM_GRAY},
               {"PALETTE COLOR", DICOM_PALETTE},
               {"RGB", DICOM_RGB},
               {"YBR_FULL", DICOM_YBR},
               {"YBR_FULL_422", DICOM_YBR_422},
               {"YBR_RCT", DICOM_RGB},
               {"YBR_ICT", DICOM_RGB}};
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (!strcmp (photometric, known[i].name)) {
      h->colors = known[i].colors;
      return h->samples == (known[i].colors >= DICOM_RGB ? 3 : 1);
    }
  return FALSE;
}

/* Whether the pixels can hold that many frames. */
static gboolean
has_room (const DicomHeader *h)
{
  const guint64 bits = (guint64) h->rows * h->columns * (h->colors == DICOM_YBR_422 ? 2 : h->samples) * h->allocated;
  if (h->syntax->codec != DICOM_NATIVE)
    return h->pixels_length == DICOM_UNDEFINED;
  return h->pixels_length != DICOM_UNDEFINED && (bits * h->n_frames + 7) / 8 <= h->pixels_length;
}

static gboolean
check (const DicomHeader *h, const FilesBytes *bytes, GError **error)
{
  const char *what = NULL;
  if (h->rows < 1 || h->columns < 1)
    what = "it does not say how many rows and columns it has";
  else if (h->n_frames < 1 || h->n_frames > bytes->size / 8)
    what = "the number of its frames is wrong";
  else if (h->stored < 1 || h->stored > h->allocated || h->high >= h->allocated || h->high + 1 < h->stored)
    what = "bits allocated, bits stored and the high bit contradict each other";
  else if (!has_room (h))
    what = "its pixels are fewer than it says";
  return !what || file_fail (error, FILE_ERROR_DAMAGED, bytes->path, "is damaged or truncated: %s.", what);
}

static gboolean
check_supported (const DicomHeader *h, const FilesBytes *bytes, GError **error)
{
  static const struct {
    guint allocated;
    gboolean gray, palette, color, native_only;
  } known[] = {{1, TRUE, FALSE, FALSE, TRUE},
               {8, TRUE, TRUE, TRUE, FALSE},
               {16, TRUE, TRUE, TRUE, FALSE},
               {32, TRUE, FALSE, FALSE, FALSE}};
  const gboolean native = h->syntax->codec == DICOM_NATIVE; /* where colors of 2 pixels share 4 bytes */
  const gboolean real =
    (h->allocated == 32 || h->allocated == 64) && native && h->samples == 1 && h->colors < DICOM_PALETTE;
  gboolean good = h->is_float && real;
  for (guint i = 0; i < G_N_ELEMENTS (known) && !h->is_float; i++)
    if (h->allocated == known[i].allocated && (native ? h->colors != DICOM_YBR_422 : !known[i].native_only))
      good |= h->colors == DICOM_PALETTE ? known[i].palette : h->colors >= DICOM_RGB ? known[i].color : known[i].gray;
  good &= h->colors != DICOM_YBR || h->allocated == 8;
  return good
         || file_fail (error, FILE_ERROR_UNSUPPORTED, bytes->path,
                       "has %s of %u bits, stored as %s, which cannot be read.",
                       h->colors == DICOM_YBR_422   ? "subsampled colors"
                       : h->colors >= DICOM_PALETTE ? "colors"
                       : h->is_float                ? "floating-point numbers"
                                                    : "numbers",
                       h->allocated, h->syntax->name);
}

static gboolean
check_syntax (const DicomHeader *h, const FilesBytes *bytes, GError **error)
{
  if (h->syntax->codec == DICOM_JPEG_LS && !files_jpeg_ls_can ())
    return file_fail (error, FILE_ERROR_UNSUPPORTED, bytes->path,
                      "is stored with %s, which needs the library libcharls: install the package libcharls2.",
                      h->syntax->name);
  return h->syntax->codec != DICOM_OTHER
         || file_fail (error, FILE_ERROR_UNSUPPORTED, bytes->path,
                       "is stored with %s, which cannot be decoded: convert it with 'gdcmconv --raw' or dcmconv.",
                       h->syntax->name);
}

/* All but the elements in group 2. */
static gboolean
read_header (DicomHeader *h, DicomElements *from, GError **error)
{
  Reading r = {.header = h, .common = {.slope = 1}};
  FilesBytes *bytes = from->bytes;
  if (!read_elements (&r, from))
    return file_fail (error, FILE_ERROR_DAMAGED, bytes->path,
                      "is damaged or truncated: the bytes from %" G_GUINT64_FORMAT " on are not a DICOM element.",
                      from->at);
  if (!h->pixels_at)
    return TRUE;
  if (h->is_float) {
    h->stored = h->allocated;
    h->high = h->allocated - 1;
  }
  if (!*r.photometric)
    return file_fail (error, FILE_ERROR_DAMAGED, bytes->path, "is damaged: it does not say what its pixels mean.");
  if (!take_colors (h, r.photometric))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, bytes->path,
                      "has %u samples a pixel of the kind '%s', which cannot be read.", h->samples, r.photometric);
  if (!check_syntax (h, bytes, error) || !check (h, bytes, error) || !check_supported (h, bytes, error))
    return FALSE;
  if (!h->frames)
    make_frames (&r);
  return TRUE;
}

DicomHeader *
dicom_header_new (FilesBytes *bytes, GError **error)
{
  g_autoptr (DicomHeader) h = g_new0 (DicomHeader, 1);
  DicomElements from = dicom_elements_of (bytes, &h->syntax);
  h->samples = h->n_frames = 1;
  h->series_number = h->first_frame = -1;
  if (bytes->size < 132)
    file_fail (error, FILE_ERROR_DAMAGED, bytes->path, "is truncated.");
  else if (read_header (h, &from, error))
    return g_steal_pointer (&h);
  return NULL;
}

void
dicom_header_free (DicomHeader *h)
{
  g_free (h->frames);
  g_free (h->series);
  g_free (h->instance);
  g_free (h->concatenation);
  g_free (h->space);
  g_free (h->pyramid);
  g_free (h->modality);
  g_free (h->value_unit);
  g_free (h);
}
