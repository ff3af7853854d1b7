/* SPDX-License-Identifier: MIT
 *
 * bzip2 by libbz2, which every Debian has.
 */
#ifndef CORE_FILES_OME_BZIP2_H
#define CORE_FILES_OME_BZIP2_H

#include <glib.h>

/* Whether the library is there; before anything else here. Any thread, as all of them. */
gboolean ome_bzip2_can (void);
/* n bytes, which make exactly `size`. FALSE when they do not. */
gboolean ome_bzip2_unpack (guint8 *packed, gsize n, guint8 *to, gsize size);

#endif
