/* SPDX-License-Identifier: MIT
 *
 * Frames of ND2 files that are deflated. All channels of a frame are inflated together; the last frames are kept for the other channels.
 */
#ifndef CORE_FILES_ND2_PIXELS_H
#define CORE_FILES_ND2_PIXELS_H

#include "core/files/nd2/layout.h"

/* Image n, described by info. NULL with *error. */
Image *files_nd2_deflated_image (FilesNd2Layout *layout, guint n, const ImageInfo *info, GError **error);

#endif
