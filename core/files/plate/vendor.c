/* SPDX-License-Identifier: MIT
 */
#include "core/files/plate/vendor.h"

#include "core/base/file_read.h"

#include <unistd.h>

gboolean
plate_vendor_is_index (const char *path, gboolean (*is_index) (const char *, const guint8 *, gsize))
{
  guint8 head[1024];
  struct stat about;
  const int fd = file_open_regular (path, 0, &about, NULL);
  const gssize n = fd < 0 ? 0 : pread (fd, head, sizeof head, 0);
  if (fd >= 0)
    close (fd);
  return n > 0 && is_index (path, head, (gsize) n);
}
