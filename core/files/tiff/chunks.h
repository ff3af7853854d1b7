/* SPDX-License-Identifier: MIT
 *
 * A page that is open: its chunks (strips or tiles), and what threads decode them with.
 */
#ifndef CORE_FILES_TIFF_CHUNKS_H
#define CORE_FILES_TIFF_CHUNKS_H

#include "core/files/tiff/codec.h"
#include "core/files/tiff/convert.h"

/* What is to be decoded. number: of the page, from 1, for errors. */
typedef struct FilesTiffJob {
  FilesTiffFile *file;
  FilesTiffPage page;
  FilesTiffFormat format;
  gint64 number;
} FilesTiffJob;

/* FALSE with *error when the page cannot be read at all, or claims more pixels than the file can hold. A page may have at most the file's size times
 * its codec's largest ratio (codec.c lists them), or, with codecs that have none, 256 MiB. */
gboolean files_tiff_decodable (const FilesTiffJob *job, GError **error);

/* What one thread decodes with. */
typedef struct FilesTiffHand {
  FilesTiffCodec *codec; /* NULL: uncompressed */
  guint8 *buffer;
  gsize size; /* of it */
  struct FilesTiffHand *next;
} FilesTiffHand;

/* A page that is open: its table of chunks has been read, and decoders stay for later. */
typedef struct FilesTiffDecoder {
  gint references;
  FilesTiffJob job;
  const FilesTiffPage *page; /* the job's */
  guint64 across, down;      /* chunks */
  guint samples;             /* of a pixel in one chunk */
  gsize row_bytes;           /* of a chunk's row */
  guint64 chunk_bytes;
  gboolean plain;            /* uncompressed */
  gboolean direct;           /* a chunk's decoded bytes are pixels */
  guint64 *offsets, *counts; /* of the chunks of all samples; counts NULL: not given */
  GMutex lock;               /* guards what follows */
  FilesTiffHand *idle;
} FilesTiffDecoder;

/* For a job that is decodable; keeps a reference to its file. */
FilesTiffDecoder *files_tiff_decoder_new (const FilesTiffJob *job, GError **error);
FilesTiffDecoder *files_tiff_decoder_ref (FilesTiffDecoder *decoder);
void files_tiff_decoder_unref (FilesTiffDecoder *decoder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTiffDecoder, files_tiff_decoder_unref)

/* Says in *error that a chunk is damaged or truncated (kind); FALSE. */
gboolean files_tiff_chunk_fault (const FilesTiffDecoder *d, guint64 chunk, const char *kind, const char *fault,
                                 GError **error);
/* A tile without bytes means zeros; slide scanners leave empty regions out in this way. */
gboolean files_tiff_chunk_is_absent (const FilesTiffDecoder *d, guint64 chunk);
/* Whether the file can have the chunk. bytes: that are wanted from its beginning on, decoded. */
gboolean files_tiff_chunk_check (const FilesTiffDecoder *d, guint64 chunk, gsize bytes, GError **error);

/* An idle one, or a new one, for this thread alone; NULL with *error. */
FilesTiffHand *files_tiff_hand_take (FilesTiffDecoder *d, GError **error);
void files_tiff_hand_give (FilesTiffDecoder *d, FilesTiffHand *hand);
/* Its buffer, at least so large; NULL with *error. */
guint8 *files_tiff_hand_buffer (const FilesTiffDecoder *d, FilesTiffHand *hand, gsize bytes, GError **error);

gboolean files_tiff_no_memory (const FilesTiffFile *file, GError **error);

#endif
