/* SPDX-License-Identifier: MIT
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/base/disk_memory.h"

#include "core/base/environment.h"
#include "core/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

static gsize used; /* atomic: bytes of all that is mapped */

/* ---- Where ---- */

static gboolean
is_in_memory (const char *folder)
{
  struct statfs file_system;
  return !statfs (folder, &file_system) && (file_system.f_type == TMPFS_MAGIC || file_system.f_type == RAMFS_MAGIC);
}

static const char *
find_folder (void)
{
  const char *chosen = g_getenv ("FOVEA_SCRATCH"), *usual = g_getenv ("TMPDIR");
  if (chosen && *chosen)
    return chosen;
  return usual && *usual && !is_in_memory (usual) ? usual : "/var/tmp";
}

/* The folder is not to be used, or NULL. */
static const char *
refused (const char *folder)
{
  const char *chosen = g_getenv ("FOVEA_SCRATCH");
  return !(chosen && *chosen) && is_in_memory (folder) ? "it is in memory itself" : NULL;
}

/* The user's limit, in bytes. */
static gsize
find_limit (void)
{
  gsize limit;
  return environment_limit (ENVIRONMENT_SCRATCH_LIMIT, &limit) ? limit : G_MAXSIZE;
}

HostRoom
disk_memory_room (void)
{
  const char *folder = find_folder ();
  HostRoom room = {.whose = folder};
  struct statvfs disk;
  if (refused (folder) || statvfs (folder, &disk))
    return room;
  room.bytes = (gsize) disk.f_bavail * disk.f_frsize;
  room.limit = (gsize) disk.f_blocks * disk.f_frsize;
  host_room_narrow (&room, find_limit (), (gsize) g_atomic_pointer_get (&used), folder);
  host_room_narrow_by_process (&room, RLIMIT_AS, folder);
  return room;
}

/* ---- Files ---- */

/* A file without a name, or -1. */
static int
open_nameless (const char *folder)
{
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  g_autofree char *name = NULL;
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return fd;
  name = g_build_filename (folder, "fovea-XXXXXX", NULL);
  if ((fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600)) >= 0)
    unlink (name);
  return fd;
}

int
disk_memory_open (void)
{
  return open_nameless (find_folder ());
}

/* Gives the file its size, on the disk; an error's number. */
static int
allocate (int fd, gsize bytes)
{
  struct rlimit max; /* beyond it a signal would come */
  int fault;
  if (bytes > G_MAXINT64 || (!getrlimit (RLIMIT_FSIZE, &max) && bytes > max.rlim_cur))
    return EFBIG;
  do
    fault = posix_fallocate (fd, 0, (off_t) bytes);
  while (fault == EINTR);
  return fault;
}

static fv_status
fail (gsize bytes, const char *folder, const char *why, fv_error *error)
{
  HostRoom room = disk_memory_room ();
  g_autofree char *needed = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *left = g_format_size_full (room.bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *before = error->code ? g_strconcat (error->text, " ", NULL) : g_strdup ("");
  return error_fill (error, FV_NO_MEMORY,
                     "%sThe disk needed %s in %s, where %s are left: %s. FOVEA_SCRATCH selects another folder.", before,
                     needed, folder, left, why);
}

/* Reserves the bytes under the user's limit. */
static gboolean
count (gsize bytes)
{
  gsize max = find_limit (), before = (gsize) g_atomic_pointer_add (&used, (gssize) bytes);
  if (before <= max && bytes <= max - before)
    return TRUE;
  disk_memory_gone (bytes);
  return FALSE;
}

/* Maps all of a file that has no size yet; an error's number. */
static int
map_file (int fd, void *at, gsize bytes, void **memory)
{
  void *mapped;
  int fault = allocate (fd, bytes);
  if (fault)
    return fault;
  mapped = mmap (at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), fd, 0);
  if (mapped == MAP_FAILED)
    return errno;
  /* A third fewer faults, a fifth less of processor time; MADV_SEQUENTIAL costs twice the faults. */
  madvise (mapped, bytes, MADV_HUGEPAGE);
  *memory = mapped;
  return 0;
}

static fv_status
map_counted (const char *folder, void *at, gsize bytes, void **memory, fv_error *error)
{
  int fd = open_nameless (folder), fault;
  if (fd < 0)
    return fail (bytes, folder, g_strerror (errno), error);
  fault = map_file (fd, at, bytes, memory);
  close (fd);
  if (fault)
    return fail (bytes, folder, g_strerror (fault), error);
  *error = (fv_error) FV_ERROR_INIT;
  return FV_OK;
}

fv_status
disk_memory_map (void *at, gsize bytes, void **memory, fv_error *error)
{
  const char *folder = find_folder (), *why = refused (folder);
  fv_status status;
  if (why)
    return fail (bytes, folder, why, error);
  if (!count (bytes))
    return fail (bytes, folder, "limited by FOVEA_SCRATCH_LIMIT", error);
  if ((status = map_counted (folder, at, bytes, memory, error)))
    disk_memory_gone (bytes);
  return status;
}

void
disk_memory_gone (gsize bytes)
{
  g_atomic_pointer_add (&used, -(gssize) bytes);
}
