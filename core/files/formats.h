/* SPDX-License-Identifier: MIT
 *
 * The list of all formats of image files. Choosers, batches, macros, the library and the pages read it.
 */
#ifndef CORE_FILES_FORMATS_H
#define CORE_FILES_FORMATS_H

#include "core/files/shared/format.h"

/* Ends with NULL. It never changes: another list replaces it when a format is added or removed. Any thread. */
const FileFormat *const *formats_all (void);
/* Adds a format that lives as long as the program, behind the others; FALSE with *error when its key is taken. */
gboolean formats_add (const FileFormat *format, GError **error);
void formats_remove (const FileFormat *format);
/* The format of a file that begins so (n = 0: a folder); NULL: none. */
const FileFormat *formats_of_head (const char *path, const guint8 *head, gsize n);
/* The format that writes files of such a name; NULL: none. */
const FileFormat *formats_of_output (const char *path);
/* Whether the folder is an image itself, as OME-Zarr is; other folders may contain images. */
gboolean formats_is_image_folder (const char *path);
/* Whether the folder opens: it is an image itself, or all that its subfolders have is of one format. A batch takes the images in these one by one instead. */
gboolean formats_opens_folder (const char *path);
/* Whether files of such a name are usually images, which text is not. */
gboolean formats_is_image_name (const char *name);
/* Endings of all formats, or of those names alone that can be written; those in `more` (NULL at the end, or NULL) behind them. Free with g_free(). */
const char **formats_endings (gboolean written, const char *const *more);
/* "TIFF, FITS and PNG". Free with g_free(). */
char *formats_labels (void);
/* Of those that gzip may have packed as a whole: "FITS and NIfTI". Free with g_free(). */
char *formats_packed_labels (void);
/* The first ending of each format that is written: ".tif, .fits or .png". Free with g_free(). */
char *formats_outputs (void);

#endif
