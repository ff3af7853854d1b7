/* SPDX-License-Identifier: MIT
 */
#include "command/batch_renew.h"

#include "command/print.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char **arguments; /* all, as exec takes them */
static GString *listed;  /* NULL: standard input was not read */

void
batch_renew_keep (char **argv)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_strv_builder_add (all, "fovea");
  g_strv_builder_add (all, argv[0]);
  g_strv_builder_add (all, "--resume");
  g_strv_builder_addv (all, (const char **) argv + 1);
  arguments = g_strv_builder_end (all);
}

void
batch_renew_keep_line (const char *line, gboolean zeros)
{
  if (!listed)
    listed = g_string_new (NULL);
  g_string_append (listed, line);
  g_string_append_c (listed, zeros ? '\0' : '\n');
}

/* Puts the list on standard input again. */
static gboolean
give_list (void)
{
  const int file = listed ? memfd_create ("fovea-list", MFD_CLOEXEC) : -1;
  if (!listed)
    return TRUE;
  for (gsize at = 0; file >= 0 && at < listed->len;) {
    const gssize n = write (file, listed->str + at, listed->len - at);
    if (n <= 0)
      return FALSE;
    at += (gsize) n;
  }
  return file >= 0 && lseek (file, 0, SEEK_SET) == 0 && dup2 (file, STDIN_FILENO) >= 0;
}

void
batch_renew (void *user)
{
  sigset_t none;
  (void) user;
  if (!give_list ())
    return;
  print_error ("The GPU failed; continuing in a new process.");
  sigemptyset (&none);
  pthread_sigmask (SIG_SETMASK, &none, NULL);
  execv ("/proc/self/exe", arguments);
}
