/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/jpeg2000.h"

#include <openjpeg.h>
#include <string.h>

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
  for (guint i = 0; good && i < image->numcomps; i++)
    good = image->comps[i].dx == 1 && image->comps[i].dy == 1 && image->comps[i].prec <= 8 * wanted->bytes;
  return good;
}

static void
copy_component (const FilesJpeg2000 *wanted, const OPJ_INT32 *from, guint component, void *to)
{
  const gsize n = (gsize) wanted->rows * wanted->columns;
  for (gsize i = 0; i < n; i++) {
    const gsize at = i * wanted->components + component;
    if (wanted->bytes == 1)
      ((guint8 *) to)[at] = (guint8) from[i];
    else if (wanted->bytes == 2)
      ((guint16 *) to)[at] = (guint16) from[i];
    else
      ((guint32 *) to)[at] = (guint32) from[i];
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
    if (!component->data || component->w != wanted->columns || component->h != wanted->rows)
      return "is damaged";
    copy_component (wanted, component->data, i, to);
  }
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
