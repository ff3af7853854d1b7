/* SPDX-License-Identifier: MIT
 *
 * The size of a pixel that a picture's resolution is.
 */
#ifndef CORE_FILES_SHARED_RESOLUTION_H
#define CORE_FILES_SHARED_RESOLUTION_H

#include "core/data/image_info.h"

/* Pixels per meter, and how exactly the file says so. */
typedef struct FilesResolution {
  double per_meter, within;
} FilesResolution;

/* Sets the size in µm: the shortest number that is this resolution. Usual resolutions of screens and printers, which programs write unasked, are no
 * calibration, and neither is one that is not positive. */
void files_resolution_set (ImageInfo *info, const FilesResolution *x, const FilesResolution *y);

#endif
