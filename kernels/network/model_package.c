/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "kernels/network/model_package.h"

#include "kernels/network/model_process.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 1400 };

/* FNV-1a. */
static uint64_t
hash (uint64_t h, const void *data, size_t bytes)
{
  const unsigned char *c = data;
  for (size_t i = 0; i < bytes; i++)
    h = (h ^ c[i]) * 0x100000001b3u;
  return h;
}

/* The folder of this state of the file. FALSE: neither variable names a folder. */
static bool
find_folder (const struct stat *about, char *folder)
{
  const char *cache = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  const bool own = cache && *cache == '/';
  const uint64_t parts[] = {(uint64_t) about->st_dev, (uint64_t) about->st_ino, (uint64_t) about->st_size,
                            (uint64_t) about->st_mtim.tv_sec, (uint64_t) about->st_mtim.tv_nsec};
  const uint64_t one = hash (0xcbf29ce484222325u, parts, sizeof parts), other = hash (one, parts, sizeof parts);
  return (own || (home && *home == '/'))
         && snprintf (folder, MODEL_FOLDER, "%s%s/fovea/models/%016llx%016llx", own ? cache : home,
                      own ? "" : "/.cache", (unsigned long long) one, (unsigned long long) other)
              < MODEL_FOLDER;
}

void
model_package_path (const char *folder, const char *name, char *to, size_t size)
{
  snprintf (to, size, "%s/%s", folder, name);
}

/* So many bytes of a file of this user. */
static bool
read_file (const char *folder, const char *name, void *to, size_t bytes)
{
  char path[PATH];
  struct stat about;
  model_package_path (folder, name, path, sizeof path);
  FILE *file = fopen (path, "rbe");
  if (!file)
    return false;
  const bool done = !fstat (fileno (file), &about) && about.st_uid == geteuid () && (size_t) about.st_size == bytes
                    && fread (to, 1, bytes, file) == bytes;
  fclose (file);
  return done;
}

static bool
read_head (const char *folder, model_head *head)
{
  return read_file (folder, MODEL_HEAD, head, sizeof *head) && !strcmp (head->magic, MODEL_MAGIC);
}

fv_status
model_package_open (const char *file, char *folder, model_head *head, fv_error *error)
{
  struct stat about;
  if (stat (file, &about))
    return fail (error, FV_BAD_ARGUMENT, "model", "It cannot be opened: %s.", strerror (errno));
  if (!find_folder (&about, folder))
    return fail (error, FV_UNSUPPORTED, "model",
                 "It needs a cache folder: set HOME or XDG_CACHE_HOME to one that can be written.");
  if (read_head (folder, head))
    return FV_OK;
  const fv_status status = model_process_read (file, folder, error);
  if (status || read_head (folder, head))
    return status;
  return fail (error, FV_UNSUPPORTED, "model", "It cannot be kept in '%.200s'.", folder);
}

float *
model_package_floats (const char *folder, const char *name, int64_t n)
{
  float *numbers = malloc ((size_t) n * sizeof *numbers);
  if (numbers && read_file (folder, name, numbers, (size_t) n * sizeof *numbers))
    return numbers;
  free (numbers);
  return NULL;
}

bool
model_package_is_tested (const char *folder, bool gpu)
{
  char path[PATH];
  model_package_path (folder, gpu ? MODEL_TESTED_GPU : MODEL_TESTED, path, sizeof path);
  return access (path, F_OK) == 0;
}

void
model_package_set_tested (const char *folder, bool gpu)
{
  char path[PATH];
  model_package_path (folder, gpu ? MODEL_TESTED_GPU : MODEL_TESTED, path, sizeof path);
  FILE *file = fopen (path, "wbe");
  if (file)
    fclose (file);
}
