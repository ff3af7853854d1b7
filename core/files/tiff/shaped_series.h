/* SPDX-License-Identifier: MIT
 *
 * The series of files that Python's tifffile wrote, whose description {"shape": [...], "axes": "...", "truncated": true} is the
 * array that was saved. Axes other than T, C and Z, and an array whose axes are not named, are a z-stack.
 */
#ifndef CORE_FILES_TIFF_SHAPED_SERIES_H
#define CORE_FILES_TIFF_SHAPED_SERIES_H

#include "core/files/tiff/dir.h"
#include "core/files/tiff/series.h"

/* The series of so many pages; NULL when the description, which may be NULL, is not tifffile's or says no more than the pages
 * do. first: the first page. */
FilesTiffSeries *files_tiff_shaped_series (const char *description, const FilesTiffPage *first, gint64 pages);
/* Whether it is an array without names of axes that ends in three or four and is larger otherwise, such as (rows, columns, 3), whose rows were
 * written as slices. These are most likely colors. *size: what it ends in. */
gboolean files_tiff_shaped_colors (const char *description, const FilesTiffPage *first, guint *size);
/* How many pages follow the first without a directory, with it; or 0. */
gint64 files_tiff_shaped_pages (const char *description, const FilesTiffPage *first);

#endif
