/* SPDX-License-Identifier: MIT
 *
 * Links are followed before it is looked where a file lies.
 */
#include "core/macro/folders.h"

#include "core/base/file_error.h"
#include "core/base/text.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

struct Folders {
  char *home;
  GPtrArray *allowed;    /* real paths */
  GHashTable *protected; /* identities */
  const MacroHost *host; /* who is asked about other folders */
};

Folders *
folders_new (const char *home, const MacroHost *host)
{
  Folders *f = g_new (Folders, 1);
  *f = (Folders){g_canonicalize_filename (home ? home : ".", NULL), g_ptr_array_new_with_free_func (g_free),
                 g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), host};
  if (home)
    folders_allow (f, home);
  return f;
}

void
folders_free (Folders *f)
{
  g_free (f->home);
  g_ptr_array_unref (f->allowed);
  g_hash_table_unref (f->protected);
  g_free (f);
}

const char *
folders_home (const Folders *f)
{
  return f->home;
}

/* Where it lies when all links are followed: of what is not there, where it would. */
static char *
real_path (const char *path)
{
  char *real = realpath (path, NULL), *whole;
  if (real) {
    whole = g_strdup (real);
    free (real);
    return whole;
  }
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  if (!strcmp (folder, path) || g_file_test (path, G_FILE_TEST_IS_SYMLINK)) /* a link to nothing may lead anywhere */
    return NULL;
  g_autofree char *real_folder = real_path (folder);
  return real_folder ? g_build_filename (real_folder, name, NULL) : NULL;
}

void
folders_allow (Folders *f, const char *folder)
{
  char *real = real_path (folder);
  if (real)
    g_ptr_array_add (f->allowed, real);
}

/* NULL: there is no such file. */
static char *
identity (const char *path)
{
  GStatBuf about;
  if (g_stat (path, &about))
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, (guint64) about.st_dev, (guint64) about.st_ino);
}

void
folders_tell (const Folders *f, const char *path)
{
  if (f->host->reads)
    f->host->reads (f->host->self, path);
}

void
folders_protect (Folders *f, const char *path)
{
  char *id = identity (path);
  if (id)
    g_hash_table_add (f->protected, id);
}

static gboolean
is_below (const char *real, const char *folder)
{
  gsize n = strlen (folder);
  return !strncmp (real, folder, n) && (real[n] == '/' || !real[n] || folder[n - 1] == '/');
}

char *
folders_read (const Folders *f, const char *path, GError **error)
{
  g_autofree char *whole = g_canonicalize_filename (path, f->home), *real = real_path (whole);
  for (guint i = 0; real && i < f->allowed->len; i++)
    if (is_below (real, f->allowed->pdata[i]))
      return g_steal_pointer (&whole);
  g_autofree char *folder = g_path_get_dirname (real ? real : whole), *name = text_from_bytes (folder);
  if (real && f->host->allow && f->host->allow (f->host->self, folder)) {
    g_ptr_array_add (f->allowed, g_steal_pointer (&folder));
    return g_steal_pointer (&whole);
  }
  file_fail (error, FILE_ERROR_OPEN, whole,
             "lies in no folder that this macro may use: open an image there before, or allow '%s' %s.", name,
             f->host->allow ? "when it asks" : "with --allow");
  return NULL;
}

char *
folders_write (const Folders *f, const char *path, GError **error)
{
  g_autofree char *whole = folders_read (f, path, error), *id = whole ? identity (whole) : NULL;
  if (id && g_hash_table_contains (f->protected, id)) {
    file_fail (error, FILE_ERROR_WRITE, whole,
               "is a file that this macro reads, and stays as it is: save under another name.");
    return NULL;
  }
  return g_steal_pointer (&whole);
}
