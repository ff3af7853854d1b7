/* SPDX-License-Identifier: MIT
 *
 * JPEG XR by libjxrglue (jxrlib), in a process of its own: the library is not made for files that lie.
 */
#ifndef CORE_FILES_CZI_JPEG_XR_H
#define CORE_FILES_CZI_JPEG_XR_H

#include "core/files/czi/levels.h"

/* Whether the library is there. Any thread. */
gboolean files_czi_jpeg_xr_can (void);
/* Decodes all pixels of a sub-block, colors as blue, green, red. Says what is wrong with the n packed bytes, behind "the sub-block", or NULL. */
const char *files_czi_jpeg_xr (const guint8 *packed, gsize n, const FilesCziBlock *block, const FilesCziPixel *pixel,
                               guint8 *to);

#endif
