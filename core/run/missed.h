/* SPDX-License-Identifier: MIT
 *
 * Commands of a hand that a run has found no object for: they were given on an image that had one there.
 */
#ifndef CORE_RUN_MISSED_H
#define CORE_RUN_MISSED_H

#include "core/run/run.h"

/* How many of step i, when it is one that edits objects; else 0. */
gint64 missed_at (const Run *run, guint i);
/* A sentence for each step that has some; NULL: none has. Free with g_free(). */
char *missed_text (const Run *run);

#endif
