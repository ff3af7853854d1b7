/* SPDX-License-Identifier: MIT
 *
 * The series of files that OME describes: from its text to the pages of each image, here and in the other files of a set. Of an
 * image whose planes are not all there (a file of the set is missing, an acquisition was stopped) the frames that are complete
 * remain, else the slices, else the channels.
 */
#ifndef CORE_FILES_TIFF_OME_SERIES_H
#define CORE_FILES_TIFF_OME_SERIES_H

#include "core/files/tiff/dir.h"
#include "core/files/tiff/series.h"

/* Adds one series for each image of *ome of which all or some planes can be found, and to `others` the names of the other files that they are in.
 * FALSE, and no series, when no plane can be found. The offsets of the file's directories (guint64) are `pages`. What is missing is appended to
 * left_out, in words. If the file only names another one that has the description, *ome becomes that description. */
gboolean files_tiff_ome_series (const FilesTiffFile *file, const GArray *pages, FilesOme **ome, GPtrArray *series,
                                GPtrArray *others, GString *left_out);

#endif
