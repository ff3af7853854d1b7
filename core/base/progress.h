/* SPDX-License-Identifier: MIT
 *
 * How far a piece of work is, and the request to stop it. Written by the thread that works and read by any other.
 */
#ifndef CORE_BASE_PROGRESS_H
#define CORE_BASE_PROGRESS_H

#include <glib.h>

typedef struct Progress Progress;
struct Progress {
  gint stop;        /* non-zero: stop soon */
  gint64 earliest;  /* by g_get_monotonic_time(): but not before that */
  gint64 until;     /* from then on it shall stop in any case; 0: never */
  gint permille;    /* of the current part, 0 ... 1000 */
  gint part, parts; /* which part of how many, from 0 */
  gint on_disk;     /* how many results lie on disk because memory is short */
  gint fetched;     /* KiB of a URL or stream */
  Progress *outer;  /* the work that this is part of, which is as far and stops this, too; or NULL */
};

static inline void
progress_stop (Progress *p)
{
  g_atomic_int_set (&p->stop, 1);
}

/* The work starts now and does not stop for others during the first n microseconds. */
static inline void
progress_set_grace (Progress *p, gint64 grace)
{
  p->earliest = g_get_monotonic_time () + grace;
}

/* Whether its time is over. */
static inline gboolean
progress_is_over (const Progress *p)
{
  return p->until && g_get_monotonic_time () >= p->until;
}

/* Whether a stop was requested, or the time is over. p may be NULL. */
static inline gboolean
progress_is_stopped (Progress *p)
{
  for (; p; p = p->outer)
    if (progress_is_over (p) || (g_atomic_int_get (&p->stop) && g_get_monotonic_time () >= p->earliest))
      return TRUE;
  return FALSE;
}

/* Says that `done` of `total` of the current part are finished; TRUE means stop. p may be NULL. */
static inline gboolean
progress_report (Progress *p, gint64 done, gint64 total)
{
  for (Progress *at = p; at; at = at->outer)
    g_atomic_int_set (&at->permille, total > 0 ? (gint) (1000.0 * (double) done / (double) total) : 0);
  return progress_is_stopped (p);
}

/* Begins part `part` of `parts`. */
static inline void
progress_part (Progress *p, gint part, gint parts)
{
  for (; p; p = p->outer) {
    g_atomic_int_set (&p->part, part);
    g_atomic_int_set (&p->parts, parts);
    g_atomic_int_set (&p->permille, 0);
  }
}

/* So many results lie on disk. */
static inline void
progress_on_disk (Progress *p, gint results)
{
  for (; p; p = p->outer)
    g_atomic_int_set (&p->on_disk, results);
}

/* So many KiB of a file were fetched. */
static inline void
progress_fetched (Progress *p, gint kibibytes)
{
  for (; p; p = p->outer)
    g_atomic_int_set (&p->fetched, kibibytes);
}

/* Makes p, or none with NULL, the work of this thread, for what is deep below it and has no other way to know: readers and
 * writers of files stop when it shall. */
void progress_enter (Progress *p);
/* The work of this thread, or NULL. */
Progress *progress_current (void);
/* Whether the work of this thread shall stop; then *error says so. */
gboolean progress_stopped (GError **error);

#endif
