/* SPDX-License-Identifier: MIT
 *
 * Links are followed before it is looked where a file lies.
 */
#include "core/macro/host/folders.h"

#include "core/base/file_error.h"
#include "core/base/text.h"
#include "core/files/files.h"
#include "core/macro/host/names.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *real; /* path */
  FoldersWhy why;
} Allowed;

struct Folders {
  char *home;
  GArray *allowed;       /* Allowed */
  GHashTable *protected; /* identities */
  const MacroHost *host; /* grants access to other folders */
};

static void
allowed_clear (gpointer allowed)
{
  g_free (((Allowed *) allowed)->real);
}

Folders *
folders_new (const char *home, const MacroHost *host)
{
  Folders *f = g_new (Folders, 1);
  *f = (Folders){g_canonicalize_filename (home ? home : ".", NULL), g_array_new (FALSE, FALSE, sizeof (Allowed)),
                 g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), host};
  g_array_set_clear_func (f->allowed, allowed_clear);
  if (home)
    folders_allow (f, home, FOLDERS_OPENED);
  return f;
}

void
folders_free (Folders *f)
{
  g_free (f->home);
  g_array_unref (f->allowed);
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
folders_allow (Folders *f, const char *folder, FoldersWhy why)
{
  const Allowed allowed = {real_path (folder), why};
  if (allowed.real)
    g_array_append_val (f->allowed, allowed);
}

static gboolean
is_below (const char *real, const char *folder)
{
  gsize n = strlen (folder);
  return !strncmp (real, folder, n) && (real[n] == '/' || !real[n] || folder[n - 1] == '/');
}

/* Whether all names below the allowed folder are good, and, if the user was asked about it, those above, too. */
static gboolean
check_below (const Allowed *allowed, const char *real, GError **error)
{
  return (allowed->why != FOLDERS_SEEN || names_check (allowed->real, real, error))
         && names_check (real + strlen (allowed->real), real, error);
}

/* Whether it is the home folder, or holds that. */
static gboolean
is_wide (const char *folder)
{
  g_autofree char *home = real_path (g_get_home_dir ());
  return home && is_below (home, folder);
}

void
folders_opened (Folders *f, const char *path)
{
  g_autofree char *real = real_path (path), *folder = real ? g_path_get_dirname (real) : NULL;
  for (guint i = 0; folder && i < f->allowed->len; i++) {
    const Allowed *allowed = &g_array_index (f->allowed, Allowed, i);
    if (!is_below (folder, allowed->real) || !check_below (allowed, folder, NULL))
      continue;
    if (allowed->why != FOLDERS_NAMED && is_wide (allowed->real))
      folders_allow (f, folder, FOLDERS_BESIDE);
    return;
  }
}

/* NULL: the file does not exist. */
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

/* ---- Reading ---- */

/* real: NULL where a link leads to nothing. */
static gboolean
may_read (const Folders *f, const char *real)
{
  for (guint i = 0; real && i < f->allowed->len; i++)
    if (is_below (real, g_array_index (f->allowed, Allowed, i).real))
      return TRUE;
  return FALSE;
}

static gboolean
fail_elsewhere (const Folders *f, const char *whole, const char *real, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (real ? real : whole), *name = text_from_bytes (folder);
  return file_fail (error, FILE_ERROR_OPEN, whole,
                    "is not in a folder that this macro may use. Open an image there first, or allow '%s' %s.", name,
                    f->host->allow ? "when it asks" : "with --allow");
}

/* Asks about its folder. */
static gboolean
ask (Folders *f, const char *whole, const char *real, GError **error)
{
  g_autofree char *folder = real && f->host->allow ? g_path_get_dirname (real) : NULL;
  if (!folder || !f->host->allow (f->host->self, folder))
    return fail_elsewhere (f, whole, real, error);
  folders_allow (f, folder, FOLDERS_SEEN);
  return TRUE;
}

char *
folders_read (Folders *f, const char *path, GError **error)
{
  g_autofree char *whole = g_canonicalize_filename (path, f->home), *real = real_path (whole);
  return may_read (f, real) || ask (f, whole, real, error) ? g_steal_pointer (&whole) : NULL;
}

gboolean
folders_take_others (Folders *f, Image *image, GError **error)
{
  const GPtrArray *others = files_others (image);
  for (guint i = 0; others && i < others->len; i++) {
    g_autofree char *path = folders_read (f, others->pdata[i], error);
    if (!path)
      return FALSE;
    folders_protect (f, path);
  }
  return TRUE;
}

/* ---- Writing ---- */

/* Whether something may be made below the allowed folder. */
static gboolean
lets_write (const Allowed *allowed, const char *real, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (real), *name = text_from_bytes (folder);
  if (!check_below (allowed, real, error))
    return FALSE;
  if (allowed->why == FOLDERS_NAMED || !strcmp (folder, allowed->real)
      || (allowed->why != FOLDERS_BESIDE && !is_wide (allowed->real)))
    return TRUE;
  return file_fail (error, FILE_ERROR_WRITE, real,
                    "is in a folder where this macro cannot write: it may only write next to itself. Allow "
                    "'%s' with --allow, or move the macro into a folder of its own.",
                    name);
}

/* What Fovea keeps for itself; what macros make beside themselves is theirs. */
static gboolean
is_programs_own (const char *real)
{
  const char *const folders[] = {g_get_user_config_dir (), g_get_user_data_dir (), g_get_user_state_dir (),
                                 g_get_user_cache_dir ()};
  g_autofree char *macros = g_build_filename (folders[0], "fovea", "macros", NULL), *theirs = real_path (macros);
  gboolean own = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (folders) && !own; i++) {
    g_autofree char *folder = g_build_filename (folders[i], "fovea", NULL), *its = real_path (folder);
    own = its && is_below (real, its);
  }
  return own && !(theirs && is_below (real, theirs));
}

/* Whether one of the folders lets it be made. *error: why the last that it lies below does not; not set where it lies below none. */
static gboolean
may_write (const Folders *f, const char *real, GError **error)
{
  for (guint i = 0; i < f->allowed->len; i++) {
    const Allowed *allowed = &g_array_index (f->allowed, Allowed, i);
    if (!is_below (real, allowed->real))
      continue;
    g_clear_error (error);
    if (lets_write (allowed, real, error))
      return TRUE;
  }
  return FALSE;
}

/* The same where the user can be asked, which none is about what is hidden. */
static gboolean
may_write_or_ask (Folders *f, const char *real, GError **error)
{
  GError *fault = NULL;
  if (may_write (f, real, &fault))
    return TRUE;
  if (f->host->allow && names_check (real, real, NULL)) {
    g_clear_error (&fault);
    return ask (f, real, real, error) && may_write (f, real, error);
  }
  if (!fault)
    return fail_elsewhere (f, real, real, error);
  g_propagate_error (error, fault);
  return FALSE;
}

/* A link is none of its targets, wherever it leads. */
static gboolean
check_link (const Folders *f, const char *path, GError **error)
{
  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return TRUE;
  g_autofree char *real = real_path (path);
  if (!may_read (f, real))
    return fail_elsewhere (f, path, real, error);
  return file_fail (error, FILE_ERROR_WRITE, path,
                    "is a link, and macros do not write through links. Save under another name.");
}

char *
folders_write (Folders *f, const char *path, GError **error)
{
  g_autofree char *whole = g_canonicalize_filename (path, f->home), *folder = g_path_get_dirname (whole),
                  *name = g_path_get_basename (whole), *real_folder = real_path (folder);
  if (!names_check (name, whole, error) || !check_link (f, whole, error))
    return NULL;
  if (!real_folder) {
    fail_elsewhere (f, whole, NULL, error);
    return NULL;
  }
  g_autofree char *real = g_build_filename (real_folder, name, NULL);
  if (is_programs_own (real))
    file_fail (error, FILE_ERROR_WRITE, real, "is in a folder that Fovea uses internally. Save in another one.");
  else if (may_write_or_ask (f, real, error))
    return g_steal_pointer (&real);
  return NULL;
}

gboolean
folders_check_unread (const Folders *f, const char *path, GError **error)
{
  g_autofree char *id = identity (path);
  return !id || !g_hash_table_contains (f->protected, id)
         || file_fail (error, FILE_ERROR_WRITE, path,
                       "is a file that this macro reads, and is never overwritten. Save under another name.");
}
