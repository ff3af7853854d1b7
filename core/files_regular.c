/* SPDX-License-Identifier: MIT
 *
 * What a name stands for is looked at before the file is opened, since opening a device can do something, and again once
 * it is open, since a name can come to stand for something else.
 */
#include "files_regular.h"

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
is_regular (const char *path, const struct stat *about, GError **error)
{
  if (S_ISDIR (about->st_mode))
    return files_fail (error, FILES_ERROR_OPEN, path, "is a folder, not an image file.");
  if (!S_ISREG (about->st_mode))
    return files_fail (error, FILES_ERROR_OPEN, path, "is not a regular file.");
  return about->st_size > 0 || files_fail (error, FILES_ERROR_FORMAT, path, "is empty.");
}

int
files_regular_open (const char *path, guint64 *size, GError **error)
{
  struct stat about;
  int fd;
  if (stat (path, &about)) {
    if (errno == ENOENT || errno == ENOTDIR)
      files_fail (error, FILES_ERROR_OPEN, path, "does not exist.");
    else
      files_fail (error, FILES_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
    return -1;
  }
  if (!is_regular (path, &about, error))
    return -1;
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, &about)) {
    files_fail (error, FILES_ERROR_OPEN, path, "cannot be opened: %s.", g_strerror (errno));
  } else if (is_regular (path, &about, error)) {
    *size = (guint64) about.st_size;
    return fd;
  }
  if (fd >= 0)
    close (fd);
  return -1;
}

/* Reads until the end or until `size` bytes are there; FALSE with errno. */
static gboolean
read_all (int fd, char *to, gsize size, gsize *n)
{
  for (*n = 0; *n < size;) {
    gssize got = read (fd, to + *n, size - *n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got == 0;
    *n += (gsize) got;
  }
  return TRUE;
}

char *
files_regular_read (const char *path, gsize most, gsize *size, GError **error)
{
  guint64 bytes;
  int fd = files_regular_open (path, &bytes, error);
  g_autofree char *content = NULL;
  if (fd < 0)
    return NULL;
  content = bytes <= most ? g_try_malloc (bytes + 1) : NULL;
  if (!content) {
    g_autofree char *text = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
    files_fail (error, FILES_ERROR_OPEN, path, "cannot be read: %s are too much.", text);
  } else if (!read_all (fd, content, bytes, size)) {
    files_fail (error, FILES_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
    g_clear_pointer (&content, g_free);
  } else {
    content[*size] = 0;
  }
  close (fd);
  return g_steal_pointer (&content);
}
