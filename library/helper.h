/* SPDX-License-Identifier: MIT
 *
 * A thread that works while its caller reports. One is kept for the next caller: to start one takes as long as a small operation.
 */
#ifndef LIBRARY_HELPER_H
#define LIBRARY_HELPER_H

#include <glib.h>

typedef struct Helper Helper;

/* The one that is kept at *idle, or a new one; NULL with *error. lock: guards *idle. */
Helper *helper_take (Helper **idle, GMutex *lock, GError **error);
void helper_begin (Helper *helper, void (*work) (gpointer data), gpointer data);
/* Waits for the end of the work, but no longer than that; whether it has ended. */
gboolean helper_wait (Helper *helper, gint64 microseconds);
/* Keeps one that has nothing to do at *idle, or ends it when there is another. */
void helper_give (Helper *helper, Helper **idle, GMutex *lock);
/* NULL is nothing. */
void helper_free (Helper *helper);

#endif
