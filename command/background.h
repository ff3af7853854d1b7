/* SPDX-License-Identifier: MIT
 *
 * What a command does on a thread of its own, where signals stop it, while the main thread shows how far it is.
 */
#ifndef COMMAND_BACKGROUND_H
#define COMMAND_BACKGROUND_H

#include "library/fovea.h"

#include <glib.h>

typedef struct Background Background;

/* Why it failed, to be freed with g_free(); NULL: it did not. */
typedef char *(*BackgroundWork) (gpointer data);

/* Starts the work; NULL with *error when no thread can be started. name: of the thread. */
Background *background_start (const char *name, BackgroundWork work, gpointer data, GError **error);
/* What it does belongs to this task, which lives until background_end(). */
fovea_task *background_task (const Background *background);
/* FALSE: it has not ended by then, by g_get_monotonic_time(). */
gboolean background_wait (Background *background, gint64 until);
/* Waits for its end, and calls show, with the data of the work, after so many milliseconds, and then every so many; whether it did. */
gboolean background_show (Background *background, int first_ms, int every_ms, void (*show) (gpointer data));
/* Waits for its end and frees it; what the work returned. */
char *background_end (Background *background);

#endif
