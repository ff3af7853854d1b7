/* SPDX-License-Identifier: MIT
 *
 * Handlers call only async-signal-safe functions, so locks of other threads cannot block them.
 */
#include "command/stop.h"

#include <glib.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_NS 80000000

static fovea_task *work; /* atomic */
static gint signals;
static timer_t patience;
static gboolean have_patience;

/* What is done is lost and what is saved is whole. */
static void
on_patience_end (int number)
{
  static const char text[] = "\nfovea: Stopped.\n";
  gboolean terminal = isatty (STDERR_FILENO); /* there a line of progress may stand */
  (void) number;
  fovea_abandon_files ();
  if (write (STDERR_FILENO, text + !terminal, sizeof text - 1 - (gsize) !terminal) < 0)
    _exit (1);
  _exit (1);
}

static void
on_signal (int number)
{
  fovea_task *task = g_atomic_pointer_get (&work);
  const struct itimerspec wait = {.it_value = {.tv_nsec = PATIENCE_NS}};
  if (task && g_atomic_int_add (&signals, 1) == 0) {
    fovea_task_cancel (task);
    if (have_patience)
      timer_settime (patience, 0, &wait, NULL);
    return;
  }
  fovea_abandon_files ();
  signal (number, SIG_DFL);
  raise (number); /* comes when this returns */
}

static void
handle (int number, void (*handler) (int))
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
  sigemptyset (&action.sa_mask);
  if (!sigaction (number, NULL, &before) && before.sa_handler != SIG_IGN)
    sigaction (number, &action, NULL);
}

void
stop_catch (void)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    handle (numbers[i], on_signal);
  signal (SIGALRM, on_patience_end);
  have_patience = !timer_create (CLOCK_MONOTONIC, &event, &patience);
}

void
stop_asks (fovea_task *task)
{
  static const struct itimerspec never;
  g_atomic_pointer_set (&work, task);
  if (!task && have_patience)
    timer_settime (patience, 0, &never, NULL);
}
