/* SPDX-License-Identifier: MIT
 *
 * Pages of files can be dropped at any time and count as free. $FOVEA_HOST_MEMORY, in MiB, is a limit of the user's own.
 */
#include "core/base/host_room.h"

#include "core/base/environment.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void
host_room_narrow (HostRoom *room, gsize limit, gsize used, const char *whose)
{
  gsize left = limit > used ? limit - used : 0;
  if (left < room->bytes)
    *room = (HostRoom){left, limit, whose};
}

/* ---- Files with numbers ---- */

/* The number after `key` at the beginning of a line of the text, or after nothing; *value is left alone where it is not. */
static gboolean
number_after (const char *text, const char *key, gsize *value)
{
  gsize length = strlen (key);
  for (const char *line = text; line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL) {
    const char *at = line + length;
    char *end;
    if (strncmp (line, key, length))
      continue;
    guint64 number = g_ascii_strtoull (at, &end, 10);
    if (end == at)
      return FALSE;
    *value = (gsize) number;
    return TRUE;
  }
  return FALSE;
}

static char *
read_text (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;
  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static gboolean
read_number (const char *folder, const char *name, gsize *value)
{
  g_autofree char *text = read_text (folder, name);
  return text && number_after (text, "", value);
}

/* ---- Control groups ---- */

typedef struct {
  const char *limit, *used, *inactive, *active;
} GroupFiles;

static const GroupFiles version1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ",
                                    "total_active_file "},
                        version2 = {"memory.max", "memory.current", "inactive_file ", "active_file "};

static void
narrow_by_group (HostRoom *room, const char *folder, const GroupFiles *files)
{
  g_autofree char *stat = NULL;
  gsize limit, used, inactive = 0, active = 0;
  if (!read_number (folder, files->limit, &limit) || !read_number (folder, files->used, &used))
    return;
  if ((stat = read_text (folder, "memory.stat"))) {
    number_after (stat, files->inactive, &inactive);
    number_after (stat, files->active, &active);
  }
  host_room_narrow (room, limit, used - MIN (used, inactive + active), "the control group");
}

/* The group and all above it. A path that is not under the mount is another namespace's: then the mount is the group. */
static void
narrow_by_path (HostRoom *room, const char *mount, const char *path, const GroupFiles *files)
{
  g_autofree char *folder = g_build_filename (mount, path, NULL);
  for (;;) {
    narrow_by_group (room, folder, files);
    char *slash = strrchr (folder, '/');
    if (!slash || (gsize) (slash - folder) < strlen (mount))
      return;
    *slash = 0;
  }
}

static gboolean
has_memory (const char *controllers)
{
  g_auto (GStrv) names = g_strsplit (controllers, ",", -1);
  return g_strv_contains ((const char *const *) names, "memory");
}

void
host_room_narrow_by_groups (HostRoom *room, const char *groups, const char *root)
{
  g_auto (GStrv) lines = g_strsplit (groups, "\n", -1);
  g_autofree char *first = g_build_filename (root, "memory", NULL);
  for (char **line = lines; *line; line++) {
    g_auto (GStrv) parts = g_strsplit (*line, ":", 3);
    if (g_strv_length (parts) < 3)
      continue;
    if (!strcmp (parts[0], "0") && !*parts[1])
      narrow_by_path (room, root, parts[2], &version2);
    else if (has_memory (parts[1]))
      narrow_by_path (room, first, parts[2], &version1);
  }
}

/* ---- All limits ---- */

/* Figures of this process, in pages. */
enum { PAGES_ALL, PAGES_RESIDENT, PAGES_OF_FILES, PAGES_DATA = 5, PAGES };

static void
own_bytes (gsize bytes[PAGES])
{
  g_autofree char *text = read_text ("/proc/self", "statm");
  char *at = text;
  for (int i = 0; i < PAGES; i++)
    bytes[i] = at ? (gsize) g_ascii_strtoull (at, &at, 10) * (gsize) sysconf (_SC_PAGESIZE) : 0;
}

gsize
host_room_resident (void)
{
  gsize own[PAGES];
  own_bytes (own);
  return own[PAGES_RESIDENT] - MIN (own[PAGES_RESIDENT], own[PAGES_OF_FILES]);
}

HostRoom
host_room_for_pages (void)
{
  HostRoom room = {G_MAXSIZE, G_MAXSIZE, "this machine"};
  g_autofree char *groups = read_text ("/proc/self", "cgroup"), *info = read_text ("/proc", "meminfo");
  gsize total, available, own_limit, swap = 0;
  if (info && number_after (info, "MemTotal:", &total) && number_after (info, "MemAvailable:", &available)) {
    number_after (info, "SwapFree:", &swap);
    host_room_narrow (&room, total << 10, (total - MIN (total, available + swap)) << 10, "this machine");
  }
  if (groups)
    host_room_narrow_by_groups (&room, groups, "/sys/fs/cgroup");
  if (environment_limit (ENVIRONMENT_HOST_MEMORY, &own_limit))
    host_room_narrow (&room, own_limit, host_room_resident (), "FOVEA_HOST_MEMORY");
  return room;
}

void
host_room_narrow_by_process (HostRoom *room, int resource, const char *whose)
{
  struct rlimit limit;
  gsize own[PAGES];
  own_bytes (own);
  if (!getrlimit ((__rlimit_resource_t) resource, &limit) && limit.rlim_cur != RLIM_INFINITY)
    host_room_narrow (room, limit.rlim_cur, own[resource == RLIMIT_AS ? PAGES_ALL : PAGES_DATA], whose);
}

HostRoom
host_room_for_addresses (void)
{
  HostRoom room = {G_MAXSIZE, G_MAXSIZE, "this process"};
  host_room_narrow_by_process (&room, RLIMIT_AS, "the limit on address space");
  host_room_narrow_by_process (&room, RLIMIT_DATA, "the limit on data");
  return room;
}
