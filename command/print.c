/* SPDX-License-Identifier: MIT
 *
 * Standard output is buffered; its errors, and those of the log, stay until the end.
 */
#include "command/print.h"

#include "library/fovea.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

gboolean print_quiet;

static int fault;         /* of standard output: an errno */
static int log_file = -1; /* none */
static gint log_fault;    /* atomic; an errno */
static const char *log_name;

void
print_begin (void)
{
  for (int fd = 0; fd < 3; fd++)
    if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd) /* as unusable as before */
      _exit (1);
}

/* ---- The log ---- */

/* Each line with the time, in one call, so that lines of several threads and processes do not mix. */
static void
add_to_log (const char *text)
{
  if (log_file < 0)
    return;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%Y-%m-%dT%H:%M:%S.%f%:z");
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) all = g_string_new (NULL);
  for (char **line = lines; *line; line++)
    if (**line)
      g_string_append_printf (all, "%s  %s\n", time, *line);
  for (gsize done = 0; done < all->len;) {
    const gssize n = write (log_file, all->str + done, all->len - done);
    if (n < 0 && errno != EINTR) {
      g_atomic_int_compare_and_exchange (&log_fault, 0, errno);
      return;
    }
    done += (gsize) MAX (n, 0);
  }
}

static gboolean
fail (GError **error, const char *path, const char *why)
{
  char *name = fovea_text_from_bytes (path, NULL);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "--log: '%s' %s.", name, why);
  fovea_text_free (name);
  return FALSE;
}

/* Whether a file that is there is a log, or empty. */
static gboolean
is_log (int file)
{
  char begin[12] = "";
  struct stat about;
  if (!fstat (file, &about) && !S_ISREG (about.st_mode))
    return TRUE;
  const gssize n = pread (file, begin, sizeof begin - 1, 0);
  return !n || (n > 0 && g_regex_match_simple ("^[0-9]{4}-[0-9]{2}-[0-9]{2}T", begin, 0, 0));
}

gboolean
print_log_to (const char *path, GError **error)
{
  const int file = open (path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
  if (file < 0) {
    g_autofree char *why = g_strdup_printf ("cannot be written: %s", g_strerror (errno));
    return fail (error, path, why);
  }
  if (!is_log (file)) {
    close (file);
    return fail (error, path, "is not a log of Fovea; choose a file of another name");
  }
  log_name = path;
  log_file = file;
  return TRUE;
}

/* ---- Lines ---- */

/* To standard output and the log. */
static void
out (const char *text, const char *keep, const char *end, gboolean shown)
{
  char *visible = fovea_text_from_bytes (text, keep);
  errno = 0;
  if (shown && (fputs (visible, stdout) < 0 || fputs (end, stdout) < 0) && !fault)
    fault = errno;
  add_to_log (visible);
  fovea_text_free (visible);
}

static void
out_error (const char *format, va_list arguments, gboolean shown)
{
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  char *visible = fovea_text_from_bytes (text, "\n");
  if (shown)
    fprintf (stderr, "fovea: %s\n", visible);
  add_to_log (visible);
  fovea_text_free (visible);
}

void
print_line (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_strdup_vprintf (format, ap);
  va_end (ap);
  out (text, "", "\n", TRUE);
}

void
print_text (const char *text)
{
  out (text, "\n\t", "", TRUE);
}

void
print_report (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  g_autofree char *text = g_strdup_vprintf (format, ap);
  va_end (ap);
  out (text, "", "\n", !print_quiet);
}

void
print_note (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  out_error (format, ap, !print_quiet);
  va_end (ap);
}

void
print_error (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  out_error (format, ap, TRUE);
  va_end (ap);
}

void
print_logged (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  out_error (format, ap, FALSE);
  va_end (ap);
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
  if (log_fault)
    print_error ("The log '%s' cannot be written: %s.", log_name, g_strerror (log_fault));
  return !fault && !log_fault;
}
