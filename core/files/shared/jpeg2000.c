/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/jpeg2000.h"

#include "core/files/shared/jpeg2000_stream.h"

#include <string.h>

enum { MAX_STEP = 4 /* columns or rows of Y from one Cb to the next */ };

gboolean
files_jpeg2000_is_codestream (const guint8 *head, gsize n)
{
  static const guint8 start[] = {0xff, 0x4f, 0xff, 0x51}; /* SOC, SIZ */
  return n >= sizeof start && !memcmp (head, start, sizeof start);
}

static gboolean
is_as_wanted (const opj_image_t *image, const FilesJpeg2000 *wanted)
{
  gboolean good = image->numcomps == wanted->components && image->x1 - image->x0 == wanted->columns
                  && image->y1 - image->y0 == wanted->rows;
  for (guint i = 0; good && i < image->numcomps; i++) {
    const guint most = wanted->ycbcr && i > 0 ? MAX_STEP : 1;
    good = image->comps[i].dx <= most && image->comps[i].dy <= most && image->comps[i].prec <= 8 * wanted->bytes;
  }
  return good;
}

/* Whether the component was decoded to all its numbers. */
static gboolean
is_whole (const FilesJpeg2000 *wanted, const opj_image_comp_t *component)
{
  return component->data && component->w == (wanted->columns - 1) / component->dx + 1
         && component->h == (wanted->rows - 1) / component->dy + 1;
}

static void
copy_row (const FilesJpeg2000 *wanted, const OPJ_INT32 *from, guint step, void *to, gsize at)
{
  for (guint x = 0; x < wanted->columns; x++, at += wanted->components) {
    const OPJ_INT32 value = from[x / step];
    if (wanted->bytes == 1)
      ((guint8 *) to)[at] = (guint8) value;
    else if (wanted->bytes == 2)
      ((guint16 *) to)[at] = (guint16) value;
    else
      ((guint32 *) to)[at] = (guint32) value;
  }
}

/* Numbers of several pixels are repeated. */
static void
copy_component (const FilesJpeg2000 *wanted, const opj_image_comp_t *from, guint number, void *to)
{
  for (guint y = 0; y < wanted->rows; y++)
    copy_row (wanted, from->data + (gsize) (y / from->dy) * from->w, from->dx, to,
              (gsize) y * wanted->columns * wanted->components + number);
}

/* In units of 2^-16. */
void
files_jpeg2000_to_rgb (guint8 *const colors[3], gsize step, gsize n)
{
  enum { HALF = 1 << 15 };
  for (gsize i = 0; i < n * step; i += step) {
    const int y = colors[0][i] * 65536 + HALF, cb = colors[1][i] - 128, cr = colors[2][i] - 128;
    const int red = (y + 91881 * cr) >> 16, green = (y - 22554 * cb - 46802 * cr) >> 16, blue = (y + 116130 * cb) >> 16;
    colors[0][i] = (guint8) CLAMP (red, 0, 255);
    colors[1][i] = (guint8) CLAMP (green, 0, 255);
    colors[2][i] = (guint8) CLAMP (blue, 0, 255);
  }
}

static const char *
decode (opj_codec_t *codec, opj_stream_t *stream, opj_image_t **image, const FilesJpeg2000 *wanted, void *to)
{
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters (&parameters);
  if (!opj_setup_decoder (codec, &parameters) || !opj_read_header (stream, codec, image))
    return "is damaged";
  if (!is_as_wanted (*image, wanted))
    return "has another size or other bits than the file says";
  if (!opj_decode (codec, stream, *image) || !opj_end_decompress (codec, stream))
    return "is damaged or truncated";
  for (guint i = 0; i < wanted->components; i++) {
    const opj_image_comp_t *component = (*image)->comps + i;
    if (!is_whole (wanted, component))
      return "is damaged";
    copy_component (wanted, component, i, to);
  }
  guint8 *const colors[] = {to, (guint8 *) to + 1, (guint8 *) to + 2};
  if (wanted->ycbcr)
    files_jpeg2000_to_rgb (colors, 3, (gsize) wanted->rows * wanted->columns);
  return NULL;
}

const char *
files_jpeg2000_decode (const guint8 *bytes, gsize n, const FilesJpeg2000 *wanted, void *to)
{
  FilesBytes memory = {.fd = -1, .memory = {.pixels = (guint8 *) bytes}, .size = n};
  FilesJpeg2000Part part = {.bytes = &memory, .n = n};
  opj_codec_t *codec = opj_create_decompress (files_jpeg2000_is_codestream (bytes, n) ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
  opj_stream_t *stream = files_jpeg2000_stream_new (&part);
  opj_image_t *image = NULL;
  const char *why = codec && stream ? decode (codec, stream, &image, wanted, to) : "does not fit into memory";
  g_clear_pointer (&image, opj_image_destroy);
  g_clear_pointer (&stream, opj_stream_destroy);
  g_clear_pointer (&codec, opj_destroy_codec);
  return why;
}
