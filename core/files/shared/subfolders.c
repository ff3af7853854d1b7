/* SPDX-License-Identifier: MIT
 *
 * The window asks this of every folder that is dropped on it: a look must be cheap, on a disc, too.
 */
#include "core/files/shared/subfolders.h"

#include "core/base/file_read.h"
#include "core/base/natural.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* At most so much is looked at. */
enum { NAMES = 4096, FOLDERS = 64, FILES = 32, FILES_OF_EACH = 4 };

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

gboolean
subfolders_list (const char *folder, guint max, GPtrArray **files, GPtrArray **folders)
{
  DIR *dir = opendir (folder);
  *files = g_ptr_array_new_with_free_func (g_free);
  *folders = g_ptr_array_new_with_free_func (g_free);
  for (struct dirent *entry; dir && (*files)->len + (*folders)->len < max && (entry = readdir (dir));) {
    struct stat about;
    if (*entry->d_name == '.')
      continue;
    g_autofree char *path = g_build_filename (folder, entry->d_name, NULL);
    const gboolean known = entry->d_type == DT_REG || entry->d_type == DT_DIR,
                   seen = !known && entry->d_type == DT_UNKNOWN && !lstat (path, &about);
    if (entry->d_type == DT_REG || (seen && S_ISREG (about.st_mode)))
      g_ptr_array_add (*files, g_steal_pointer (&path));
    else if (entry->d_type == DT_DIR || (seen && S_ISDIR (about.st_mode)))
      g_ptr_array_add (*folders, g_steal_pointer (&path));
  }
  g_ptr_array_sort (*files, compare_names);
  g_ptr_array_sort (*folders, compare_names);
  return dir && !closedir (dir);
}

/* ---- A look ---- */

typedef struct {
  const FileFormat *format;
  gboolean (*is_image_name) (const char *name);
  guint names, folders, files, found; /* looked at so far; found: are of the format */
} Look;

static gboolean
is_of (const FileFormat *format, const char *path)
{
  struct stat about;
  guint8 head[FORMAT_HEAD];
  const int fd = file_open_regular (path, O_NOFOLLOW, &about, NULL);
  const gssize n = fd < 0 ? 0 : pread (fd, head, sizeof head, 0);
  if (fd >= 0)
    close (fd);
  return n > 0 && format->is (format, path, head, (gsize) n);
}

static gboolean
has_own_ending (const FileFormat *format, const char *path)
{
  const char *dot = strrchr (path, '.');
  for (const char *const *ending = format->endings; dot && *ending; ending++)
    if (!g_ascii_strcasecmp (dot + 1, *ending))
      return TRUE;
  return FALSE;
}

/* The first that is called as an image of another format; NULL: none. */
static const char *
find_other (const Look *look, const GPtrArray *paths)
{
  for (guint i = 0; i < paths->len; i++)
    if (!has_own_ending (look->format, paths->pdata[i]) && look->is_image_name (paths->pdata[i]))
      return paths->pdata[i];
  return NULL;
}

/* FALSE: it has another image. */
static gboolean
look_at_files (Look *look, const GPtrArray *files)
{
  const char *other = find_other (look, files);
  if (other && !is_of (look->format, other))
    return FALSE;
  for (guint i = 0; i < MIN (files->len, FILES_OF_EACH) && look->files < FILES; i++) {
    look->files++;
    look->found += is_of (look->format, files->pdata[i]);
  }
  return TRUE;
}

static gboolean
look_in (Look *look, const char *folder, guint depth)
{
  g_autoptr (GPtrArray) files = NULL, folders = NULL;
  subfolders_list (folder, NAMES - look->names, &files, &folders);
  look->names += files->len + folders->len;
  look->folders++;
  if (find_other (look, folders) || !look_at_files (look, files)) /* a folder can be an image, too */
    return FALSE;
  for (guint i = 0; i < folders->len && depth < SUBFOLDERS_DEEPEST && look->folders < FOLDERS && look->names < NAMES;
       i++)
    if (!look_in (look, folders->pdata[i], depth + 1))
      return FALSE;
  return TRUE;
}

gboolean
subfolders_are (const FileFormat *format, const char *folder, gboolean (*is_image_name) (const char *name))
{
  Look look = {.format = format, .is_image_name = is_image_name};
  return look_in (&look, folder, 0) && look.found > look.files / 2;
}
