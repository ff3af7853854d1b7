/* SPDX-License-Identifier: MIT
 *
 * HCOMPRESS_1: tiles as rounded coefficients of the H-transform, in quadtrees.
 */
#ifndef CORE_FILES_FITS_HCOMPRESS_H
#define CORE_FILES_FITS_HCOMPRESS_H

#include <glib.h>

/* n integers from `size` bytes; smooth: what lossy compression left is made smooth. FALSE when these are no such code, or memory runs out. */
gboolean files_fits_hcompress (const guint8 *from, gsize size, gboolean smooth, gsize n, gint64 *to);

#endif
