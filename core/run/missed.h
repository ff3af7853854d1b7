/* SPDX-License-Identifier: MIT
 *
 * Notes of a successful run: edits that found no object at their position although there was one before, masks that were measured as one object, and
 * properties that a volume does not have.
 */
#ifndef CORE_RUN_MISSED_H
#define CORE_RUN_MISSED_H

#include "core/run/run.h"

/* How many of step i, when it is one that edits objects; else 0. */
gint64 missed_at (const Run *run, guint i);
/* What step i has to say of that; NULL: nothing. Free with g_free(). */
char *missed_of_step (const Run *run, guint i);
/* A sentence for each such step; NULL: there is none. Free with g_free(). */
char *missed_text (const Run *run);

#endif
