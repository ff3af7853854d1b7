/* SPDX-License-Identifier: MIT
 *
 * Which images a TIFF file holds, and where the planes of each are: by what ImageJ, OME or tifffile wrote about it, else by
 * the pages' sizes and types. Reduced pages (thumbnails, pyramids) are never planes; many pages alike are a z-stack.
 */
#ifndef CORE_FILES_TIFF_LAYOUT_H
#define CORE_FILES_TIFF_LAYOUT_H

#include "core/files/shared/imagej.h"
#include "core/files/shared/ome.h"
#include "core/files/tiff/dir.h"
#include "core/files/tiff/series.h"

/* Does not change once it is made. */
typedef struct FilesTiffLayout {
  gint references;
  FilesTiffFile *file;
  FilesTiffPage first;
  char *title;             /* what images are called after; NULL: the file */
  GRefString *description; /* NULL: none */
  FilesImagej *imagej;     /* NULL: not ImageJ's */
  FilesOme *ome;           /* NULL: not OME's */
  GArray *pages;           /* guint64: positions of the directories */
  GPtrArray *series;       /* FilesTiffSeries, at least one */
  GPtrArray *others;       /* names of the other files of a set, some of which may have no planes */
  GString *left_out;       /* what of the file, or of its set, is in no image, in words; "": nothing */
} FilesTiffLayout;

FilesTiffLayout *files_tiff_layout_new (const char *path, GError **error);
/* The set of a file whose metadata are in another one. Takes ome, which is what the text says. NULL with *error. */
FilesTiffLayout *files_tiff_layout_of_text (const char *path, FilesOme *ome, const char *text, const char *metadata,
                                            GError **error);
FilesTiffLayout *files_tiff_layout_ref (FilesTiffLayout *layout);
void files_tiff_layout_unref (FilesTiffLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesTiffLayout, files_tiff_layout_unref)

/* For FileFormat: how many images there are, what of the files cannot be read, and the other files of the set. */
guint files_tiff_layout_count (gconstpointer layout);
const char *files_tiff_layout_left_out (gconstpointer layout);
const GPtrArray *files_tiff_layout_others (gconstpointer layout);

/* Positions of all directories of a file. */
GArray *files_tiff_walk (const FilesTiffFile *file, GError **error);

#endif
