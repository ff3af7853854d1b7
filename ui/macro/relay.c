/* SPDX-License-Identifier: MIT
 *
 * What is asked lies on the macro's thread, which waits in any case until the main loop has answered: so nothing is ever left behind.
 */
#include "ui/macro/relay.h"

#include "core/base/error.h"

typedef struct {
  void (*work) (gpointer data);
  void (*abandon) (gpointer data); /* NULL: it has ended when work() returns */
  gpointer data;
  gboolean refused, answered;
} Ask;

struct Relay {
  GMutex lock; /* guards what was answered */
  GCond wake;
  Ask *begun; /* what the main loop has to answer; the main loop's, as `stopped` is */
  gboolean stopped;
};

Relay *
relay_new (void)
{
  Relay *relay = g_new0 (Relay, 1);
  g_mutex_init (&relay->lock);
  g_cond_init (&relay->wake);
  return relay;
}

void
relay_free (Relay *relay)
{
  g_mutex_clear (&relay->lock);
  g_cond_clear (&relay->wake);
  g_free (relay);
}

/* ---- On the macro's thread ---- */

typedef struct {
  Relay *relay;
  Ask *ask;
} Post;

static gboolean
deliver (gpointer data)
{
  Relay *relay = ((Post *) data)->relay;
  Ask *ask = relay->begun = ((Post *) data)->ask;
  gboolean ends = !ask->abandon; /* once it is answered, all that was asked has gone */
  ask->refused = !ends && relay->stopped;
  if (ask->refused)
    relay_answer (relay);
  else {
    ask->work (ask->data);
    if (ends)
      relay_answer (relay);
  }
  return G_SOURCE_REMOVE;
}

static void
wait_for (Relay *relay, Ask *ask)
{
  Post post = {relay, ask};
  g_idle_add_full (G_PRIORITY_DEFAULT, deliver, &post, NULL);
  g_mutex_lock (&relay->lock);
  while (!ask->answered)
    g_cond_wait (&relay->wake, &relay->lock);
  g_mutex_unlock (&relay->lock);
}

void
relay_call (Relay *relay, void (*work) (gpointer data), gpointer data)
{
  Ask ask = {.work = work, .data = data};
  wait_for (relay, &ask);
}

gboolean
relay_wait (Relay *relay, void (*begin) (gpointer data), void (*abandon) (gpointer data), gpointer data, GError **error)
{
  Ask ask = {.work = begin, .abandon = abandon, .data = data};
  wait_for (relay, &ask);
  if (ask.refused)
    step_error_set (error, FV_CANCELLED, NULL, "Stopped.");
  return !ask.refused;
}

/* ---- In the main loop ---- */

void
relay_answer (Relay *relay)
{
  g_mutex_lock (&relay->lock);
  relay->begun->answered = TRUE;
  relay->begun = NULL;
  g_cond_signal (&relay->wake);
  g_mutex_unlock (&relay->lock);
}

void
relay_stop (Relay *relay)
{
  Ask *ask = relay->begun;
  relay->stopped = TRUE;
  if (ask && !ask->refused) {
    ask->refused = TRUE;
    ask->abandon (ask->data);
  }
}

void
relay_start (Relay *relay)
{
  relay->stopped = FALSE;
}
