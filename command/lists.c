/* SPDX-License-Identifier: MIT
 *
 * A list may come through a pipe, and never end: it is read up to a limit.
 */
#include "command/lists.h"

#include "library/fovea.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LARGEST ((gsize) 256 << 20)
enum { PIECE = 1 << 16 };

static gboolean
fail (const char *path, const char *what, GError **error)
{
  char *name = fovea_text_from_bytes (path ? path : "-", NULL);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "the list '%s' %s.", name, what);
  fovea_text_free (name);
  return FALSE;
}

static gboolean
read_all (int fd, const char *path, GByteArray *all, GError **error)
{
  guint8 piece[PIECE];
  gssize n;
  while ((n = read (fd, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0)
      g_byte_array_append (all, piece, (guint) n);
    if (all->len > LARGEST)
      return fail (path, "is larger than 256 MiB, which is too much for names", error);
  }
  return n == 0 || fail (path, g_strerror (errno), error);
}

gboolean
lists_read (GPtrArray *names, const char *path, gboolean zeros, GError **error)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  int fd = path ? open (path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  const char end = zeros ? 0 : '\n';
  if (fd < 0)
    return fail (path, g_strerror (errno), error);
  gboolean done = read_all (fd, path, all, error);
  if (path)
    close (fd);
  if (!done)
    return FALSE;
  if (!zeros && memchr (all->data ? all->data : (const guint8 *) "", 0, all->len))
    return fail (path, "contains null bytes; -0 reads names that end with one", error);
  g_byte_array_append (all, (const guint8 *) &end, 1);
  for (const char *at = (const char *) all->data, *last = at + all->len; at < last;) {
    const char *stop = memchr (at, end, (gsize) (last - at));
    gsize n = (gsize) (stop - at), kept = !zeros && n && at[n - 1] == '\r' ? n - 1 : n;
    if (kept)
      g_ptr_array_add (names, g_strndup (at, kept));
    at = stop + 1;
  }
  return TRUE;
}
