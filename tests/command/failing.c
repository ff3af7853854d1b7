/* SPDX-License-Identifier: MIT
 *
 * A module for LD_PRELOAD that makes one system call or allocation fail. FOVEA_FAIL=WHAT:N:ERRNO: the Nth call of WHAT fails with that errno. WHAT is
 * write (to regular files), writeat (pwrite), sync, open (for writing), name (linkat, rename), chmod or memory (1 MiB or more). FOVEA_FAILED=FILE is
 * made when it has. The Nth "short" or "shortat" writes one byte. FOVEA_NO_TMPFILE: a file system without O_TMPFILE. FOVEA_CALLS=FILE gets a line
 * for each write, sync and new name, and the file's path.
 */
#undef _FILE_OFFSET_BITS /* or open() would be called open64() */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LARGE ((size_t) 1 << 20)

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *old, size_t size);

/* Whether this call of `what` is the one. */
static int
fails (const char *what)
{
  static atomic_int calls;
  const char *wish = getenv ("FOVEA_FAIL"), *failed = getenv ("FOVEA_FAILED");
  char kind[16];
  int n, fault;
  if (!wish || sscanf (wish, "%15[a-z]:%d:%d", kind, &n, &fault) != 3 || strcmp (kind, what)
      || atomic_fetch_add (&calls, 1) + 1 != n)
    return 0;
  if (failed)
    syscall (SYS_close, syscall (SYS_openat, AT_FDCWD, failed, O_CREAT | O_WRONLY, 0666));
  errno = fault;
  return 1;
}

/* name: NULL: the path of the descriptor. */
static void
note (const char *what, int fd, const char *name)
{
  const char *calls = getenv ("FOVEA_CALLS");
  char link[64], path[4096], line[4200];
  if (!calls)
    return;
  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  const long n = name ? 0 : syscall (SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  path[n > 0 ? n : 0] = 0;
  const int length = snprintf (line, sizeof line, "%s %s\n", what, name ? name : path);
  const long file = syscall (SYS_openat, AT_FDCWD, calls, O_CREAT | O_WRONLY | O_APPEND, 0666);
  syscall (SYS_write, file, line, (size_t) length);
  syscall (SYS_close, file);
}

static int
is_file (int fd)
{
  struct stat about;
  return !fstat (fd, &about) && S_ISREG (about.st_mode);
}

ssize_t
write (int fd, const void *bytes, size_t n)
{
  if (is_file (fd) && fails ("write"))
    return -1;
  if (is_file (fd) && n > 1 && fails ("short"))
    n = 1;
  if (is_file (fd))
    note ("write", fd, NULL);
  return syscall (SYS_write, fd, bytes, n);
}

static ssize_t
write_at (int fd, const void *bytes, size_t n, off_t at)
{
  if (fails ("writeat"))
    return -1;
  note ("write", fd, NULL);
  return syscall (SYS_pwrite64, fd, bytes, n > 1 && fails ("shortat") ? 1 : n, at);
}

ssize_t
pwrite (int fd, const void *bytes, size_t n, off_t at)
{
  return write_at (fd, bytes, n, at);
}

ssize_t
pwrite64 (int fd, const void *bytes, size_t n, off64_t at)
{
  return write_at (fd, bytes, n, at);
}

int
fsync (int fd)
{
  note ("fsync", fd, NULL);
  return fails ("sync") ? -1 : (int) syscall (SYS_fsync, fd);
}

int
fdatasync (int fd)
{
  note ("fdatasync", fd, NULL);
  return fails ("sync") ? -1 : (int) syscall (SYS_fdatasync, fd);
}

int
syncfs (int fd)
{
  note ("syncfs", fd, NULL);
  return fails ("sync") ? -1 : (int) syscall (SYS_syncfs, fd);
}

int
linkat (int from_folder, const char *from, int to_folder, const char *to, int flags)
{
  note ("name", -1, to);
  return fails ("name") ? -1 : (int) syscall (SYS_linkat, from_folder, from, to_folder, to, flags);
}

int
renameat (int from_folder, const char *from, int to_folder, const char *to)
{
  note ("name", -1, to);
  return fails ("name") ? -1 : (int) syscall (SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int
rename (const char *from, const char *to)
{
  return renameat (AT_FDCWD, from, AT_FDCWD, to);
}

int
fchmod (int fd, mode_t mode)
{
  return fails ("chmod") ? -1 : (int) syscall (SYS_fchmod, fd, mode);
}

/* open() in all its forms. */
static int
open_file (int folder, const char *path, int flags, mode_t mode)
{
  if ((flags & O_TMPFILE) == O_TMPFILE && getenv ("FOVEA_NO_TMPFILE")) {
    errno = EOPNOTSUPP;
    return -1;
  }
  if ((flags & O_ACCMODE) != O_RDONLY && fails ("open"))
    return -1;
  return (int) syscall (SYS_openat, folder, path, flags, mode);
}

#define DEFINE_OPEN(name)                                                                                              \
  int name (const char *path, int flags, ...)                                                                          \
  {                                                                                                                    \
    va_list ap;                                                                                                        \
    va_start (ap, flags);                                                                                              \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (ap, mode_t) : 0;                                             \
    va_end (ap);                                                                                                       \
    return open_file (AT_FDCWD, path, flags, mode);                                                                    \
  }
#define DEFINE_OPENAT(name)                                                                                            \
  int name (int folder, const char *path, int flags, ...)                                                              \
  {                                                                                                                    \
    va_list ap;                                                                                                        \
    va_start (ap, flags);                                                                                              \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (ap, mode_t) : 0;                                             \
    va_end (ap);                                                                                                       \
    return open_file (folder, path, flags, mode);                                                                      \
  }
DEFINE_OPEN (open)
DEFINE_OPEN (open64)
DEFINE_OPENAT (openat)
DEFINE_OPENAT (openat64)

void *
malloc (size_t size)
{
  return size >= LARGE && fails ("memory") ? NULL : __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  return size && n >= LARGE / size && fails ("memory") ? NULL : __libc_calloc (n, size);
}

void *
realloc (void *old, size_t size)
{
  return size >= LARGE && fails ("memory") ? NULL : __libc_realloc (old, size);
}

static void *
map (void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
  if (flags & MAP_ANONYMOUS && size >= LARGE && !(flags & (MAP_STACK | MAP_FIXED)) && fails ("memory"))
    return MAP_FAILED;
  return (void *) syscall (SYS_mmap, at, size, protection, flags, fd, offset);
}

void *
mmap (void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
  return map (at, size, protection, flags, fd, offset);
}

void *
mmap64 (void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
  return map (at, size, protection, flags, fd, offset);
}
