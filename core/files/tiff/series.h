/* SPDX-License-Identifier: MIT
 *
 * A series is one image of a TIFF file: where each of its planes is, by page, sample and file.
 */
#ifndef CORE_FILES_TIFF_SERIES_H
#define CORE_FILES_TIFF_SERIES_H

#include "core/files/shared/ome.h"

#define FILES_TIFF_NO_PAGE G_MAXUINT32

/* Where one plane is. */
typedef struct FilesTiffPlane {
  guint32 page;   /* of the file's chain of directories, or FILES_TIFF_NO_PAGE */
  guint16 sample; /* of the page's pixels */
  guint16 file;   /* 0: the file itself; n: others[n - 1] */
} FilesTiffPlane;

/* One image. Until files_tiff_series_expand() its planes are whole pages, with all their samples. */
typedef struct FilesTiffSeries {
  guint number;   /* of the series in its file */
  char *name;     /* that its page has; NULL: none */
  GArray *planes; /* FilesTiffPlane, number (t * channels + c) * depth + z */
  gint64 channels, depth, frames;
  gboolean expanded;        /* planes are single samples */
  gboolean consecutive;     /* there are fewer directories than pages; page n begins n pages behind the first byte */
  gboolean imagej;          /* ImageJ's text is about this image */
  const FilesOmeImage *ome; /* NULL: none is about this image */
  GArray *kept;             /* gint64: channels of the OME description that are there; NULL: all */
  GArray *pages;            /* guint32: where there are reduced ones, the image's pages in ascending order */
  GPtrArray *reduced;       /* and for each smaller size such an array, of as many; NULL: none */
} FilesTiffSeries;

FilesTiffSeries *files_tiff_series_new (gint64 channels, gint64 depth, gint64 frames);
/* Can be expanded without a change to the original. */
FilesTiffSeries *files_tiff_series_copy (const FilesTiffSeries *series);
void files_tiff_series_free (FilesTiffSeries *series);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTiffSeries, files_tiff_series_free)
/* Makes planes of single samples of planes that are pages, taking the first `samples` of each. */
void files_tiff_series_expand (FilesTiffSeries *series, guint samples);

#endif
