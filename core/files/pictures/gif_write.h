/* SPDX-License-Identifier: MIT
 *
 * Writing GIF: all frames with one palette, gray values as they are, and RGB exactly if all frames together have at most 256 colors.
 */
#ifndef CORE_FILES_PICTURES_GIF_WRITE_H
#define CORE_FILES_PICTURES_GIF_WRITE_H

#include "core/data/image.h"

/* options: FilesMovieChoices. */
gboolean files_gif_save (Image *image, const char *path, gconstpointer options, GError **error);

#endif
