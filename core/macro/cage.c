/* SPDX-License-Identifier: MIT
 */
#include "core/macro/cage.h"

#include "core/base/file_folder.h"
#include "core/base/file_target.h"
#include "core/macro/host/own_files.h"
#include "core/macro/writers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void
cage_begin (Macro *m)
{
  m->file = m->options->path ? realpath (m->options->path, NULL) : NULL;
  m->made = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  file_targets_limit (FILE_TARGETS_NONE, NULL);
}

void
cage_end (Macro *m)
{
  file_targets_limit (FILE_TARGETS_ALL, NULL);
  g_clear_pointer (&m->made, g_hash_table_unref);
  g_clear_pointer (&m->target, g_free);
  g_clear_pointer (&m->file, free);
}

/* ---- Files ---- */

static const MacroWriter *
running_writer (Macro *m, const char *command)
{
  const char *function = macro_function (m->lua)->name;
  const MacroWriter *writer = writers_find (function, command);
  if (!writer)
    macro_fail_text (m, "%s() is not listed as a function that writes files and writes none.", function);
  return writer;
}

/* Whether what is there may be replaced. */
static gboolean
may_replace (const Macro *m, const char *path, GError **error)
{
  const MacroHost *host = m->host;
  if (m->options->overwrite || g_hash_table_contains (m->made, path) || own_files_has (path, m->file))
    return TRUE;
  if (host->replace)
    return host->replace (host->self, path)
           || file_fail (error, FILE_ERROR_WRITE, path,
                         "already exists and must not be replaced. Save under another name.");
  return file_fail (error, FILE_ERROR_WRITE, path,
                    "already exists and was not created by this macro. Save under another name, or replace "
                    "files with --overwrite.");
}

/* Whether it is new or may be replaced; FALSE with *error. */
static gboolean
find_limit (const Macro *m, const char *path, FileTargets *limit, GError **error)
{
  struct stat about;
  const gboolean is_there = !lstat (path, &about);
  *limit = is_there ? FILE_TARGETS_REPLACE : FILE_TARGETS_NEW;
  if (is_there && !S_ISREG (about.st_mode))
    return file_fail (error, FILE_ERROR_WRITE, path, "is not a regular file. Save under another name.");
  return !is_there || (folders_check_unread (m->folders, path, error) && may_replace (m, path, error));
}

/* NULL with *error. The user is not asked about the folder of what would not be written anyway. */
static char *
allowed_path (const Macro *m, const MacroWriter *writer, const char *path, FileTargets *limit, GError **error)
{
  g_autofree char *name = writers_name (writer, path), *base = g_path_get_basename (name), *real = NULL;
  const char *folder = m->options->output_folder;
  g_autofree char *moved = folder ? g_build_filename (folder, base, NULL) : NULL;
  if ((!m->host->allow || writers_check_ending (writer, name, error))
      && (real = folders_write (m->folders, moved ? moved : name, error)) && writers_check_ending (writer, name, error)
      && find_limit (m, real, limit, error))
    return g_steal_pointer (&real);
  return NULL;
}

const char *
cage_file (Macro *m, const char *command, const char *path)
{
  GError *error = NULL;
  FileTargets limit;
  char *real = allowed_path (m, running_writer (m, command), path, &limit, &error);
  if (!real)
    macro_fail (m, error);
  file_targets_limit (limit, real);
  g_free (m->target);
  m->target = real;
  return macro_own (m, g_strdup (real), g_free);
}

void
cage_leave (Macro *m, gboolean done)
{
  if (!m->target)
    return;
  file_targets_limit (FILE_TARGETS_NONE, NULL);
  if (done && !m->options->output_folder)
    own_files_mark (m->target, m->file);
  if (done)
    g_hash_table_add (m->made, g_steal_pointer (&m->target));
  g_clear_pointer (&m->target, g_free);
}

/* ---- Folders ---- */

static gboolean
make_folder (Macro *m, const char *real, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (real), *name = g_path_get_basename (real);
  const int folder = file_folder_open (AT_FDCWD, parent);
  const gboolean made = folder >= 0 && !mkdirat (folder, name, 0777);
  const int fault = errno;
  if (folder >= 0)
    close (folder);
  if (!made)
    return file_fail (error, FILE_ERROR_WRITE, real, "cannot be made a folder: %s.", g_strerror (fault));
  folders_allow (m->folders, real, FOLDERS_OPENED);
  return TRUE;
}

void
cage_make_folder (Macro *m, const char *path)
{
  GError *error = NULL;
  running_writer (m, NULL);
  char *whole = macro_own (m, folders_read (m->folders, path, &error), g_free);
  if (whole && g_file_test (whole, G_FILE_TEST_IS_DIR))
    return;
  char *real = whole ? macro_own (m, folders_write (m->folders, whole, &error), g_free) : NULL;
  if (!real || !make_folder (m, real, &error))
    macro_fail (m, error);
}
