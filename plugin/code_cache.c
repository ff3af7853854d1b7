/* SPDX-License-Identifier: MIT
 *
 * A file is {magic, bytes of the key, bytes of the code, checksum of both}, key, code; it appears whole, by a rename.
 */
#include "plugin/code_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILES = 1024, NAME_DIGITS = 16 };
static const size_t max_bytes = (size_t) 64 << 20; /* of a file: no code is as long */

typedef struct head {
  char magic[8];
  uint64_t key, code, sum;
} head;
static const char magic[8] = "fvcode1";

/* FNV-1a. */
static uint64_t
hash (uint64_t h, const void *data, size_t bytes)
{
  const unsigned char *c = data;
  for (size_t i = 0; i < bytes; i++)
    h = (h ^ c[i]) * 0x100000001b3u;
  return h;
}
static const uint64_t hash_start = 0xcbf29ce484222325u;

/* Opens the folder, and creates it if needed; folders of other users are not used. -1: none. */
static int
open_folder (void)
{
  const char *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  char path[PATH_MAX];
  struct stat about;
  int n = cache && *cache == '/' ? snprintf (path, sizeof path, "%s/fovea/kernels", cache)
          : home && *home == '/' ? snprintf (path, sizeof path, "%s/.cache/fovea/kernels", home)
                                 : -1;
  if (n < 0 || n >= (int) sizeof path)
    return -1;
  for (char *slash = strchr (path + 1, '/'); slash; slash = strchr (slash + 1, '/')) {
    *slash = 0;
    mkdir (path, 0700);
    *slash = '/';
  }
  mkdir (path, 0700);
  int folder = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 || (!fstat (folder, &about) && about.st_uid == geteuid () && !(about.st_mode & 022)))
    return folder;
  close (folder);
  return -1;
}

static void
file_name (char *name, size_t size, const char *key)
{
  snprintf (name, size, "%0*llx", NAME_DIGITS, (unsigned long long) hash (hash_start, key, strlen (key)));
}

static bool
read_all (int file, void *to, size_t bytes)
{
  for (ssize_t n; bytes; bytes -= (size_t) n, to = (char *) to + n)
    if ((n = read (file, to, bytes)) <= 0) {
      if (n == 0 || errno != EINTR)
        return false;
      n = 0;
    }
  return true;
}

static bool
write_all (int file, const void *from, size_t bytes)
{
  for (ssize_t n; bytes; bytes -= (size_t) n, from = (const char *) from + n)
    if ((n = write (file, from, bytes)) < 0) {
      if (errno != EINTR)
        return false;
      n = 0;
    }
  return true;
}

static uint64_t
checksum (const char *key, size_t key_bytes, const void *code, size_t bytes)
{
  return hash (hash (hash_start, key, key_bytes), code, bytes);
}

/* The code in an open file, if it is whole and that of the key. */
static void *
read_code (int file, const char *key, size_t *bytes)
{
  size_t key_bytes = strlen (key);
  head h;
  char *whole = NULL;
  if (!read_all (file, &h, sizeof h) || memcmp (h.magic, magic, sizeof magic) || h.key != key_bytes
      || h.code > max_bytes || !(whole = malloc (key_bytes + h.code + 1)))
    return NULL;
  if (!read_all (file, whole, key_bytes + h.code) || memcmp (whole, key, key_bytes)
      || checksum (key, key_bytes, whole + key_bytes, h.code) != h.sum) {
    free (whole);
    return NULL;
  }
  *bytes = h.code;
  memmove (whole, whole + key_bytes, h.code);
  return whole;
}

void *
code_cache_read (const char *key, size_t *bytes)
{
  char name[NAME_DIGITS + 1];
  void *code = NULL;
  int folder = open_folder (), file;
  if (folder < 0)
    return NULL;
  file_name (name, sizeof name, key);
  if ((file = openat (folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) >= 0) {
    if ((code = read_code (file, key, bytes)))
      futimens (file, NULL); /* used now */
    close (file);
  }
  close (folder);
  return code;
}

/* Removes the file that was used longest ago when there are too many. */
static void
make_room (int folder)
{
  DIR *list = fdopendir (dup (folder));
  char oldest[NAME_MAX + 1] = "";
  struct timespec min = {0};
  int n = 0;
  for (struct dirent *entry; list && (entry = readdir (list));) {
    struct stat about;
    if (entry->d_name[0] == '.' || fstatat (folder, entry->d_name, &about, AT_SYMLINK_NOFOLLOW))
      continue;
    struct timespec t = about.st_mtim;
    if (n++ == 0 || t.tv_sec < min.tv_sec || (t.tv_sec == min.tv_sec && t.tv_nsec < min.tv_nsec)) {
      min = t;
      snprintf (oldest, sizeof oldest, "%s", entry->d_name);
    }
  }
  if (list)
    closedir (list);
  if (n >= MAX_FILES)
    unlinkat (folder, oldest, 0);
}

void
code_cache_write (const char *key, const void *code, size_t bytes)
{
  size_t key_bytes = strlen (key);
  head h = {.key = key_bytes, .code = bytes, .sum = checksum (key, key_bytes, code, bytes)};
  char name[NAME_DIGITS + 1], made[NAME_DIGITS + 32];
  int folder = open_folder (), file;
  if (folder < 0)
    return;
  memcpy (h.magic, magic, sizeof magic);
  make_room (folder);
  file_name (name, sizeof name, key);
  snprintf (made, sizeof made, "%s.%lld", name, (long long) getpid ());
  if ((file = openat (folder, made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) >= 0) {
    bool whole = write_all (file, &h, sizeof h) && write_all (file, key, key_bytes) && write_all (file, code, bytes);
    if (close (file) || !whole || renameat (folder, made, folder, name))
      unlinkat (folder, made, 0);
  }
  close (folder);
}
