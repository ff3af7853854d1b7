/* SPDX-License-Identifier: MIT
 *
 * The handler calls only async-signal-safe functions, so locks of other threads cannot block it.
 */
#include "core/base/system/stop.h"

#include "core/base/file_temporary.h"

#include <signal.h>

static void
on_signal (int number)
{
  file_temporary_remove_all ();
  signal (number, SIG_DFL);
  raise (number); /* comes when this returns */
}

void
stop_catch (void)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  struct sigaction before;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!sigaction (numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
      sigaction (numbers[i], &action, NULL);
}
