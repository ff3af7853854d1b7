/* SPDX-License-Identifier: MIT
 *
 * Writing PNG, on all cores.
 */
#ifndef CORE_FILES_PNG_WRITE_H
#define CORE_FILES_PNG_WRITE_H

#include "core/data/image.h"

/* One plane of u8, u16 or of integers that fit into 16 bits, or RGB; the pixel size when its unit is a length. options: none. */
gboolean files_png_save (Image *image, const char *path, gconstpointer options, GError **error);

#endif
