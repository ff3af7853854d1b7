/* SPDX-License-Identifier: MIT
 *
 * Acquisitions that ended early, or lost a file: what of their frames, slices or channels is whole.
 */
#ifndef CORE_FILES_SHARED_COMPLETE_H
#define CORE_FILES_SHARED_COMPLETE_H

#include <glib.h>

/* Axes of planes. */
enum { FILES_SLICES, FILES_CHANNELS, FILES_FRAMES };

/* Whether plane (frame × channels + channel) × slices + slice is there. */
typedef gboolean (*FilesIsThere) (gconstpointer data, gint64 plane);
/* Of planes of which some may be missing: the axis along which the incomplete positions have to go, frames if possible, else slices, else channels. Where no
 * axis alone is enough, as with a channel that has one slice beside stacks, it is channels first, the ones with most planes in common; call again then.
 * sizes: by axis. *kept: the positions that stay (gint64), NULL: all planes are there. FALSE: nothing complete would remain. */
gboolean files_complete_find (const gint64 sizes[3], FilesIsThere is_there, gconstpointer data, int *axis,
                              GArray **kept);

#endif
