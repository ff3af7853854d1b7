/* SPDX-License-Identifier: MIT
 */
#include "command/batch_progress.h"

#include "command/batch_json.h"
#include "command/print.h"

#include <unistd.h>

enum { FEW = 20 }; /* failures, and notes, that are printed one by one */

/* ---- Failures and notes ---- */

/* The first ones with `print`, all in the log. */
static void
print_image (BatchProgress *work, guint *printed, void (*print) (const char *format, ...), const char *file,
             unsigned series, const char *text)
{
  g_autofree char *image = series ? g_strdup_printf ("%s, image %u", file, series) : g_strdup (file);
  g_mutex_lock (&work->printing);
  if ((*printed)++ >= FEW)
    print = print_logged;
  else if (isatty (STDERR_FILENO) && !print_quiet)
    print_progress (NULL);
  print ("%s: %s", image, text);
  g_mutex_unlock (&work->printing);
}

void
batch_progress_failed (void *user, const char *file, unsigned series, const char *why)
{
  BatchProgress *work = user;
  print_image (work, &work->printed, print_error, file, series, why);
  if (work->json)
    batch_json_add (work->json, file, series, why);
}

void
batch_progress_noted (void *user, const char *file, unsigned series, const char *note)
{
  BatchProgress *work = user;
  print_image (work, &work->noted, print_note, file, series, note);
}

void
batch_progress_print (void *user, const char *line)
{
  BatchProgress *work = user;
  g_autofree char *text = g_strconcat (line, "\n", NULL);
  g_mutex_lock (&work->printing);
  if (isatty (STDERR_FILENO) && !print_quiet)
    print_progress (NULL);
  if (work->json)
    print_error ("%s", line);
  else
    print_text (text);
  g_mutex_unlock (&work->printing);
}

/* ---- Progress ---- */

fovea_batch_counts
batch_progress_counts (const BatchProgress *work)
{
  fovea_batch_counts counts = {.size = sizeof counts};
  fovea_batch_get_counts (work->batch, &counts, NULL);
  return counts;
}

char *
batch_progress_duration (double seconds)
{
  unsigned s = (unsigned) (seconds + 0.5);
  return s < 3600 ? g_strdup_printf ("%u:%02u", s / 60, s % 60)
                  : g_strdup_printf ("%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
}

void
batch_progress_show (gpointer data)
{
  BatchProgress *work = data;
  fovea_batch_counts counts = batch_progress_counts (work);
  guint64 ended = counts.done + counts.failed;
  double seconds = (double) (g_get_monotonic_time () - work->started) / G_USEC_PER_SEC,
         rate = (double) (ended - counts.before) / seconds;
  g_autofree char *left = rate > 0 ? batch_progress_duration ((double) (counts.images - ended) / rate) : g_strdup ("?"),
                  *failed =
                    counts.failed ? g_strdup_printf (", %" G_GUINT64_FORMAT " failed", counts.failed) : g_strdup (""),
                  *text =
                    g_strdup_printf ("%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT " images, %.1f images/s, %s left%s",
                                     ended, counts.images, rate, left, failed);
  g_mutex_lock (&work->printing);
  if (isatty (STDERR_FILENO))
    print_progress (text);
  else
    print_note ("%s", text);
  g_mutex_unlock (&work->printing);
}
