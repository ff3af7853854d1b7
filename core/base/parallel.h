/* SPDX-License-Identifier: MIT
 *
 * One piece of work cut into many, done on all cores.
 */
#ifndef CORE_BASE_PARALLEL_H
#define CORE_BASE_PARALLEL_H

#include <glib.h>

/* Does piece i; FALSE with *error. On any thread, which works for the same Progress as the one that called parallel_do(). */
typedef gboolean (*ParallelWork) (gpointer data, guint64 i, GError **error);

/* Does the pieces 0 ... n - 1 on at most `max` threads, of which the calling one is one, and no more than there are cores or
 * OMP_NUM_THREADS allows. They begin in order; after a fault, or when the work of the thread shall stop, no more begin.
 * FALSE with the *error of the first piece, in their order, that failed. Within a piece there is one thread. */
gboolean parallel_do (guint64 n, guint64 max, ParallelWork work, gpointer data, GError **error);
/* Makes piece i, which is appended to bytes, as ParallelWork; and then puts it away, on the calling thread, piece after piece. */
typedef gboolean (*ParallelMake) (gpointer data, guint64 i, GByteArray *bytes, GError **error);
typedef gboolean (*ParallelPut) (gpointer data, guint64 i, const GByteArray *bytes, GError **error);
/* The same for pieces that are made on all cores and have to be put away in order. Some of them are in memory at a time. */
gboolean parallel_make (guint64 n, ParallelMake make, ParallelPut put, gpointer data, GError **error);
/* How many threads that is at most. */
guint parallel_threads (void);
/* From now on this thread has no more than that, for both; 0: all. */
void parallel_limit (guint threads);
/* Operations that this thread calls from now on compute with no more threads than that; 0: all. What it was before. */
guint parallel_limit_operations (guint threads);
/* Tells the plugin that computes how many threads calls of this thread may have from now on; 0: all. */
typedef void (*ParallelFollow) (gint32 threads);
/* Calls follow() on each thread whose limit changes from now on. It stays in memory. */
void parallel_follow (ParallelFollow follow);

#endif
