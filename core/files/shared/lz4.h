/* SPDX-License-Identifier: MIT
 *
 * Blocks of LZ4 by liblz4.
 */
#ifndef CORE_FILES_SHARED_LZ4_H
#define CORE_FILES_SHARED_LZ4_H

#include <glib.h>

/* Whether the library is there; before anything else here. Any thread, as all of them. */
gboolean files_lz4_can (void);
/* n bytes, which make exactly `size`. FALSE when they do not. */
gboolean files_lz4_unpack (const guint8 *packed, gsize n, guint8 *to, gsize size);

#endif
