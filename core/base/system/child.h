/* SPDX-License-Identifier: MIT
 *
 * Programs that convert a file. They see it as descriptor CHILD_FILE and nothing of its name, so that no name can become an option. They are ended
 * when the work of the thread shall stop (progress.h), and when they do nothing for five minutes.
 */
#ifndef CORE_BASE_SYSTEM_CHILD_H
#define CORE_BASE_SYSTEM_CHILD_H

#include <glib.h>

/* Of the program; its path is CHILD_PATH there. */
enum { CHILD_FILE = 3 };
#define CHILD_PATH "/proc/self/fd/3"

typedef struct ChildJob {
  const char *const *words; /* the path of the program, its arguments and NULL */
  int file;                 /* stays the caller's */
  /* Appends what the program reads next; nothing is the end. NULL: it reads nothing. FALSE with *error. */
  gboolean (*give) (gpointer data, GByteArray *bytes, GError **error);
  /* Takes n bytes that it wrote: a multiple of 12, except at the end. NULL: they are ignored. FALSE with *error. */
  gboolean (*take) (gpointer data, const guint8 *bytes, gsize n, GError **error);
  gpointer data;
} ChildJob;

/* Runs the program on the calling thread's time. FALSE with *error, or with the first line of its messages in *said when it ended with a fault. Free that
 * with g_free(). name: of the file, for errors. */
gboolean child_run (const ChildJob *job, const char *name, char **said, GError **error);

#endif
