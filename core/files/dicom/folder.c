/* SPDX-License-Identifier: MIT
 *
 * An index can name files that are gone and lack others: the folders themselves say what there is.
 */
#include "core/files/dicom/folder.h"

#include "core/base/file_read.h"
#include "core/base/natural.h"
#include "core/base/progress.h"
#include "core/files/shared/subfolders.h"

#include <unistd.h>

enum { LOOKED_AT = 32 /* files that show what a folder is */ };

static gboolean
is_dicom_file (const char *path)
{
  struct stat about;
  guint8 head[132];
  const int fd = file_open_regular (path, 0, &about, NULL);
  const gssize n = fd < 0 ? 0 : pread (fd, head, sizeof head, 0);
  if (fd >= 0)
    close (fd);
  return dicom_is (head, (gsize) MAX (n, 0));
}

static gboolean
is_index_name (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  return !g_ascii_strcasecmp (name, DICOM_INDEX);
}

/* Discs show their names in either case. */
static gboolean
has_index (const char *folder)
{
  g_autofree char *upper = g_build_filename (folder, DICOM_INDEX, NULL),
                  *lower = g_build_filename (folder, "dicomdir", NULL);
  return is_dicom_file (upper) || is_dicom_file (lower);
}

/* ---- The folder alone ---- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

/* Its files, hidden ones and an index left out; at most so many. Links to files count. */
static GPtrArray *
files_in (const char *folder, guint max)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir && paths->len < max && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (*name != '.' && !is_index_name (name) && g_file_test (path, G_FILE_TEST_IS_REGULAR))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
  g_ptr_array_sort (paths, compare_names);
  return paths;
}

static gboolean
has_own_files (const char *folder)
{
  g_autoptr (GPtrArray) paths = files_in (folder, LOOKED_AT);
  guint found = 0;
  for (guint i = 0; i < paths->len; i++)
    found += is_dicom_file (paths->pdata[i]);
  return found > paths->len / 2;
}

gboolean
dicom_folder_is (const char *folder)
{
  return has_index (folder) || has_own_files (folder);
}

static gboolean
add_own_files (DicomFolder *self, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) paths = files_in (folder, G_MAXUINT);
  for (guint i = 0; i < paths->len; i++) {
    if (progress_stopped (error))
      return FALSE;
    if (is_dicom_file (paths->pdata[i]))
      g_ptr_array_add (self->paths, g_strdup (paths->pdata[i]));
  }
  return TRUE;
}

/* ---- With subfolders ---- */

/* *left: how many files and folders may be looked at. */
static gboolean
add_tree (DicomFolder *self, const char *folder, guint depth, guint *left, GError **error)
{
  g_autoptr (GPtrArray) files = NULL, folders = NULL;
  if ((self->too_many = !*left))
    return TRUE;
  --*left;
  self->closed += !subfolders_list (folder, G_MAXUINT, &files, &folders);
  for (guint i = 0; i < files->len; i++) {
    if (progress_stopped (error))
      return FALSE;
    if ((self->too_many = !*left))
      return TRUE;
    --*left;
    if (!is_index_name (files->pdata[i]) && is_dicom_file (files->pdata[i]))
      g_ptr_array_add (self->paths, g_strdup (files->pdata[i]));
  }
  self->too_deep |= folders->len && depth == SUBFOLDERS_DEEPEST;
  for (guint i = 0; i < folders->len && depth < SUBFOLDERS_DEEPEST && !self->too_many; i++)
    if (progress_stopped (error) || !add_tree (self, folders->pdata[i], depth + 1, left, error))
      return FALSE;
  return TRUE;
}

static DicomFolder *
folder_new (gboolean is_deep)
{
  DicomFolder *self = g_new0 (DicomFolder, 1);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->is_deep = is_deep;
  return self;
}

/* Whether there are DICOM files among the first ones of the subfolders. */
static gboolean
has_more (const char *folder)
{
  g_autoptr (GPtrArray) files = NULL, folders = NULL;
  g_autoptr (DicomFolder) more = folder_new (TRUE);
  guint left = LOOKED_AT;
  subfolders_list (folder, G_MAXUINT, &files, &folders);
  for (guint i = 0; i < folders->len && left && !more->paths->len; i++)
    if (!add_tree (more, folders->pdata[i], 1, &left, NULL))
      return FALSE;
  return more->paths->len > 0;
}

DicomFolder *
dicom_folder_new (const char *folder, gboolean is_deep, GError **error)
{
  g_autoptr (DicomFolder) self = folder_new (is_deep || has_index (folder) || !has_own_files (folder));
  guint left = DICOM_FOLDER_FILES;
  if (!(self->is_deep ? add_tree (self, folder, 0, &left, error) : add_own_files (self, folder, error)))
    return NULL;
  self->has_more = !self->is_deep && has_more (folder);
  return g_steal_pointer (&self);
}

void
dicom_folder_free (DicomFolder *self)
{
  g_ptr_array_unref (self->paths);
  g_free (self);
}
