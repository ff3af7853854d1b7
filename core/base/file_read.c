/* SPDX-License-Identifier: MIT
 *
 * O_NONBLOCK keeps open() from waiting for the other end of a pipe. The file's type is checked before opening, since
 * opening a device can have effects, and again on the descriptor, since the name may have been reassigned.
 */
#include "core/base/file_read.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum {
  MAX_AHEAD = 64 << 20,   /* bytes */
  PIECE_AHEAD = 128 << 10 /* of one request: Linux cuts off what is more than the disk takes at a time */
};

static gboolean
is_regular (const char *path, const struct stat *about, GError **error)
{
  if (S_ISDIR (about->st_mode))
    return file_fail (error, FILE_ERROR_OPEN, path, "is a folder, not a file.");
  return S_ISREG (about->st_mode) || file_fail (error, FILE_ERROR_OPEN, path, "is not a regular file.");
}

int
file_open_regular (const char *path, int flags, struct stat *about, GError **error)
{
  int fd;
  if (!stat (path, about) && !is_regular (path, about, error))
    return -1;
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
  if (fd < 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      file_fail (error, FILE_ERROR_MISSING, path, "does not exist.");
    else
      file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
    return -1;
  }
  if (fstat (fd, about))
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
  else if (is_regular (path, about, error))
    return fd;
  close (fd);
  return -1;
}

FILE *
file_open_stream (const char *path, struct stat *about, GError **error)
{
  const int fd = file_open_regular (path, 0, about, error);
  FILE *file = fd < 0 ? NULL : fdopen (fd, "rb");
  if (fd >= 0 && !file) {
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
    close (fd);
  }
  return file;
}

void
file_read_ahead (const char *path)
{
  struct stat about;
  int fd = file_open_regular (path, 0, &about, NULL);
  if (fd < 0)
    return;
  for (off_t at = 0; at < MIN (about.st_size, MAX_AHEAD); at += PIECE_AHEAD)
    posix_fadvise (fd, at, PIECE_AHEAD, POSIX_FADV_WILLNEED);
  close (fd);
}

/* Reads until the end of the file, or until the buffer is full. -1 with errno. */
static gssize
read_all (int fd, char *to, gsize room)
{
  gsize got = 0;
  while (got < room) {
    gssize n = read (fd, to + got, room - got);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    got += (gsize) n;
  }
  return (gssize) got;
}

char *
file_read_small (const char *path, int flags, gsize largest, gsize *n, GError **error)
{
  g_autofree char *limit = g_format_size_full (largest, G_FORMAT_SIZE_IEC_UNITS), *text = NULL;
  struct stat about;
  gssize got = -1;
  int fd = file_open_regular (path, flags, &about, error);
  if (fd < 0)
    return NULL;
  /* It may have grown, and in /proc every size is 0: a byte of room more tells. */
  gsize room = CLAMP ((gsize) about.st_size, 4096, largest) + 1;
  if ((gsize) about.st_size > largest)
    file_fail (error, FILE_ERROR_FORMAT, path, "is larger than %s, which is too large for such a file.", limit);
  else if (!(text = g_try_malloc (room)))
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: there is not memory enough.");
  else if ((got = read_all (fd, text, room)) < 0)
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
  else if ((gsize) got == room) {
    file_fail (error, FILE_ERROR_OPEN, path, "changed while it was read.");
    got = -1;
  }
  close (fd);
  if (got < 0)
    return NULL;
  text[got] = 0;
  *n = (gsize) got;
  return g_steal_pointer (&text);
}
