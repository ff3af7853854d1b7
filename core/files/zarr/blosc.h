/* SPDX-License-Identifier: MIT
 *
 * Blosc by libblosc, which is used if it is installed.
 */
#ifndef CORE_FILES_ZARR_BLOSC_H
#define CORE_FILES_ZARR_BLOSC_H

#include <glib.h>

/* Whether the library is there; before anything else here. Any thread, as all of them. */
gboolean zarr_blosc_can (void);
/* How many bytes n packed ones unpack to; 0: they are damaged. */
gsize zarr_blosc_size (const guint8 *packed, gsize n);
/* Unpacks what has that size. FALSE when it is damaged. */
gboolean zarr_blosc_unpack (const guint8 *packed, guint8 *to, gsize size);

#endif
