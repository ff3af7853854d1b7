/* SPDX-License-Identifier: MIT
 *
 * The format of a file does everything; what is the same for all formats is here.
 */
#include "core/files/files.h"

#include "core/base/file_read.h"
#include "core/base/file_source.h"
#include "core/files/list_images.h"
#include "core/files/options.h"
#include "core/files/plate/format.h"
#include "core/files/plate/pattern.h"
#include "core/files/raw.h"
#include "core/files/shared/opener.h"
#include "core/files/shared/unpack.h"
#include "core/files/strangers.h"

#include <errno.h>
#include <unistd.h>

struct FilesImages {
  gatomicrefcount references;
  FileSource *source; /* NULL: the path is the caller's word */
  char *path;
  const FileFormat *format;
  gpointer layout; /* the path, where the format makes none */
};

static FilesImages *
images_new (void)
{
  FilesImages *images = g_new0 (FilesImages, 1);
  g_atomic_ref_count_init (&images->references);
  return images;
}

/* ---- Opening ---- */

/* The first bytes of a file. */
static gboolean
read_head (const char *path, guint8 *head, gsize size, gsize *n, GError **error)
{
  struct stat about;
  int fd = file_open_regular (path, 0, &about, error);
  gssize got;
  if (fd < 0)
    return FALSE;
  got = pread (fd, head, size, 0);
  if (got < 0)
    file_fail (error, FILE_ERROR_OPEN, path, "cannot be read: %s.", g_strerror (errno));
  else if (got == 0)
    file_fail (error, FILE_ERROR_FORMAT, path, "is empty.");
  close (fd);
  *n = (gsize) MAX (got, 0);
  return got > 0;
}

/* Puts the name of a known format in place of the error, if it is one. */
static void
name_stranger (const char *path, const guint8 *head, gsize n, GError **error)
{
  GError *name = NULL;
  if (files_strangers_check (path, head, n, &name))
    return;
  g_clear_error (error);
  g_propagate_error (error, name);
}

static void
fail_unknown (const char *path, gboolean gzip, GError **error)
{
  g_autofree char *labels = gzip ? formats_packed_labels () : formats_labels ();
  if (gzip)
    file_fail (error, FILE_ERROR_FORMAT, path,
               "is a gzip file of something that cannot be opened so: %s files can; unpack it first.", labels);
  else
    file_fail (error, FILE_ERROR_FORMAT, path,
               "is not an image that can be opened: %s files can; save images of other formats as OME-TIFF first.",
               labels);
}

/* Replaces the error: the folder is not an image. */
static void
fail_folder (const char *path, GError **error)
{
  g_clear_error (error);
  g_autoptr (GPtrArray) images = files_list_images (path, error);
  if (images && images->len)
    file_fail (error, FILE_ERROR_OPEN, path,
               "is a folder with %u image files, not an image. Name a file, such as '%s', do a batch with all, or open "
               "numbered images as a stack with a pattern, such as '%s/name{z}.tif'.",
               images->len, (char *) images->pdata[0], path);
  else if (images)
    file_fail (error, FILE_ERROR_OPEN, path,
               "is a folder without images. Folders of OME-Zarr, DICOM and plates open as images.");
}

/* What the user has said the format of, or a URL. */
static FilesImages *
open_as (const FileFormat *format, const char *path, GError **error)
{
  g_autoptr (FilesImages) images = images_new ();
  images->path = g_strdup (path);
  images->format = format;
  images->layout = format->layout (format, path, error);
  return images->layout ? g_steal_pointer (&images) : NULL;
}

static guint
count_of (const char *path, GPtrArray **others, GError **error)
{
  g_autoptr (FilesImages) images = files_images_new (path, error);
  const GPtrArray *more = images ? files_images_others (images) : NULL;
  *others = more ? g_ptr_array_ref ((GPtrArray *) more) : NULL;
  return images ? files_images_count (images) : 0;
}

static gboolean
describe_file (const char *path, guint n, ImageInfo *info, const char **depends, GError **error)
{
  g_autoptr (FilesImages) images = files_images_new (path, error);
  return images && files_images_describe (images, n, info, depends, error);
}

FilesImages *
files_images_new (const char *path, GError **error)
{
  static const FilesOpener opener = {count_of, files_open, describe_file};
  g_autoptr (FilesImages) images = images_new ();
  g_autofree char *raw = files_raw_of (path);
  guint8 head[FORMAT_HEAD];
  gsize n = 0;
  files_opener_set (&opener);
  if (raw || plate_pattern_is (path))
    return open_as (raw ? &format_raw : &format_sequence, path, error);
  images->path = g_strdup (path);
  const gboolean read = read_head (path, head, sizeof head, &n, error);
  if (!read && !g_file_test (path, G_FILE_TEST_IS_DIR))
    return NULL;
  if ((images->format = formats_of_head (path, head, n))) {
    g_clear_error (error);
    images->layout = images->format->layout ? images->format->layout (images->format, path, error) : images->path;
  }
  if (images->layout)
    return g_steal_pointer (&images);
  if (!images->format && read)
    fail_unknown (path, files_is_gzip (head, n), error);
  else if (!images->format)
    fail_folder (path, error);
  if (!images->format || !images->format->plugin)
    name_stranger (path, head, n, error); /* it may begin as a file of another format */
  return NULL;
}

/* The format that reads a URL itself; NULL: none. */
static const FileFormat *
format_of_url (const char *given)
{
  for (const FileFormat *const *f = formats_all (); file_source_is_url (given) && *f; f++)
    if ((*f)->is_url && (*f)->is_url (*f, given))
      return *f;
  return NULL;
}

FilesImages *
files_images_fetch (const char *given, const char *raw, GError **error)
{
  const FileFormat *own = format_of_url (given);
  if (own)
    return open_as (own, given, error);
  g_autoptr (FileSource) source = file_source_new (given, error);
  if (!source || (raw && !files_raw_set (file_source_path (source), raw, error)))
    return NULL;
  FilesImages *images = files_images_new (file_source_path (source), error);
  if (images)
    images->source = g_steal_pointer (&source);
  return images;
}

const FileFormat *
files_images_format (const FilesImages *images)
{
  return images->format;
}

guint
files_images_count (const FilesImages *images)
{
  return images->format->count ? images->format->count (images->layout) : 1;
}

gboolean
files_images_position (const FilesImages *images, guint n, FilePosition *position)
{
  return images->format->position && n < files_images_count (images)
         && images->format->position (images->layout, n, position);
}

const char *
files_images_left_out (const FilesImages *images)
{
  const char *words = images->format->left_out ? images->format->left_out (images->layout) : NULL;
  return words && *words ? words : NULL;
}

const GPtrArray *
files_images_others (const FilesImages *images)
{
  const GPtrArray *others = images->format->others ? images->format->others (images->layout) : NULL;
  return others && others->len ? others : NULL;
}

GPtrArray *
files_images_paths (const FilesImages *images, guint n)
{
  return images->format->paths ? images->format->paths (images->layout, n) : NULL;
}

static GQuark source_quark (void);
G_DEFINE_QUARK (files - source, source)

static GQuark others_quark (void);
G_DEFINE_QUARK (files - others, others)

const GPtrArray *
files_others (Image *image)
{
  return image_kept (image, others_quark ());
}

static gboolean
has_number (const FilesImages *images, guint n, GError **error)
{
  guint count = files_images_count (images);
  return n < count
         || file_fail (error, FILE_ERROR_OPEN, images->path,
                       "holds %u image%s, numbered from 0; number %u does not exist.", count, count == 1 ? "" : "s", n);
}

Image *
files_images_open (const FilesImages *images, guint n, GError **error)
{
  const GPtrArray *others = files_images_others (images);
  Image *image = has_number (images, n, error) ? images->format->open (images->layout, n, error) : NULL;
  if (image && others)
    image_keep (image, others_quark (), g_ptr_array_ref ((GPtrArray *) others), (GDestroyNotify) g_ptr_array_unref);
  if (image && images->source)
    image_keep (image, source_quark (), file_source_ref (images->source), (GDestroyNotify) file_source_unref);
  return image;
}

gboolean
files_images_describe (const FilesImages *images, guint n, ImageInfo *info, const char **depends, GError **error)
{
  *depends = NULL;
  if (!has_number (images, n, error))
    return FALSE;
  if (images->format->describe)
    return images->format->describe (images->layout, n, info, depends, error);
  g_autoptr (Image) image = images->format->open (images->layout, n, error);
  if (image)
    image_info_copy (info, image_info (image));
  return image != NULL;
}

char *
files_images_personal (const FilesImages *images, guint n, GError **error)
{
  return images->format->personal && has_number (images, n, error) ? images->format->personal (images->layout, n, error)
                                                                   : NULL;
}

/* Where the reader leaves the hash, and of which descriptor; NULL: nowhere. */
static FileHash **
hash_of (const FilesImages *images, int *fd)
{
  return images->format->hash ? images->format->hash (images->layout, fd) : NULL;
}

void
files_images_begin_hash (FilesImages *images)
{
  int fd;
  FileHash **hash = hash_of (images, &fd);
  if (hash)
    *hash = file_hash_new ();
}

gboolean
files_images_hash (const FilesImages *images, char text[FILE_HASH_TEXT], GError **error)
{
  int fd;
  FileHash **hash = hash_of (images, &fd);
  return hash && *hash ? file_hash_end (*hash, fd, images->path, text, error)
                       : files_hash_of_path (images->path, text, error);
}

GPtrArray *
files_paths_of_pattern (const char *path, GError **error)
{
  g_autoptr (PlateIndex) index = plate_pattern_is (path) ? plate_pattern_read (path, error) : NULL;
  GPtrArray *paths = index ? g_ptr_array_new_with_free_func (g_free) : NULL;
  for (guint i = 0; index && i < index->files->len; i++)
    g_ptr_array_add (paths, g_build_filename (index->folder, index->files->pdata[i], NULL));
  return paths;
}

gboolean
files_hash_of_path (const char *path, char text[FILE_HASH_TEXT], GError **error)
{
  if (!plate_pattern_is (path))
    return file_hash_of_path (path, text, error);
  g_autoptr (GPtrArray) paths = files_paths_of_pattern (path, error);
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; paths && i < paths->len; i++) {
    if (!file_hash_of_path (paths->pdata[i], text, error))
      return FALSE;
    g_string_append_printf (all, "%s %s\n", text, (const char *) paths->pdata[i]);
  }
  file_hash_of_text (all->str, all->len, text);
  return paths != NULL;
}

FilesImages *
files_images_ref (FilesImages *images)
{
  g_atomic_ref_count_inc (&images->references);
  return images;
}

void
files_images_free (FilesImages *images)
{
  if (!g_atomic_ref_count_dec (&images->references))
    return;
  if (images->layout && images->format->free)
    images->format->free (images->layout);
  g_clear_pointer (&images->source, file_source_unref);
  g_free (images->path);
  g_free (images);
}

Image *
files_open (const char *path, guint n, GError **error)
{
  g_autoptr (FilesImages) images = files_images_new (path, error);
  return images ? files_images_open (images, n, error) : NULL;
}

/* ---- Saving ---- */

/* The format that the name asks for, and the options as it takes them, free with g_free(). NULL with *error. */
static const FileFormat *
find_writer (const char *path, const char *text, gpointer *options, GError **error)
{
  const FileFormat *format = formats_of_output (path);
  if (!format) {
    g_autofree char *outputs = formats_outputs ();
    file_fail (error, FILE_ERROR_WRITE, path, "cannot be written, because its name does not end in %s.", outputs);
    return NULL;
  }
  return options_read (format, path, text, options, error) ? format : NULL;
}

gboolean
files_can_save (const char *path, const char *options, GError **error)
{
  g_autofree gpointer read = NULL;
  return find_writer (path, options, &read, error) != NULL;
}

gboolean
files_save_as (Image *image, const char *path, const char *options, GError **error)
{
  g_autofree gpointer read = NULL;
  const FileFormat *format = find_writer (path, options, &read, error);
  return format && format->save (image, path, read, error);
}

gboolean
files_save (Image *image, const char *path, GError **error)
{
  return files_save_as (image, path, NULL, error);
}
