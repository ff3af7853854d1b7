/* SPDX-License-Identifier: MIT
 *
 * The main loop is watched where it waits: from one end of a wait to the beginning of the next it is busy.
 */
#include "ui/widgets/times.h"

#include <stdio.h>
#include <time.h>

static FILE *file; /* NULL: not requested */
static GPollFunc wait_for_events;
static gint64 busy_since, worked_since, requested, frame_since;
static GString *notes; /* the events since busy_since */

static GtkWidget *watched; /* weak */
static TimesSettled settled;
static gconstpointer settled_data;

/* Microseconds that this thread has had a core. */
static gint64
worked (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * G_USEC_PER_SEC + t.tv_nsec / 1000;
}

/* With a frame, or later, when nothing more is to be drawn and a picture that was on its way is given up. */
static void
note_shown (void)
{
  if (!requested || !watched || !settled (settled_data))
    return;
  times_event ("shown", g_get_monotonic_time () - requested);
  requested = 0;
}

static int
watched_wait (GPollFD *fds, guint n, int timeout)
{
  const gint64 stall = 4000;
  note_shown ();
  gint64 busy = g_get_monotonic_time () - busy_since;
  if (busy > stall)
    fprintf (file, "%" G_GINT64_FORMAT "\tstall\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT " %s\n", busy_since, busy,
             worked () - worked_since, notes->str);
  g_string_truncate (notes, 0);
  int ready = wait_for_events (fds, n, timeout);
  busy_since = g_get_monotonic_time ();
  worked_since = worked ();
  return ready;
}

void
times_start (void)
{
  const char *path = g_getenv ("FOVEA_TIMES");
  GMainContext *context = g_main_context_default ();
  if (!path || !*path || !(file = fopen (path, "ae")))
    return;
  setvbuf (file, NULL, _IOLBF, 0);
  notes = g_string_new (NULL);
  busy_since = g_get_monotonic_time ();
  wait_for_events = g_main_context_get_poll_func (context);
  g_main_context_set_poll_func (context, watched_wait);
}

void
times_event (const char *event, gint64 value)
{
  if (!file)
    return;
  fprintf (file, "%" G_GINT64_FORMAT "\t%s\t%" G_GINT64_FORMAT "\t\n", g_get_monotonic_time (), event, value);
  g_string_append_printf (notes, "%s%s", notes->len ? " " : "", event);
}

void
times_request (void)
{
  times_event ("request", 0);
  requested = g_get_monotonic_time ();
}

/* ---- Frames ---- */

static void
before_paint (void)
{
  frame_since = g_get_monotonic_time ();
}

static void
after_paint (void)
{
  times_event ("paint", g_get_monotonic_time () - frame_since);
  note_shown ();
}

static void
on_realize (GtkWidget *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint), NULL);
  g_signal_connect_after (clock, "after-paint", G_CALLBACK (after_paint), NULL);
}

void
times_watch (GtkWidget *window, TimesSettled is_settled, gconstpointer data)
{
  if (!file)
    return;
  g_set_weak_pointer (&watched, window);
  settled = is_settled;
  settled_data = data;
  g_signal_connect (window, "realize", G_CALLBACK (on_realize), NULL);
}
