/* SPDX-License-Identifier: MIT */
#include "core/base/file_write.h"

#include <errno.h>
#include <unistd.h>

gboolean
file_write_all (int fd, gconstpointer bytes, gsize n)
{
  const guint8 *at = bytes;
  while (n) {
    const gssize written = write (fd, at, n);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return FALSE;
    at += written;
    n -= (gsize) written;
  }
  return TRUE;
}
