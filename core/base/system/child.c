/* SPDX-License-Identifier: MIT
 *
 * Of the messages the first line is kept; all are read, so that a program that has many of them does not wait for that. Its input is a socket: writing to
 * it after its end is an error there, and no signal.
 */
#include "core/base/system/child.h"

#include "core/base/file_error.h"
#include "core/base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  PIECE = 3 << 18, /* bytes */
  TURN = 100,      /* ms */
  LONGEST = 300,   /* bytes of a message */
};

#define PATIENCE (300 * G_USEC_PER_SEC)

typedef struct {
  const ChildJob *job;
  const char *name;
  GSubprocess *process;
  int in, out, messages; /* -1: at their end */
  char said[LONGEST + 1];
  gsize n_said;
  GByteArray *giving;
  gsize given; /* of it */
  guint8 *piece;
  gsize taken; /* bytes in it */
} Child;

/* ---- Starting ---- */

static gboolean
start (Child *c, GError **error)
{
  int ends[2];
  g_autoptr (GError) fault = NULL;
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  if (c->job->give) {
    if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
      return file_fail (error, FILE_ERROR_OPEN, c->name, "cannot be converted: %s.", g_strerror (errno));
    c->in = ends[0];
    g_subprocess_launcher_take_stdin_fd (launcher, ends[1]);
  }
  g_subprocess_launcher_take_fd (launcher, fcntl (c->job->file, F_DUPFD_CLOEXEC, 0), CHILD_FILE);
  c->process = g_subprocess_launcher_spawnv (launcher, c->job->words, &fault);
  if (!c->process)
    return file_fail (error, FILE_ERROR_OPEN, c->name, "cannot be converted: %s.", fault->message);
  c->out = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (c->process)));
  c->messages = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stderr_pipe (c->process)));
  return TRUE;
}

/* ---- Talking ---- */

static void
end_input (Child *c)
{
  close (c->in);
  c->in = -1;
}

static gboolean
give (Child *c, GError **error)
{
  if (c->given == c->giving->len) {
    g_byte_array_set_size (c->giving, 0);
    c->given = 0;
    if (!c->job->give (c->job->data, c->giving, error))
      return FALSE;
  }
  const gssize n = c->giving->len
                     ? send (c->in, c->giving->data + c->given, c->giving->len - c->given, MSG_NOSIGNAL | MSG_DONTWAIT)
                     : 0;
  if (n > 0)
    c->given += (gsize) n;
  else if (n == 0 || (errno != EAGAIN && errno != EINTR)) /* it has all, or has ended */
    end_input (c);
  return TRUE;
}

static gboolean
hand_over (Child *c, GError **error)
{
  const gsize n = c->taken;
  c->taken = 0;
  return !c->job->take || !n || c->job->take (c->job->data, c->piece, n, error);
}

static gboolean
take (Child *c, GError **error)
{
  const gssize n = read (c->out, c->piece + c->taken, PIECE - c->taken);
  if (n < 0 && errno == EINTR)
    return TRUE;
  c->taken += (gsize) MAX (n, 0);
  if (n <= 0)
    c->out = -1; /* the process closes it */
  return (c->taken < PIECE && n > 0) || hand_over (c, error);
}

static void
hear (Child *c)
{
  char text[4096];
  const gssize n = read (c->messages, text, sizeof text);
  if (n > 0) {
    const gsize kept = MIN ((gsize) n, LONGEST - c->n_said);
    memcpy (c->said + c->n_said, text, kept);
    c->n_said += kept;
  } else if (n == 0 || errno != EINTR)
    c->messages = -1;
}

/* Until the program has closed both of its outputs. */
static gboolean
talk (Child *c, GError **error)
{
  gint64 since = g_get_monotonic_time ();
  while (c->out >= 0 || c->messages >= 0) {
    struct pollfd ends[] = {
      {.fd = c->out, .events = POLLIN}, {.fd = c->in, .events = POLLOUT}, {.fd = c->messages, .events = POLLIN}};
    const gboolean ready = poll (ends, G_N_ELEMENTS (ends), TURN) > 0;
    if (ends[0].revents || ends[1].revents)
      since = g_get_monotonic_time ();
    if (progress_stopped (error))
      return FALSE;
    if (g_get_monotonic_time () - since > PATIENCE)
      return file_fail (error, FILE_ERROR_OPEN, c->name, "cannot be converted: %s does nothing any more.",
                        c->job->words[0]);
    if (ready && ends[2].revents)
      hear (c);
    if (ready && ends[1].revents && !give (c, error))
      return FALSE;
    if (ready && ends[0].revents && !take (c, error))
      return FALSE;
  }
  return TRUE;
}

/* The first line of the messages. */
static char *
first_line (Child *c)
{
  c->said[strcspn (c->said, "\n")] = 0;
  return *c->said ? g_utf8_make_valid (c->said, -1) : g_strdup ("no reason given");
}

gboolean
child_run (const ChildJob *job, const char *name, char **said, GError **error)
{
  Child c = {.job = job,
             .name = name,
             .in = -1,
             .out = -1,
             .messages = -1,
             .giving = g_byte_array_new (),
             .piece = g_malloc (PIECE)};
  const gboolean started = start (&c, error), talked = started && talk (&c, error);
  if (c.in >= 0)
    end_input (&c);
  if (started && !talked)
    g_subprocess_force_exit (c.process);
  const gboolean done = started && g_subprocess_wait_check (c.process, NULL, NULL) && talked;
  if (talked && !done)
    *said = first_line (&c);
  g_clear_object (&c.process);
  g_byte_array_unref (c.giving);
  g_free (c.piece);
  return done;
}
