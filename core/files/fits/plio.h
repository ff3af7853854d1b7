/* SPDX-License-Identifier: MIT
 *
 * IRAF's lists of runs, by which FITS stores masks (PLIO_1): integers that are not negative.
 */
#ifndef CORE_FILES_FITS_PLIO_H
#define CORE_FILES_FITS_PLIO_H

#include <glib.h>

/* n integers from `size` bytes. FALSE when these are no such list. */
gboolean files_fits_plio (const guint8 *from, gsize size, gsize n, gint32 *to);

#endif
