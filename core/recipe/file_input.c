/* SPDX-License-Identifier: MIT
 */
#include "core/recipe/file_input.h"

#include "core/base/fork.h"
#include "core/files/files.h"
#include "core/selection/selection.h"

#include <glib/gstdio.h>
#include <string.h>

struct FileInput {
  gint refs;
  guint64 id;
  char *path;
  GStatBuf about;        /* when it was made; all 0: it was not there */
  GMutex lock;           /* guards what follows */
  Image *image;          /* NULL: not opened yet */
  GPtrArray *selections; /* the same */
  char *left_out;
};

static FileInput *
new_input (const char *path)
{
  static gsize made; /* atomic */
  FileInput *file = g_new0 (FileInput, 1);
  file->refs = 1;
  file->id = G_MAXUINT64 - 1 - g_atomic_pointer_add (&made, 1); /* those of results count up */
  file->path = g_strdup (path);
  g_mutex_init (&file->lock);
  fork_guard (&file->lock, NULL, NULL);
  return file;
}

FileInput *
file_input_new (const char *text)
{
  if (!text || !g_str_has_prefix (text, FILE_INPUT))
    return NULL;
  FileInput *file = new_input (text + strlen (FILE_INPUT));
  if (g_stat (file->path, &file->about))
    memset (&file->about, 0, sizeof file->about);
  return file;
}

FileInput *
file_input_with_image (const FileInput *file, Image *image)
{
  FileInput *with = new_input (file->path);
  with->image = image_ref (image);
  return with;
}

FileInput *
file_input_ref (FileInput *file)
{
  if (file)
    g_atomic_int_inc (&file->refs);
  return file;
}

void
file_input_unref (FileInput *file)
{
  if (!file || !g_atomic_int_dec_and_test (&file->refs))
    return;
  image_unref (file->image);
  g_clear_pointer (&file->selections, g_ptr_array_unref);
  g_free (file->left_out);
  fork_unguard (&file->lock);
  g_mutex_clear (&file->lock);
  g_free (file->path);
  g_free (file);
}

guint64
file_input_id (const FileInput *file)
{
  return file->id;
}

const char *
file_input_path (const FileInput *file)
{
  return file->path;
}

gboolean
file_input_equal (const FileInput *a, const FileInput *b)
{
  if (a == b || !a || !b)
    return a == b;
  return !strcmp (a->path, b->path) && a->about.st_dev == b->about.st_dev && a->about.st_ino == b->about.st_ino
         && a->about.st_size == b->about.st_size && a->about.st_mtim.tv_sec == b->about.st_mtim.tv_sec
         && a->about.st_mtim.tv_nsec == b->about.st_mtim.tv_nsec;
}

gboolean
file_input_is_selections (const FileInput *file)
{
  return selections_is_name (file->path);
}

const GPtrArray *
file_input_selections (FileInput *file, const char **left_out, GError **error)
{
  g_mutex_lock (&file->lock);
  if (!file->selections)
    file->selections = selections_read (file->path, &file->left_out, error);
  *left_out = file->left_out;
  g_mutex_unlock (&file->lock);
  return file->selections;
}

Image *
file_input_image (FileInput *file, GError **error)
{
  g_mutex_lock (&file->lock);
  if (!file->image)
    file->image = files_open (file->path, 0, error);
  g_mutex_unlock (&file->lock);
  return file->image;
}

gboolean
file_input_open (FileInput *file, GError **error)
{
  const char *left_out;
  return file_input_is_selections (file) ? file_input_selections (file, &left_out, error) != NULL
                                         : file_input_image (file, error) != NULL;
}
