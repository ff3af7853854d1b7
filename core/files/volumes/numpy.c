/* SPDX-License-Identifier: MIT
 *
 * Arrays of NumPy (numpy.org/doc/stable/reference/generated/numpy.lib.format.html): .npy is a line of Python in a header and the numbers behind it, .npz
 * a ZIP file of such files. The axes of an array are its last ones of frame, channel, slice, row, column, or colors behind column.
 */
#include "core/files/volumes/numpy.h"

#include "core/files/shared/plain.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

enum { PREFIX = 12, LONGEST = 1 << 16, AXES = 5, ARRAYS = 1 << 16, PIECE = 1 << 16 };

typedef struct archive Archive;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Archive, archive_read_free)

typedef struct {
  FilesBytes *file;
  GPtrArray *images; /* FilesPlain */
  GPtrArray *names;  /* of entries, of each image; empty: a .npy file */
  GString *left_out;
} Layout;

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  if (n >= 8 && !memcmp (head, "\x93NUMPY", 6))
    return TRUE;
  if (n < 30 || memcmp (head, "PK\x03\x04", 4))
    return FALSE;
  const gsize length = head[26] | (gsize) head[27] << 8;
  return length >= 4 && n >= 30 + length && !memcmp (head + 30 + length - 4, ".npy", 4);
}

/* ---- The header of an array ---- */

/* How many bytes it has; 0: it is none. */
static gsize
header_bytes (const guint8 *head, gsize n)
{
  if (n < PREFIX || memcmp (head, "\x93NUMPY", 6))
    return 0;
  if (head[6] == 1)
    return 10 + (head[8] | (gsize) head[9] << 8);
  return PREFIX + (head[8] | (gsize) head[9] << 8 | (gsize) head[10] << 16 | (gsize) head[11] << 24);
}

/* Behind "'key':" and blanks; NULL: there is none. */
static const char *
value_of (const char *text, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("'%s':", key);
  const char *at = strstr (text, quoted);
  return at ? at + strlen (quoted) + strspn (at + strlen (quoted), " ") : NULL;
}

/* FALSE: an image has no such type. */
static gboolean
set_type (const char *descr, FilesNumber *number)
{
  const char order = *descr && descr[1] ? descr[1] : 0, kind = order ? descr[2] : 0, size = kind ? descr[3] : 0;
  if ((*descr != '\'' && *descr != '"') || !size || descr[4] != *descr || !strchr ("<>|=", order)
      || !strchr ("buif", kind)
      || !strchr (kind == 'f'   ? "248"
                  : kind == 'b' ? "1"
                                : "1248",
                  size))
    return FALSE;
  *number = (FilesNumber){.bytes = (guint) (size - '0'),
                          .is_float = kind == 'f',
                          .is_signed = kind == 'i' || kind == 'f',
                          .is_mask = kind == 'b',
                          .swapped = size > '1' && order == (G_BYTE_ORDER == G_LITTLE_ENDIAN ? '>' : '<')};
  return TRUE;
}

/* How many sizes there are; 0: none, or not those of an image. */
static guint
read_shape (const char *text, gint64 shape[AXES])
{
  guint n = 0;
  if (*text++ != '(')
    return 0;
  for (;;) {
    char *end;
    text += strspn (text, ", ");
    if (*text == ')')
      return n;
    const gint64 size = g_ascii_strtoll (text, &end, 10);
    if (end == text || size < 1 || n == AXES)
      return 0;
    shape[n++] = size;
    text = end;
  }
}

/* As Python takes arrays: 3 or 4 at the end are colors, where rows and columns are more. */
static gboolean
has_colors (const FilesNumber *f, const gint64 *shape, guint n)
{
  const gboolean type = f->bytes <= 2 || f->is_float;
  return n == 3 && type && !f->is_mask && (shape[2] == 3 || shape[2] == 4) && shape[0] > shape[2]
         && shape[1] > shape[2];
}

/* Sizes, and strides of the last axis first or, in the order of Fortran, of the first one first. */
static gboolean
set_axes (FilesPlain *to, const gint64 *shape, guint n, gboolean fortran, GError **error)
{
  gint64 *const sizes[] = {&to->info.frames, &to->info.channels, &to->info.depth, &to->info.rows, &to->info.columns};
  static const guint colors[] = {3, 4, 1};
  const gboolean colored = has_colors (&to->blocks.number, shape, n);
  gint64 step = to->blocks.number.bytes;
  for (guint i = 0; i < n; i++)
    *sizes[colored ? colors[i] : AXES - n + i] = shape[i];
  if (!image_info_check (&to->info, error))
    return FALSE;
  if (colored)
    files_plain_set_colors (to, (guint) shape[2]);
  files_blocks_set_dense (&to->blocks, &to->info, 1); /* of axes of one pixel */
  for (guint i = 0; i < n; i++) {
    const guint axis = fortran ? i : n - 1 - i;
    to->blocks.strides[colored ? colors[axis] : AXES - n + axis] = step;
    step *= shape[axis];
  }
  return TRUE;
}

/* name: of the array in a container, or NULL. */
static gboolean
read_header (FilesPlain *to, const guint8 *head, gsize n, const char *name, GError **error)
{
  const gsize bytes = header_bytes (head, n), prefix = bytes && head[6] == 1 ? 10 : PREFIX;
  const char *path = to->file->path, *which = name ? name : "its array";
  if (!bytes || bytes > n || bytes < prefix)
    return file_fail (error, FILE_ERROR_DAMAGED, path, "is damaged or truncated: the header of %s cannot be read.",
                      which);
  g_autofree char *text = g_strndup ((const char *) head + prefix, bytes - prefix);
  const char *descr = value_of (text, "descr"), *order = value_of (text, "fortran_order"),
             *sizes = value_of (text, "shape");
  gint64 shape[AXES];
  if (!descr || !order || !sizes)
    return file_fail (error, FILE_ERROR_DAMAGED, path,
                      "is damaged: the header of %s lacks descr, fortran_order or shape.", which);
  if (!set_type (descr, &to->blocks.number))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "cannot be read: %s has the type %.*s; integers, floats of 16 to 64 bits and bool can be.", which,
                      (int) strcspn (descr, ",}"), descr);
  const guint axes = read_shape (sizes, shape);
  if (!axes)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, path,
                      "cannot be read: %s has the shape %.*s; one to five axes can be, none of them empty.", which,
                      (int) MIN (strcspn (sizes, ")") + 1, 60), sizes);
  to->blocks.at = bytes;
  to->info.role = to->blocks.number.is_mask ? FV_MASK : FV_IMAGE;
  return set_axes (to, shape, axes, g_str_has_prefix (order, "True"), error);
}

/* ---- Containers ---- */

typedef struct {
  FilesBytes *file;
  guint64 at;
  guint8 piece[PIECE];
} Reader;

static la_ssize_t
on_read (struct archive *archive, void *data, const void **bytes)
{
  Reader *r = data;
  const gsize n = (gsize) MIN (PIECE, r->file->size - r->at);
  (void) archive;
  if (n && !files_bytes_read (r->file, r->at, r->piece, n))
    return ARCHIVE_FATAL;
  r->at += n;
  *bytes = r->piece;
  return (la_ssize_t) n;
}

static la_int64_t
on_seek (struct archive *archive, void *data, la_int64_t offset, int whence)
{
  Reader *r = data;
  const gint64 from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (gint64) r->at : (gint64) r->file->size;
  (void) archive;
  r->at = (guint64) CLAMP (from + offset, 0, (gint64) r->file->size);
  return (la_int64_t) r->at;
}

static Archive *
open_archive (Reader *reader, GError **error)
{
  g_autoptr (Archive) archive = archive_read_new ();
  if (archive_read_support_format_zip_seekable (archive) == ARCHIVE_OK
      && archive_read_set_seek_callback (archive, on_seek) == ARCHIVE_OK
      && archive_read_open (archive, reader, NULL, on_read, NULL) == ARCHIVE_OK)
    return g_steal_pointer (&archive);
  file_fail (error, FILE_ERROR_DAMAGED, reader->file->path,
             "is damaged or truncated: its ZIP directory cannot be read.");
  return NULL;
}

/* At most n bytes of the entry; how many there were. */
static gsize
read_entry (Archive *archive, guint8 *to, gsize n)
{
  gsize done = 0;
  while (done < n) {
    const la_ssize_t got = archive_read_data (archive, to + done, n - done);
    if (got <= 0)
      break;
    done += (gsize) got;
  }
  return done;
}

static const char *
name_of (struct archive_entry *entry)
{
  const char *name = archive_entry_pathname (entry);
  return name ? name : "?";
}

/* Arrays that cannot be images are left out, with their names. */
static gboolean
add_entry (Layout *layout, Archive *archive, const char *name, GError **error)
{
  g_autofree guint8 *head = g_malloc (LONGEST);
  g_autoptr (GError) fault = NULL;
  g_autoptr (FilesPlain) to = files_plain_new (layout->file->path, error);
  if (!to)
    return FALSE;
  const gsize n = read_entry (archive, head, LONGEST);
  to->packing = FILES_PACKED;
  if (!read_header (to, head, n, name, &fault) || !files_plain_finish (to, &fault)) {
    if (fault->code == FILE_ERROR_DAMAGED) {
      g_propagate_error (error, g_steal_pointer (&fault));
      return FALSE;
    }
    g_string_append_printf (layout->left_out, "%s%s", layout->left_out->len ? ", " : "", name);
    return TRUE;
  }
  g_autofree char *title = g_strndup (name, strlen (name) - strlen (".npy")), *file = to->info.name;
  to->info.name = g_strdup_printf ("%s: %s", file, title);
  to->info.number = layout->images->len;
  g_ptr_array_add (layout->images, g_steal_pointer (&to));
  g_ptr_array_add (layout->names, g_strdup (name));
  return TRUE;
}

static gboolean
read_container (Layout *layout, GError **error)
{
  g_autofree Reader *reader = g_new0 (Reader, 1);
  struct archive_entry *entry;
  reader->file = layout->file;
  g_autoptr (Archive) archive = open_archive (reader, error);
  if (!archive)
    return FALSE;
  int status;
  while ((status = archive_read_next_header (archive, &entry)) == ARCHIVE_OK && layout->images->len < ARRAYS)
    if (g_str_has_suffix (name_of (entry), ".npy") && !add_entry (layout, archive, name_of (entry), error))
      return FALSE;
  if (status != ARCHIVE_OK && status != ARCHIVE_EOF)
    return file_fail (error, FILE_ERROR_DAMAGED, layout->file->path,
                      "is damaged or truncated: array %u of it cannot be found.", layout->images->len + 1);
  return layout->images->len > 0
         || file_fail (error, FILE_ERROR_UNSUPPORTED, layout->file->path, "holds no array that is an image: %s.",
                       layout->left_out->len ? layout->left_out->str : "nothing");
}

/* All bytes of an entry, unpacked. */
static FilesBytes *
unpack_entry (const Layout *layout, const char *name, guint64 size, GError **error)
{
  g_autofree Reader *reader = g_new0 (Reader, 1);
  g_autoptr (FilesBytes) bytes = NULL;
  struct archive_entry *entry;
  reader->file = layout->file;
  g_autoptr (Archive) archive = open_archive (reader, error);
  if (!archive)
    return NULL;
  while (archive_read_next_header (archive, &entry) == ARCHIVE_OK)
    if (!strcmp (name_of (entry), name)) {
      if (!(bytes = files_bytes_new (layout->file->path, size, error)))
        return NULL;
      if (read_entry (archive, bytes->memory.pixels, size) < size)
        break;
      host_slot_settle (&bytes->memory);
      return g_steal_pointer (&bytes);
    }
  file_fail (error, FILE_ERROR_DAMAGED, layout->file->path, "is damaged or truncated: its array %s cannot be unpacked.",
             name);
  return NULL;
}

/* ---- Functions of FileFormat ---- */

static void
layout_free (gpointer data)
{
  Layout *layout = data;
  g_clear_pointer (&layout->file, files_bytes_unref);
  g_ptr_array_unref (layout->images);
  g_ptr_array_unref (layout->names);
  g_string_free (layout->left_out, TRUE);
  g_free (layout);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Layout, layout_free)

static gboolean
read_array (Layout *layout, GError **error)
{
  g_autoptr (FilesPlain) to = files_plain_new (layout->file->path, error);
  g_autofree guint8 *head = g_malloc (LONGEST);
  const gsize n = (gsize) MIN (layout->file->size, LONGEST);
  if (!to || !read_header (to, head, files_bytes_read (layout->file, 0, head, n) ? n : 0, NULL, error)
      || !files_plain_finish (to, error))
    return FALSE;
  files_bytes_unref (layout->file);
  layout->file = files_bytes_ref (to->file);
  g_ptr_array_add (layout->images, g_steal_pointer (&to));
  return TRUE;
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (Layout) layout = g_new0 (Layout, 1);
  guint8 first = 0;
  (void) self;
  layout->images = g_ptr_array_new_with_free_func (files_plain_free);
  layout->names = g_ptr_array_new_with_free_func (g_free);
  layout->left_out = g_string_new (NULL);
  if (!(layout->file = files_bytes_open (path, error)))
    return NULL;
  files_bytes_read (layout->file, 0, &first, 1);
  return (first == 'P' ? read_container : read_array) (layout, error) ? g_steal_pointer (&layout) : NULL;
}

static guint
count (gconstpointer layout)
{
  return ((const Layout *) layout)->images->len;
}

static const char *
left_out (gconstpointer layout)
{
  return ((const Layout *) layout)->left_out->str;
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  return files_plain_describe (((const Layout *) layout)->images->pdata[n], 0, info, depends, error);
}

static Image *
open_array (gpointer data, guint n, GError **error)
{
  const Layout *layout = data;
  FilesPlain *image = layout->images->pdata[n];
  if (!layout->names->len)
    return files_plain_open (image, 0, error);
  if (!files_plain_can_be (image, layout->file->size, error))
    return NULL;
  g_autoptr (FilesBytes) bytes = unpack_entry (layout, layout->names->pdata[n], files_plain_bytes (image), error);
  return bytes ? files_plain_open_unpacked (image, bytes, error) : NULL;
}

static FileHash **
hash (gpointer layout, int *fd)
{
  FilesBytes *file = ((Layout *) layout)->file;
  *fd = file->fd;
  return &file->hash;
}

const FileFormat format_numpy = {
  .key = "numpy",
  .label = "NumPy",
  .endings = (const char *const[]){"npy", "npz", NULL},
  .mime = (const char *const[]){"application/x-npy", "application/x-npz", NULL},
  .is = is,
  .layout = layout_new,
  .free = layout_free,
  .count = count,
  .left_out = left_out,
  .describe = describe,
  .open = open_array,
  .hash = hash,
};
