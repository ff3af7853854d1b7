/* SPDX-License-Identifier: MIT
 *
 * The directories of a TIFF file, read without libtiff: quickly, whole chains of 10^5, and believing nothing. Every
 * position is checked against the file's size before it is used, and nothing is allocated on a header's word.
 */
#ifndef CORE_FILES_TIFF_DIR_H
#define CORE_FILES_TIFF_DIR_H

#include "core/base/file_hash.h"

/* An open file; reads are by position, on any thread. */
typedef struct FilesTiffFile {
  gint references;
  int fd;
  FileHash *hash;      /* of what is read; NULL: not needed */
  guint64 size, first; /* of the file, of its first directory */
  gboolean big, swapped;
  char *path;
} FilesTiffFile;

/* Where a field's values are. count 0: the field is not there. */
typedef struct FilesTiffField {
  guint16 type;
  gboolean here; /* in the directory itself: `value` is the first one */
  guint64 count, at, value;
} FilesTiffField;

/* How pixels have to be got out of the file. */
typedef enum {
  FILES_TIFF_PLAIN,      /* as samples */
  FILES_TIFF_JPEG_YCBCR, /* JPEG, whose codec converts to RGB */
  FILES_TIFF_RGBA,       /* other YCbCr: libtiff converts to RGBA */
} FilesTiffColor;

/* One directory: a 2-D image. */
typedef struct FilesTiffPage {
  guint64 at, next;                                 /* positions of this and of the next directory; next 0: the last */
  guint32 columns, rows, chunk_columns, chunk_rows; /* chunk: a tile or a strip */
  guint32 subfile;                                  /* NewSubfileType */
  guint16 bits, samples, format, compression, photometric, planar, orientation, fill_order, extra, alpha,
    resolution_unit;
  gboolean tiled;
  FilesTiffColor color;
  FilesTiffField offsets, counts, x_resolution, y_resolution, description, color_map, ij_counts, ij_data, stk,
    sub_pages;
} FilesTiffPage;

FilesTiffFile *files_tiff_file_open (const char *path, GError **error);
FilesTiffFile *files_tiff_file_ref (FilesTiffFile *file);
void files_tiff_file_unref (FilesTiffFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTiffFile, files_tiff_file_unref)

/* Whether all of the `size` bytes from `at` could be read. */
gboolean files_tiff_read (const FilesTiffFile *file, guint64 at, void *to, gsize size);
/* Values `first` to `first + n` of a field of integers; FALSE when it has not so many or they are not in the file. */
gboolean files_tiff_numbers (const FilesTiffFile *file, const FilesTiffField *field, guint64 first, gsize n,
                             guint64 *out);
/* A field of bytes or text, with a NUL behind it, free with g_free(); NULL when there is none, or more than 256 MiB. */
char *files_tiff_bytes (const FilesTiffFile *file, const FilesTiffField *field);
/* A rational's value, or 0. */
double files_tiff_rational (const FilesTiffFile *file, const FilesTiffField *field);

/* The field with that tag of the directory at `at`; FALSE: it has none. */
gboolean files_tiff_field_read (const FilesTiffFile *file, guint64 at, guint16 tag, FilesTiffField *field);
/* Reads the directory at `at`. number: of the directory, from 1, for errors. */
gboolean files_tiff_page_read (const FilesTiffFile *file, guint64 at, gint64 number, FilesTiffPage *page,
                               GError **error);
/* Whether its chunks are JPEG 2000 (33003 to 33005 and 34712), which libtiff does not know; and whether these have Y, Cb and Cr. */
gboolean files_tiff_page_is_jpeg2000 (const FilesTiffPage *page);
gboolean files_tiff_page_is_jpeg2000_ycbcr (const FilesTiffPage *page);
/* Rows and columns as shown, which Orientation can exchange. */
gint64 files_tiff_page_shown_rows (const FilesTiffPage *page);
gint64 files_tiff_page_shown_columns (const FilesTiffPage *page);

#endif
