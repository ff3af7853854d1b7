/* SPDX-License-Identifier: MIT */
#include "core/base/file_name.h"

#include "core/base/fork.h"

#include <string.h>

static GMutex lock;
FORK_GUARD_STATIC (lock)
static GHashTable *names; /* path -> given; NULL: none was ever set */

void
file_name_set (const char *path, const char *given)
{
  g_mutex_lock (&lock);
  if (!names)
    names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (given)
    g_hash_table_insert (names, g_strdup (path), g_strdup (given));
  else
    g_hash_table_remove (names, path);
  g_mutex_unlock (&lock);
}

/* NULL: none. */
static char *
find (const char *path)
{
  g_mutex_lock (&lock);
  char *given = names ? g_strdup (g_hash_table_lookup (names, path)) : NULL;
  g_mutex_unlock (&lock);
  return given;
}

char *
file_name_given (const char *path)
{
  char *given = find (path);
  return given ? given : g_strdup (path);
}

char *
file_name_short (const char *path)
{
  g_autofree char *given = find (path);
  if (!given)
    return g_filename_display_basename (path);
  if (g_uri_peek_scheme (given))
    given[strcspn (given, "?#")] = 0;
  g_autofree char *last = g_path_get_basename (given), *plain = g_uri_unescape_string (last, "/");
  return g_filename_display_name (plain ? plain : last);
}
