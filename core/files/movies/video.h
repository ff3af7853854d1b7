/* SPDX-License-Identifier: MIT
 *
 * Videos that the programs ffmpeg and ffprobe read and write: MP4, QuickTime, Matroska, WebM, WMV, MPEG, and AVI whose compression is not one of
 * format_avi. All frames are decoded into a temporary file when the image is opened: 8-bit RGB, one channel where all colors are gray, or gray values as
 * they are stored, with up to 16 bits.
 */
#ifndef CORE_FILES_MOVIES_VIDEO_H
#define CORE_FILES_MOVIES_VIDEO_H

#include "core/files/shared/format.h"

/* Describing it decodes nothing. */
extern const FileFormat format_video;

#endif
