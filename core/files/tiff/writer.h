/* SPDX-License-Identifier: MIT
 *
 * A TIFF file that is being written, however its pixels lie in it: their samples, and what it says about them.
 */
#ifndef CORE_FILES_TIFF_WRITER_H
#define CORE_FILES_TIFF_WRITER_H

#include "core/base/file_target.h"
#include "core/data/image.h"
#include "core/files/tiff/ifd.h"
#include "core/files/tiff/narrow.h"

/* A file that is being written. */
typedef struct FilesTiffWriter {
  const char *path;
  Image *image;
  const ImageInfo *info;
  FilesTiffStored stored;
  FileTarget *target;
  gboolean big;
  guint16 samples;             /* per pixel */
  gint64 pages;                /* directories, but for those of smaller levels */
  GByteArray *counts, *extras; /* tags 50838 and 50839; empty when there is nothing to say */
  guint32 resolution[2][2];    /* of y and x: pixels per unit as a fraction; 0/0: none */
} FilesTiffWriter;

/* n samples, or RGB of three planes, from pixel number `first` on. FALSE with *error for a value that the file's type does not
 * hold. */
gboolean files_tiff_make_samples (const FilesTiffWriter *writer, const void *const planes[3], gsize first, gsize n,
                                  guint8 *to, GError **error);
/* The planes of a page, from 0: one, or three of RGB. FALSE with *error. */
gboolean files_tiff_page_planes (const FilesTiffWriter *writer, gint64 page, const void *planes[3], GError **error);

/* A page, and where its pixels are. */
typedef struct FilesTiffWritten {
  const FilesTiffWriter *writer;
  gint64 page; /* from 0 */
  gint64 rows, columns;
  guint level;          /* 0: full size */
  guint16 compression;  /* COMPRESSION_... */
  gboolean differences; /* of pixels are stored */
  gboolean tiled;       /* else strips */
  gint64 chunk_rows, chunk_columns;
  gsize n; /* chunks */
  const guint64 *offsets, *counts;
  gsize n_levels;        /* smaller ones of this page */
  const guint64 *levels; /* positions of their directories */
} FilesTiffWritten;

/* FALSE with *error when TIFF cannot hold the size of pixels. */
gboolean files_tiff_set_resolution (FilesTiffWriter *writer, GError **error);
/* Fills counts and extras, for as many pages as there are. */
void files_tiff_set_extras (FilesTiffWriter *writer);
/* All tags of a FilesTiffWritten. */
void files_tiff_add_tags (gconstpointer written, FilesTiffIfd *ifd);
/* The file's first bytes; first: where its first directory is. */
void files_tiff_append_header (GByteArray *to, gboolean big, guint64 first);

#endif
