/* SPDX-License-Identifier: MIT
 *
 * How far a piece of work is, and the request to stop it. Written by the thread that works and read by any other.
 */
#ifndef CORE_BASE_PROGRESS_H
#define CORE_BASE_PROGRESS_H

#include <glib.h>

typedef struct Progress {
  gint stop;        /* non-zero: stop soon */
  gint permille;    /* of the current part, 0 ... 1000 */
  gint part, parts; /* which part of how many, from 0 */
} Progress;

static inline void
progress_stop (Progress *p)
{
  g_atomic_int_set (&p->stop, 1);
}

/* Whether somebody wished it. p may be NULL. */
static inline gboolean
progress_is_stopped (Progress *p)
{
  return p && g_atomic_int_get (&p->stop) != 0;
}

/* Says that `done` of `total` of the current part are finished; TRUE means stop. p may be NULL. */
static inline gboolean
progress_report (Progress *p, gint64 done, gint64 total)
{
  if (!p)
    return FALSE;
  g_atomic_int_set (&p->permille, total > 0 ? (gint) (1000.0 * (double) done / (double) total) : 0);
  return progress_is_stopped (p);
}

/* Begins part `part` of `parts`. */
static inline void
progress_part (Progress *p, gint part, gint parts)
{
  if (!p)
    return;
  g_atomic_int_set (&p->part, part);
  g_atomic_int_set (&p->parts, parts);
  g_atomic_int_set (&p->permille, 0);
}

/* Makes p, or none with NULL, the work of this thread, for what is deep below it and has no other way to know: readers and
 * writers of files stop when it shall. */
void progress_enter (Progress *p);
/* The work of this thread, or NULL. */
Progress *progress_current (void);
/* Whether the work of this thread shall stop; then *error says so. */
gboolean progress_stopped (GError **error);

#endif
