/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/jpeg2000_stream.h"

#include "core/base/progress.h"

enum { BUFFER = 1 << 16 /* bytes */ };

static OPJ_SIZE_T
read_part (void *to, OPJ_SIZE_T n, void *data)
{
  FilesJpeg2000Part *part = data;
  const gsize there = (gsize) MIN ((guint64) n, part->n - part->at);
  if (!there || progress_stopped (NULL) || !files_bytes_read (part->bytes, part->start + part->at, to, there))
    return (OPJ_SIZE_T) -1;
  part->at += there;
  return there;
}

static OPJ_BOOL
seek_part (OPJ_OFF_T to, void *data)
{
  FilesJpeg2000Part *part = data;
  if (to < 0 || (guint64) to > part->n)
    return OPJ_FALSE;
  part->at = (guint64) to;
  return OPJ_TRUE;
}

static OPJ_OFF_T
skip_part (OPJ_OFF_T n, void *data)
{
  FilesJpeg2000Part *part = data;
  return n >= -(OPJ_OFF_T) part->at && (n < 0 || (guint64) n <= part->n - part->at)
             && seek_part ((OPJ_OFF_T) part->at + n, part)
           ? n
           : -1;
}

opj_stream_t *
files_jpeg2000_stream_new (FilesJpeg2000Part *part)
{
  opj_stream_t *stream = opj_stream_create (BUFFER, OPJ_TRUE);
  if (!stream)
    return NULL;
  opj_stream_set_read_function (stream, read_part);
  opj_stream_set_seek_function (stream, seek_part);
  opj_stream_set_skip_function (stream, skip_part);
  opj_stream_set_user_data (stream, part, NULL);
  opj_stream_set_user_data_length (stream, part->n);
  return stream;
}
