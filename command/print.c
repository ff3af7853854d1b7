/* SPDX-License-Identifier: MIT
 *
 * Standard output is buffered; its errors stay until the end.
 */
#include "command/print.h"

#include "library/fovea.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int fault; /* of standard output: an errno */

void
print_begin (void)
{
  for (int fd = 0; fd < 3; fd++)
    if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd) /* as unusable as before */
      _exit (1);
}

static void
out (const char *text, const char *keep, const char *end)
{
  char *visible = fovea_text_from_bytes (text, keep);
  errno = 0;
  if ((fputs (visible, stdout) < 0 || fputs (end, stdout) < 0) && !fault)
    fault = errno;
  fovea_text_free (visible);
}

void
print_line (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  out (text, "", "\n");
}

void
print_text (const char *text)
{
  out (text, "\n\t", "");
}

void
print_error (const char *format, ...)
{
  g_autofree char *text = NULL;
  char *visible;
  va_list ap;
  va_start (ap, format);
  text = g_strdup_vprintf (format, ap);
  va_end (ap);
  visible = fovea_text_from_bytes (text, "\n");
  fprintf (stderr, "fovea: %s\n", visible);
  fovea_text_free (visible);
}

void
print_progress (const char *text)
{
  char *visible = fovea_text_from_bytes (text ? text : "", "");
  fprintf (stderr, "\r\033[K%s", visible);
  fovea_text_free (visible);
}

gboolean
print_end (void)
{
  errno = 0;
  if (fflush (stdout) && !fault)
    fault = errno;
  if (fault && fault != EPIPE)
    print_error ("Standard output cannot be written: %s.", g_strerror (fault));
  return !fault;
}
