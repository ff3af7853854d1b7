/* SPDX-License-Identifier: MIT
 *
 * Threads that compute with the one that calls. All callers share them: those that are idle wait for the next caller and end after two
 * seconds without one. A forked process begins with none and makes its own.
 */
#ifndef PLUGIN_HELPERS_H
#define PLUGIN_HELPERS_H

typedef struct helper helper;

/* Takes up to `wanted` helpers that are as modest as the caller (nice and scheduling policy), and makes those that are missing. *list: the first
 * of them, which are the caller's until helpers_end(). How many there are: fewer when the system gives no more threads. */
unsigned helpers_take (unsigned wanted, helper **list);
/* Each of the list that finds time is to call work (data) once. */
void helpers_begin (helper *list, void (*work) (void *data), void *data);
/* From now on no more of them begin. Returns when those that did have ended, and gives all of them back. */
void helpers_end (helper *list);

#endif
