/* SPDX-License-Identifier: MIT
 *
 * Where this program is. Installed files are found relative to it, so that an installed tree can be moved.
 */
#ifndef CORE_BASE_SYSTEM_HOME_H
#define CORE_BASE_SYSTEM_HOME_H

#include <glib.h>

/* The folder of this program, or of the shared library that this code is part of: then *shared is TRUE. An absolute path without links. Free
 * with g_free(). */
char *home_folder (gboolean *shared);
/* Whether a home is in a build tree. */
gboolean home_is_built (const char *home);

#endif
