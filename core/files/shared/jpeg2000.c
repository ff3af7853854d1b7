/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/jpeg2000.h"

#include <openjpeg.h>
#include <string.h>

enum { MAX_STEP = 4 /* columns or rows of Y from one Cb to the next */ };

typedef struct {
  const guint8 *bytes;
  gsize n, at;
} Memory;

/* ---- The stream ---- */

static OPJ_SIZE_T
read_memory (void *to, OPJ_SIZE_T n, void *data)
{
  Memory *memory = data;
  const gsize there = MIN ((gsize) n, memory->n - memory->at);
  memcpy (to, memory->bytes + memory->at, there);
  memory->at += there;
  return there ? there : (OPJ_SIZE_T) -1;
}

static OPJ_BOOL
seek_memory (OPJ_OFF_T to, void *data)
{
  Memory *memory = data;
  if (to < 0 || (guint64) to > memory->n)
    return OPJ_FALSE;
  memory->at = (gsize) to;
  return OPJ_TRUE;
}

static OPJ_OFF_T
skip_memory (OPJ_OFF_T n, void *data)
{
  Memory *memory = data;
  return seek_memory ((OPJ_OFF_T) memory->at + n, memory) ? n : -1;
}

static opj_stream_t *
stream_new (Memory *memory)
{
  opj_stream_t *stream = opj_stream_create (1 << 16, OPJ_TRUE);
  if (!stream)
    return NULL;
  opj_stream_set_read_function (stream, read_memory);
  opj_stream_set_seek_function (stream, seek_memory);
  opj_stream_set_skip_function (stream, skip_memory);
  opj_stream_set_user_data (stream, memory, NULL);
  opj_stream_set_user_data_length (stream, memory->n);
  return stream;
}

/* ---- The image ---- */

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

/* By JFIF (ITU-T T.871), rounded, in units of 2^-16. */
static void
convert_to_rgb (guint8 *pixels, gsize n)
{
  enum { HALF = 1 << 15 };
  for (gsize i = 0; i < n; i++, pixels += 3) {
    const int y = pixels[0] * 65536 + HALF, cb = pixels[1] - 128, cr = pixels[2] - 128;
    const int red = (y + 91881 * cr) >> 16, green = (y - 22554 * cb - 46802 * cr) >> 16, blue = (y + 116130 * cb) >> 16;
    pixels[0] = (guint8) CLAMP (red, 0, 255);
    pixels[1] = (guint8) CLAMP (green, 0, 255);
    pixels[2] = (guint8) CLAMP (blue, 0, 255);
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
  if (wanted->ycbcr)
    convert_to_rgb (to, (gsize) wanted->rows * wanted->columns);
  return NULL;
}

const char *
files_jpeg2000_decode (const guint8 *bytes, gsize n, const FilesJpeg2000 *wanted, void *to)
{
  static const guint8 codestream[] = {0xff, 0x4f, 0xff, 0x51};
  const gboolean bare = n >= sizeof codestream && !memcmp (bytes, codestream, sizeof codestream);
  Memory memory = {bytes, n, 0};
  opj_codec_t *codec = opj_create_decompress (bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
  opj_stream_t *stream = stream_new (&memory);
  opj_image_t *image = NULL;
  const char *why = codec && stream ? decode (codec, stream, &image, wanted, to) : "does not fit into memory";
  g_clear_pointer (&image, opj_image_destroy);
  g_clear_pointer (&stream, opj_stream_destroy);
  g_clear_pointer (&codec, opj_destroy_codec);
  return why;
}
