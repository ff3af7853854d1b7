/* SPDX-License-Identifier: MIT
 *
 * AVI: the frames of its first video stream, with their interval. They are 8-bit gray, a palette or RGB, uncompressed, or JPEG or PNG pictures. Videos
 * with other compressions are those of format_video.
 */
#ifndef CORE_FILES_MOVIES_AVI_H
#define CORE_FILES_MOVIES_AVI_H

#include "core/files/shared/format.h"

extern const FileFormat format_avi;

#endif
