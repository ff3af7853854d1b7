/* SPDX-License-Identifier: MIT
 *
 * A number of a process can come again, a lock cannot.
 */
#include "core/base/system/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int
lock_file_take (const char *path, int flags)
{
  struct stat mine, there;
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0600);
  if (fd < 0)
    return -1;
  if (flock (fd, LOCK_EX | LOCK_NB) || fstat (fd, &mine) || lstat (path, &there) || !S_ISREG (mine.st_mode)
      || mine.st_ino != there.st_ino || mine.st_dev != there.st_dev) {
    int fault = errno;
    close (fd);
    errno = fault;
    return -1;
  }
  return fd;
}
