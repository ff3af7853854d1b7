/* SPDX-License-Identifier: MIT
 *
 * bzip2 by libbz2, which every Debian has.
 */
#ifndef CORE_FILES_SHARED_BZIP2_H
#define CORE_FILES_SHARED_BZIP2_H

#include <glib.h>

/* Whether the library is there; before anything else here. Any thread, as all of them. */
gboolean files_bzip2_can (void);
/* Whether so many packed bytes can be `size` bytes. */
gboolean files_bzip2_can_be (guint64 packed, guint64 size);
/* n bytes, which make exactly `size`. FALSE when they do not. */
gboolean files_bzip2_unpack (const guint8 *packed, gsize n, guint8 *to, gsize size);

#endif
