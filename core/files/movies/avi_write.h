/* SPDX-License-Identifier: MIT
 *
 * Writing AVI: gray or RGB frames of 8 bits, not compressed, or each as a JPEG or PNG picture. Trees of 1 GiB have OpenDML indexes; the first also has
 * the old one.
 */
#ifndef CORE_FILES_MOVIES_AVI_WRITE_H
#define CORE_FILES_MOVIES_AVI_WRITE_H

#include "core/files/shared/movie.h"

/* options: FilesMovieChoices. */
gboolean files_avi_save (Image *image, const char *path, gconstpointer options, GError **error);
/* The same in trees of about so many bytes. */
gboolean files_avi_save_in_trees (Image *image, const char *path, const FilesMovieChoices *choices, guint64 tree_bytes,
                                  GError **error);

#endif
