/* SPDX-License-Identifier: MIT
 */
#include "core/macro/host/own_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ATTRIBUTE "user.fovea.macro"
enum { MARK = 65 }; /* bytes: the digits of SHA-256 and a zero */

/* A copy, a file of another name and one that was written to since have other marks. */
static gboolean
make_mark (int fd, const char *path, const char *macro, char mark[MARK])
{
  struct stat about;
  if (fd < 0 || fstat (fd, &about) || !S_ISREG (about.st_mode))
    return FALSE;
  g_autofree char *text = g_strdup_printf (
    "%s\n%s\n%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld", macro, path,
    (guint64) about.st_ino, (gint64) about.st_size, (gint64) about.st_mtim.tv_sec, (long) about.st_mtim.tv_nsec);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  memcpy (mark, sum, MARK);
  return TRUE;
}

static int
open_it (const char *path)
{
  return open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

void
own_files_mark (const char *path, const char *macro)
{
  const int fd = macro ? open_it (path) : -1;
  char mark[MARK];
  if (make_mark (fd, path, macro, mark))
    (void) fsetxattr (fd, ATTRIBUTE, mark, MARK, 0);
  if (fd >= 0)
    close (fd);
}

gboolean
own_files_has (const char *path, const char *macro)
{
  const int fd = macro ? open_it (path) : -1;
  char mark[MARK], kept[MARK];
  const gboolean has =
    make_mark (fd, path, macro, mark) && fgetxattr (fd, ATTRIBUTE, kept, MARK) == MARK && !memcmp (mark, kept, MARK);
  if (fd >= 0)
    close (fd);
  return has;
}
