/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_MOVIES_VIDEO_WRITE_H
#define CORE_FILES_MOVIES_VIDEO_WRITE_H

#include "core/data/image.h"

/* Writes gray or RGB frames of 8 bits by the program ffmpeg, as a video that common players show: H.264, or VP9 with .webm. An ffmpeg without these takes
 * another codec. Values change a little. Odd numbers of rows and columns get one more, which repeats the last. options: FilesMovieChoices. */
gboolean files_video_save (Image *image, const char *path, gconstpointer options, GError **error);

#endif
