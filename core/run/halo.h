/* SPDX-License-Identifier: MIT
 *
 * How far around a part of an image its steps look, for programs that process it in blocks.
 */
#ifndef CORE_RUN_HALO_H
#define CORE_RUN_HALO_H

#include "core/run/run.h"

/* How many slices, rows and columns around a part the steps of a new run need, so that they make the same pixels there as of the whole: those of
 * all steps together. As many as the image has: it must not be divided along that axis. FALSE with *error that names the first step that cannot work on parts. */
gboolean run_halo (const Run *run, gint64 halo[3], GError **error);

#endif
