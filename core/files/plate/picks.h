/* SPDX-License-Identifier: MIT
 *
 * Lists of positions, as those of Substack: "5", "5-9", "1-end-2" and several of them with commas. Positions count from 1 in the order of what is picked.
 */
#ifndef CORE_FILES_PLATE_PICKS_H
#define CORE_FILES_PLATE_PICKS_H

#include "core/base/file_error.h"

/* Sets taken[i] for each position i + 1 of the list, of n. FALSE with *error, which says what of `what` ("'{z:5-9}'") is wrong. path: for it. */
gboolean plate_picks_read (const char *list, guint n, gboolean *taken, const char *path, const char *what,
                           GError **error);

#endif
