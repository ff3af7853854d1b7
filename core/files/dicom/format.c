/* SPDX-License-Identifier: MIT
 *
 * Oracles: pydicom for values, SimpleITK for volumes.
 */
#include "core/files/dicom/format.h"

#include "core/base/progress.h"
#include "core/files/dicom/folder.h"
#include "core/files/dicom/personal.h"
#include "core/files/dicom/source.h"
#include "core/files/shared/subfolders.h"

#include <string.h>

typedef struct {
  char *name;
  GPtrArray *files;    /* of DicomFile */
  GPtrArray *series;   /* of DicomSeries */
  DicomFolder *folder; /* NULL: it is a file */
  DicomRest rest;
  guint unreadable; /* files in subfolders */
  char *left_out;
} Layout;

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self;
  return n ? dicom_is (head, n) : dicom_folder_is (path);
}

/* ---- Files ---- */

static void
layout_free (gpointer data)
{
  Layout *layout = data;
  g_clear_pointer (&layout->series, g_ptr_array_unref);
  g_clear_pointer (&layout->folder, dicom_folder_free);
  g_ptr_array_unref (layout->files);
  g_free (layout->left_out);
  g_free (layout->name);
  g_free (layout);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Layout, layout_free)

static gboolean
add_folder (Layout *layout, const char *path, gboolean is_deep, GError **error)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  layout->name = g_path_get_basename (whole);
  if (!(layout->folder = dicom_folder_new (path, is_deep, error)))
    return FALSE;
  for (guint i = 0; i < layout->folder->paths->len; i++) {
    GError *fault = NULL;
    if (progress_stopped (error))
      return FALSE;
    DicomFile *file = dicom_file_new (layout->folder->paths->pdata[i], FALSE, &fault);
    if (file)
      g_ptr_array_add (layout->files, file);
    else if (!layout->folder->is_deep || progress_stopped (NULL)) {
      g_propagate_error (error, fault);
      return FALSE;
    } else {
      /* One file of a disc must not hide all others. Its name can be that of a person. */
      layout->unreadable++;
      g_error_free (fault);
    }
  }
  return TRUE;
}

/* An index opens its folder. */
static gboolean
add_file (Layout *layout, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  if (!g_ascii_strcasecmp (name, DICOM_INDEX))
    return add_folder (layout, folder, TRUE, error);
  g_autoptr (DicomFile) file = dicom_file_new (path, TRUE, error);
  if (file && file->header->is_index && !file->frames)
    return add_folder (layout, folder, TRUE, error);
  if (!file)
    return FALSE;
  layout->name = g_steal_pointer (&name);
  g_ptr_array_add (layout->files, g_steal_pointer (&file));
  return TRUE;
}

/* ---- What no image shows ---- */

/* Of all levels. */
static guint
missing_tiles (const DicomSeries *series)
{
  guint n = series->mosaic ? series->mosaic->missing : 0;
  for (guint i = 0; series->levels && i < series->levels->len; i++)
    n += ((const DicomSeries *) series->levels->pdata[i])->mosaic->missing;
  return n;
}

/* "2 files without pixels"; nothing where there are none. */
static void
say (GString *text, guint n, const char *one, const char *several)
{
  if (n)
    g_string_append_printf (text, "%s%u %s", text->len ? ", " : "", n, n == 1 ? one : several);
}

static void
say_folder (GString *text, const DicomFolder *folder)
{
  say (text, folder->closed, "folder that cannot be read", "folders that cannot be read");
  if (folder->has_more)
    g_string_append_printf (text, "%sfiles in subfolders: open these folders themselves", text->len ? ", " : "");
  if (folder->too_many)
    g_string_append_printf (text, "%sfiles behind the first %d", text->len ? ", " : "", DICOM_FOLDER_FILES);
  if (folder->too_deep)
    g_string_append_printf (text, "%sfiles in more than %d folders within each other", text->len ? ", " : "",
                            SUBFOLDERS_DEEPEST);
}

static void
describe_rest (Layout *layout)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint without = 0, missing = 0, tiles = 0;
  for (guint i = 0; i < layout->files->len; i++) {
    const DicomFile *file = layout->files->pdata[i];
    without += !file->frames && !file->header->is_index;
  }
  for (guint i = 0; i < layout->series->len; i++) {
    const DicomSeries *series = layout->series->pdata[i];
    missing += series->missing;
    tiles += missing_tiles (series);
  }
  say (text, without, "file without pixels", "files without pixels");
  say (text, layout->unreadable, "file that cannot be read", "files that cannot be read");
  say (text, layout->rest.copies, "file that has what another has", "files that have what others have");
  if (layout->folder)
    say (text, layout->rest.missing, "part of a concatenation that no file has",
         "parts of a concatenation that no file has");
  else
    say (text, layout->rest.missing, "part of a concatenation, which is another file: open the folder of both",
         "parts of a concatenation, which are other files: open the folder of all");
  say (text, missing, "slice that no file has, between others", "slices that no file has, between others");
  say (text, tiles, "tile that no file has, which is zero", "tiles that no file has, which are zero");
  if (layout->folder)
    say_folder (text, layout->folder);
  layout->left_out = g_strdup (text->str);
}

/* ---- Layouts ---- */

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (Layout) layout = g_new0 (Layout, 1);
  (void) self;
  layout->files = g_ptr_array_new_with_free_func ((GDestroyNotify) dicom_file_unref);
  if (!(g_file_test (path, G_FILE_TEST_IS_DIR) ? add_folder (layout, path, FALSE, error)
                                               : add_file (layout, path, error)))
    return NULL;
  layout->series = dicom_series_of (layout->files, &layout->rest);
  describe_rest (layout);
  if (layout->series->len)
    return g_steal_pointer (&layout);
  if (layout->unreadable)
    file_fail (
      error, FILE_ERROR_UNSUPPORTED, path,
      "has no image that can be read: %u of its DICOM files are damaged or of a kind that is not read. Open one of "
      "them to see why.",
      layout->unreadable);
  else if (layout->folder && !layout->files->len)
    file_fail (error, FILE_ERROR_UNSUPPORTED, path,
               "has no images: the files that its index names are not beside it. Copy all of the disc.");
  else
    file_fail (error, FILE_ERROR_UNSUPPORTED, path, "has no pixels: it is DICOM with a report or a plan.");
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
  const DicomFolder *folder = ((const Layout *) layout)->folder;
  return folder ? folder->paths : NULL;
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
  GPtrArray *paths = layout->folder ? g_ptr_array_new_with_free_func (g_free) : NULL;
  if (paths)
    add_paths (paths, layout->series->pdata[n]);
  return paths;
}

/* Of several in subfolders, a disc with many, also what tells them apart; names of folders there can be those of people. */
static void
set_info (const Layout *layout, guint n, ImageInfo *info)
{
  const DicomSeries *series = layout->series->pdata[n];
  const gboolean is_one_of = layout->folder && layout->folder->is_deep && layout->series->len > 1;
  g_autofree char *label = is_one_of ? dicom_series_label (series) : NULL,
                  *name = label ? g_strdup_printf ("%s: %s", layout->name, label) : g_strdup (layout->name);
  dicom_series_info (series, name, n, info);
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  (void) depends, (void) error;
  set_info (layout, n, info);
  return TRUE;
}

static Image *
open_series (gpointer data, guint n, GError **error)
{
  const Layout *layout = data;
  ImageInfo info;
  set_info (layout, n, &info);
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
  .in_subfolders = TRUE,
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
