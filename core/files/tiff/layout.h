/* SPDX-License-Identifier: MIT
 *
 * Which images a TIFF file holds, and where the planes of each are: by what ImageJ, OME or tifffile wrote about it, else by
 * the pages' sizes and types. Reduced pages (thumbnails, pyramids) are never planes; many pages alike are a z-stack.
 */
#ifndef CORE_FILES_TIFF_LAYOUT_H
#define CORE_FILES_TIFF_LAYOUT_H

#include "core/files/shared/imagej.h"
#include "core/files/shared/ome.h"
#include "core/files/tiff/convert.h"

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
  GArray *planes; /* FilesTiffPlane, number (t * channels + c) * depth + z */
  gint64 channels, depth, frames;
  gboolean expanded;        /* planes are single samples */
  gboolean consecutive;     /* there are fewer directories than pages; page n begins n pages behind the first byte */
  gboolean imagej;          /* ImageJ's text is about this image */
  const FilesOmeImage *ome; /* NULL: none is about this image */
  GArray *kept;             /* gint64: channels of the OME description that are there; NULL: all */
} FilesTiffSeries;

/* Does not change once it is made. */
typedef struct FilesTiffLayout {
  gint references;
  FilesTiffFile *file;
  FilesTiffPage first;
  GRefString *description; /* NULL: none */
  FilesImagej *imagej;     /* NULL: not ImageJ's */
  FilesOme *ome;           /* NULL: not OME's */
  GArray *pages;           /* guint64: positions of the directories */
  GPtrArray *series;       /* FilesTiffSeries, at least one */
  GPtrArray *others;       /* names of the other files of a set */
} FilesTiffLayout;

FilesTiffLayout *files_tiff_layout_new (const char *path, GError **error);
FilesTiffLayout *files_tiff_layout_ref (FilesTiffLayout *layout);
void files_tiff_layout_unref (FilesTiffLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTiffLayout, files_tiff_layout_unref)

/* Positions of all directories of a file. */
GArray *files_tiff_walk (const FilesTiffFile *file, GError **error);

FilesTiffSeries *files_tiff_series_new (gint64 channels, gint64 depth, gint64 frames);
/* Can be expanded without a change to the original. */
FilesTiffSeries *files_tiff_series_copy (const FilesTiffSeries *series);
void files_tiff_series_free (FilesTiffSeries *series);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTiffSeries, files_tiff_series_free)
/* Makes planes of single samples of planes that are pages, taking the first `samples` of each. */
void files_tiff_series_expand (FilesTiffSeries *series, guint samples);

/* For layout->ome: one series for each of its images of which all or some planes can be found; FALSE when none can, and
 * then nothing has changed. */
gboolean files_tiff_ome_series (FilesTiffLayout *layout);
/* For a description that tifffile wrote, {"shape": ...}: the series of so many pages, or NULL when it says no more than the
 * pages do; and how many pages follow the first without a directory, with it, or 0. */
FilesTiffSeries *files_tiff_shaped_series (const FilesTiffLayout *layout, gint64 pages);
gint64 files_tiff_shaped_pages (const FilesTiffLayout *layout);

/* What is known about a series without its pixels. page: its first; samples: of a pixel, those that are read. Texts and
 * arrays belong to info: image_info_clear(). */
void files_tiff_info (const FilesTiffLayout *layout, const FilesTiffSeries *series, const FilesTiffPage *page,
                      const FilesTiffFormat *format, guint samples, ImageInfo *info);

#endif
