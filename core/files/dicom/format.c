/* SPDX-License-Identifier: MIT
 *
 * Oracles: pydicom for values, SimpleITK for volumes.
 */
#include "core/files/dicom/format.h"

#include "core/base/file_read.h"
#include "core/base/natural.h"
#include "core/base/progress.h"
#include "core/files/dicom/personal.h"
#include "core/files/dicom/source.h"

#include <string.h>
#include <unistd.h>

enum { LOOKED_AT = 32 /* files of a folder that show what it is */ };

typedef struct {
  char *name;
  GPtrArray *files;  /* of DicomFile */
  GPtrArray *series; /* of DicomSeries */
  GPtrArray *paths;  /* of the files of a folder; NULL: it is a file */
  char *left_out;
} Layout;

/* ---- Which files ---- */

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

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return natural_compare (*(const char *const *) a, *(const char *const *) b);
}

/* Paths of the files in a folder, hidden ones and an index of others left out; at most so many. */
static GPtrArray *
files_in (const char *folder, guint max)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir && paths->len < max && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (*name != '.' && g_ascii_strcasecmp (name, "DICOMDIR") && g_file_test (path, G_FILE_TEST_IS_REGULAR))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
  g_ptr_array_sort (paths, compare_names);
  return paths;
}

/* Whether most of its files are DICOM, which reports and notes may accompany. */
static gboolean
is_dicom_folder (const char *folder)
{
  g_autoptr (GPtrArray) paths = files_in (folder, LOOKED_AT);
  guint found = 0;
  for (guint i = 0; i < paths->len; i++)
    found += is_dicom_file (paths->pdata[i]);
  return found > paths->len / 2;
}

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self;
  return n ? dicom_is (head, n) : is_dicom_folder (path);
}

/* ---- Layouts ---- */

static void
layout_free (gpointer data)
{
  Layout *layout = data;
  g_clear_pointer (&layout->series, g_ptr_array_unref);
  g_clear_pointer (&layout->paths, g_ptr_array_unref);
  g_ptr_array_unref (layout->files);
  g_free (layout->left_out);
  g_free (layout->name);
  g_free (layout);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Layout, layout_free)

static gboolean
add_file (Layout *layout, const char *path, gboolean keep_open, GError **error)
{
  DicomFile *file = dicom_file_new (path, keep_open, error);
  if (file)
    g_ptr_array_add (layout->files, file);
  return file != NULL;
}

static gboolean
add_folder (Layout *layout, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) paths = files_in (folder, G_MAXUINT);
  layout->paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < paths->len; i++) {
    if (progress_stopped (error))
      return FALSE;
    if (!is_dicom_file (paths->pdata[i]))
      continue;
    if (!add_file (layout, paths->pdata[i], FALSE, error))
      return FALSE;
    g_ptr_array_add (layout->paths, g_strdup (paths->pdata[i]));
  }
  return TRUE;
}

/* Of all levels. */
static guint
missing_tiles (const DicomSeries *series)
{
  guint n = series->mosaic ? series->mosaic->missing : 0;
  for (guint i = 0; series->levels && i < series->levels->len; i++)
    n += ((const DicomSeries *) series->levels->pdata[i])->mosaic->missing;
  return n;
}

static void
describe_rest (Layout *layout)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint without = 0, missing = 0, tiles = 0;
  for (guint i = 0; i < layout->files->len; i++)
    without += !((DicomFile *) layout->files->pdata[i])->frames;
  for (guint i = 0; i < layout->series->len; i++) {
    const DicomSeries *series = layout->series->pdata[i];
    missing += series->missing;
    tiles += missing_tiles (series);
  }
  if (without)
    g_string_append_printf (text, "%u file%s without pixels", without, without == 1 ? "" : "s");
  if (missing)
    g_string_append_printf (text, "%s%u slice%s that no file has, between others", text->len ? ", " : "", missing,
                            missing == 1 ? "" : "s");
  if (tiles)
    g_string_append_printf (text, "%s%u tile%s that no file has, which %s zero", text->len ? ", " : "", tiles,
                            tiles == 1 ? "" : "s", tiles == 1 ? "is" : "are");
  layout->left_out = g_strdup (text->str);
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (Layout) layout = g_new0 (Layout, 1);
  (void) self;
  layout->name = g_path_get_basename (path);
  layout->files = g_ptr_array_new_with_free_func ((GDestroyNotify) dicom_file_unref);
  if (!(g_file_test (path, G_FILE_TEST_IS_DIR) ? add_folder (layout, path, error)
                                               : add_file (layout, path, TRUE, error)))
    return NULL;
  layout->series = dicom_series_of (layout->files);
  describe_rest (layout);
  if (layout->series->len)
    return g_steal_pointer (&layout);
  file_fail (error, FILE_ERROR_UNSUPPORTED, path,
             "has no pixels: it is DICOM with a report, a plan or an index of other files.");
  return NULL;
}

/* ---- Images ---- */

static guint
count (gconstpointer layout)
{
  return ((const Layout *) layout)->series->len;
}

static const char *
left_out (gconstpointer layout)
{
  return ((const Layout *) layout)->left_out;
}

static const GPtrArray *
others (gconstpointer layout)
{
  return ((const Layout *) layout)->paths;
}

static void
add_paths (GPtrArray *paths, const DicomSeries *series)
{
  for (guint i = 0; i < series->files->len; i++)
    g_ptr_array_add (paths, g_strdup (((const DicomFile *) series->files->pdata[i])->path));
  for (guint i = 0; series->levels && i < series->levels->len; i++)
    add_paths (paths, series->levels->pdata[i]);
}

/* Of a folder, which may have many series. */
static GPtrArray *
paths (gconstpointer data, guint n)
{
  const Layout *layout = data;
  GPtrArray *paths = layout->paths ? g_ptr_array_new_with_free_func (g_free) : NULL;
  if (paths)
    add_paths (paths, layout->series->pdata[n]);
  return paths;
}

static gboolean
describe (gpointer data, guint n, ImageInfo *info, const char **depends, GError **error)
{
  const Layout *layout = data;
  (void) depends, (void) error;
  dicom_series_info (layout->series->pdata[n], layout->name, n, info);
  return TRUE;
}

static Image *
open_series (gpointer data, guint n, GError **error)
{
  const Layout *layout = data;
  ImageInfo info;
  dicom_series_info (layout->series->pdata[n], layout->name, n, &info);
  Image *image = dicom_source_image (layout->series->pdata[n], &info, error);
  image_info_clear (&info);
  return image;
}

static char *
personal (gconstpointer data, guint n, GError **error)
{
  const Layout *layout = data;
  return dicom_personal (((const DicomSeries *) layout->series->pdata[n])->planes[0].file, error);
}

static FileHash **
hash (gpointer data, int *fd)
{
  const Layout *layout = data;
  FilesBytes *bytes = ((DicomFile *) layout->files->pdata[0])->bytes;
  if (!bytes || bytes->fd < 0)
    return NULL;
  *fd = bytes->fd;
  return &bytes->hash;
}

const FileFormat format_dicom = {
  .key = "dicom",
  .label = "DICOM",
  .endings = (const char *const[]){"dcm", NULL},
  .mime = (const char *const[]){"application/dicom", NULL},
  .is = is,
  .layout = layout_new,
  .free = layout_free,
  .count = count,
  .left_out = left_out,
  .others = others,
  .paths = paths,
  .describe = describe,
  .open = open_series,
  .personal = personal,
  .hash = hash,
};
