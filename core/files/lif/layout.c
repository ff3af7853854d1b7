/* SPDX-License-Identifier: MIT
 */
#include "core/files/lif/layout.h"

#include <string.h>

enum {
  MAX_FILES = 10000, /* that a project may lead to */
  MAX_IMAGES = 1000000,
  MAX_TOLD = 8, /* of what is left out */
};

/* What is being read. */
typedef struct {
  FilesLifLayout *layout;
  GHashTable *known; /* paths of all files that references led to */
  guint left_out;
} Reader;

/* ---- Dimensions ---- */

gint64
files_lif_length (const FilesLifDimension *dimension)
{
  return dimension ? dimension->n : 1;
}

gint64
files_lif_combinations (const FilesLifDimension *const *dimensions)
{
  gint64 n = 1;
  for (; *dimensions; dimensions++)
    n *= (*dimensions)->n;
  return n;
}

void
files_lif_combination (const FilesLifDimension *const *dimensions, gint64 n, gint64 at[FILES_LIF_DIMENSIONS])
{
  for (guint i = 0; dimensions[i]; i++) {
    at[i] = n % dimensions[i]->n;
    n /= dimensions[i]->n;
  }
}

gint64
files_lif_offset (const FilesLifDimension *const *dimensions, gint64 n)
{
  gint64 at[FILES_LIF_DIMENSIONS], offset = 0;
  files_lif_combination (dimensions, n, at);
  for (guint i = 0; dimensions[i]; i++)
    offset += at[i] * dimensions[i]->step;
  return offset;
}

static gboolean
is_wave (const FilesLifDimension *d)
{
  return d->id == FILES_LIF_EMISSION || d->id == FILES_LIF_EXCITATION;
}

/* Along which rows may lie. */
static gboolean
is_plain (const FilesLifDimension *d)
{
  return d->id >= FILES_LIF_X && d->id <= FILES_LIF_T;
}

static void
add_to (const FilesLifDimension **list, const FilesLifDimension *d)
{
  while (*list)
    list++;
  *list = d;
}

static void
assign (FilesLifImage *image)
{
  const GArray *all = image->element->dimensions;
  for (guint i = 0; i < all->len; i++) {
    const FilesLifDimension *d = &g_array_index (all, FilesLifDimension, i);
    if (!image->columns)
      image->columns = d;
    else if (!image->rows && is_plain (d))
      image->rows = d;
    else if (is_wave (d))
      add_to (image->waves, d);
    else if (!image->frames && d->id == FILES_LIF_T)
      image->frames = d;
    else if (!image->slices && (d->id == FILES_LIF_Y || d->id == FILES_LIF_Z))
      image->slices = d;
    else
      add_to (image->others, d);
  }
}

/* ---- Checks ---- */

/* All return FALSE with *error. It names the image, not yet the file. */
static gboolean fault (const FilesLifImage *image, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);
static gboolean
fault (const FilesLifImage *image, GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FILE_ERROR, FILE_ERROR_DAMAGED, "image '%s' (%s)", image->path, text);
  return FALSE;
}

static gboolean
check_channels (FilesLifImage *image, GError **error)
{
  const GArray *all = image->element->channels;
  gint64 tags = 0;
  if (!all)
    return fault (image, error, "its XML names no channels");
  const FilesLifChannel *first = &g_array_index (all, FilesLifChannel, 0);
  image->number = (FilesNumber){.is_float = first->is_float, .swapped = G_BYTE_ORDER == G_BIG_ENDIAN};
  for (guint i = 0; i < all->len; i++) {
    const FilesLifChannel *c = &g_array_index (all, FilesLifChannel, i);
    const guint bytes = c->bits <= 8 ? 1 : c->bits <= 16 ? 2 : c->bits <= 32 ? 4 : 8;
    if (c->bits < 1 || c->bits > 64 || (c->is_float && (bytes == 1 || c->bits != bytes * 8)))
      return fault (image, error, "its XML has values of %" G_GINT64_FORMAT " bits", c->bits);
    if (c->at < 0)
      return fault (image, error, "its XML does not say where its channel %u is", i + 1);
    if ((i && bytes != image->number.bytes) || c->is_float != first->is_float)
      return fault (image, error, "its channels have pixels of different types");
    image->number.bytes = bytes;
    tags = tags * 4 + (c->tag & 3);
  }
  image->is_rgb = all->len == 3 && (tags == 1 * 16 + 2 * 4 + 3 || tags == 3 * 16 + 2 * 4 + 1);
  return TRUE;
}

/* Whether all pixels lie within a memory block of that size, and are no more than it can have. */
static gboolean
check_dimensions (const FilesLifImage *image, guint64 size, GError **error)
{
  const GArray *all = image->element->dimensions, *channels = image->element->channels;
  gint64 total = image->number.bytes, reach = 0, last = 0;
  gboolean possible = !__builtin_mul_overflow (total, (gint64) channels->len, &total);
  if (!all || all->len >= FILES_LIF_DIMENSIONS)
    return fault (image, error, "its XML has %u dimensions", all ? all->len : 0);
  for (guint i = 0; i < all->len; i++) {
    const FilesLifDimension *d = &g_array_index (all, FilesLifDimension, i);
    gint64 extent = 0;
    if (d->n < 1 || (d->n > 1 && d->step < image->number.bytes))
      return fault (image, error,
                    "its XML has a dimension of %" G_GINT64_FORMAT " elements %" G_GINT64_FORMAT " bytes apart", d->n,
                    d->step);
    possible = possible && !__builtin_mul_overflow (total, d->n, &total)
               && (d->n == 1 || !__builtin_mul_overflow (d->n - 1, d->step, &extent))
               && !__builtin_add_overflow (reach, extent, &reach);
  }
  for (guint i = 0; i < channels->len; i++)
    last = MAX (last, g_array_index (channels, FilesLifChannel, i).at);
  possible = possible && !__builtin_add_overflow (reach, last, &reach)
             && !__builtin_add_overflow (reach, (gint64) image->number.bytes, &reach);
  if (possible && (guint64) total <= size && (guint64) reach <= size)
    return TRUE;
  return fault (image, error, "its XML says more pixels than the %" G_GUINT64_FORMAT " bytes of its memory block hold",
                size);
}

/* The pieces that are of one block of a file. */
static gboolean
add_block (FilesLifImage *image, const FilesLifFile *file, guint64 first, GError **error)
{
  const FilesLifBlock *block = files_lif_file_block (file, image->element);
  if (!block)
    return fault (image, error, "its memory block '%s' is not in the file",
                  image->element->memory ? image->element->memory : "");
  if (block->at > file->bytes->size || block->size > file->bytes->size - block->at)
    return fault (image, error,
                  "its pixels should be %" G_GUINT64_FORMAT " bytes at byte %" G_GUINT64_FORMAT
                  ", the file ends at %" G_GUINT64_FORMAT,
                  block->size, block->at, file->bytes->size);
  const FilesLifPiece piece = {file->bytes, block->at, first, block->size};
  g_array_append_val (image->pieces, piece);
  return TRUE;
}

/* ---- Other files ---- */

/* Where a reference of a file leads to; what would leave its folder leads nowhere (NULL). Free with g_free(). */
static char *
path_of (const FilesLifFile *file, const char *reference)
{
  g_autofree char *plain = g_strdelimit (g_strdup (reference), "\\", '/');
  g_autofree char *name = g_uri_unescape_string (plain, NULL), *folder = g_path_get_dirname (file->bytes->path);
  const char *local = name ? name : plain;
  g_auto (GStrv) parts = g_strsplit (local, "/", -1);
  if (g_path_is_absolute (local) || g_strv_contains ((const char *const *) parts, ".."))
    return NULL;
  return g_build_filename (folder, g_str_has_prefix (local, "./") ? local + 2 : local, NULL);
}

/* A file that a reference leads to, which the layout keeps. NULL with *error. */
static FilesLifFile *
open_other (Reader *r, const FilesLifFile *from, const char *reference, GError **error)
{
  g_autofree char *path = path_of (from, reference);
  if (!path || r->layout->files->len >= MAX_FILES) {
    g_set_error (error, FILE_ERROR, FILE_ERROR_DAMAGED, "'%s' (%s)", reference,
                 path ? "there are too many files" : "it is outside of the folder");
    return NULL;
  }
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, FILE_ERROR, FILE_ERROR_MISSING, "'%s' (no such file)", reference);
    return NULL;
  }
  FilesLifFile *file = files_lif_file_open (path, error);
  if (file) {
    g_ptr_array_add (r->layout->files, file);
    g_ptr_array_add (r->layout->others, g_steal_pointer (&path));
  }
  return file;
}

static gint
compare_pieces (gconstpointer a, gconstpointer b)
{
  const FilesLifPiece *one = a, *other = b;
  return one->first < other->first ? -1 : one->first > other->first;
}

/* The pieces of an XLIF file, which are LOF files. */
static gboolean
add_parts (Reader *r, FilesLifImage *image, const FilesLifFile *file, GError **error)
{
  const GArray *parts = image->element->parts;
  for (guint i = 0; i < parts->len; i++) {
    const FilesLifPart *part = &g_array_index (parts, FilesLifPart, i);
    g_autoptr (GError) own = NULL;
    const char *dot = strrchr (part->file, '.');
    if (!dot || g_ascii_strcasecmp (dot, ".lof"))
      return fault (image, error, "its pixels are in '%s' and %u more: open these", part->file, parts->len - 1);
    const FilesLifFile *object = open_other (r, file, part->file, &own);
    if (!object)
      return fault (image, error, "its pixels cannot be had: %s", own->message);
    if (!add_block (image, object, (guint64) part->at, error))
      return FALSE;
  }
  g_array_sort (image->pieces, compare_pieces);
  return TRUE;
}

/* ---- Images ---- */

static void
image_free (gpointer data)
{
  FilesLifImage *image = data;
  g_array_unref (image->pieces);
  g_free (image->path);
  g_free (image);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesLifImage, image_free)

static gboolean
read_image (Reader *r, FilesLifImage *image, const FilesLifFile *file, GError **error)
{
  guint64 size = 0;
  if (!check_channels (image, error)
      || !(image->element->parts ? add_parts (r, image, file, error) : add_block (image, file, 0, error)))
    return FALSE;
  for (guint i = 0; i < image->pieces->len; i++) {
    const FilesLifPiece *piece = &g_array_index (image->pieces, FilesLifPiece, i);
    if (piece->first != size)
      return fault (image, error, "its pixels from byte %" G_GUINT64_FORMAT " on are in no file, or in two", size);
    size += piece->size;
  }
  if (!check_dimensions (image, size, error))
    return FALSE;
  assign (image);
  const guint first = files_lif_layout_count (r->layout);
  const gint64 count = files_lif_combinations (image->others);
  if (count > MAX_IMAGES - first)
    return fault (image, error, "it has %" G_GINT64_FORMAT " tiles, more than the %d images that can be opened", count,
                  MAX_IMAGES);
  image->first = first;
  image->count = (guint) count;
  return TRUE;
}

static void
leave_out (Reader *r, const char *what)
{
  GString *all = r->layout->left_out;
  if (++r->left_out > MAX_TOLD)
    return;
  g_string_append_printf (all, "%s%s", all->len ? ", " : "", what);
  if (g_str_has_suffix (what, "."))
    g_string_truncate (all, all->len - 1);
}

/* All images of a file and of those that it leads to. */
static void
read_file (Reader *r, const FilesLifFile *file)
{
  const GPtrArray *elements = file->xml->elements;
  for (guint i = 0; i < elements->len; i++) {
    const FilesLifElement *e = elements->pdata[i];
    g_autoptr (GError) error = NULL;
    if (e->reference) {
      g_autofree char *path = path_of (file, e->reference);
      const FilesLifFile *other =
        path && !g_hash_table_add (r->known, g_strdup (path)) ? NULL : open_other (r, file, e->reference, &error);
      if (other)
        read_file (r, other);
    } else if (e->is_image) {
      g_autoptr (FilesLifImage) image = g_new0 (FilesLifImage, 1);
      image->element = e;
      image->path = files_lif_element_path (e);
      image->pieces = g_array_new (FALSE, FALSE, sizeof (FilesLifPiece));
      if (read_image (r, image, file, &error))
        g_ptr_array_add (r->layout->images, g_steal_pointer (&image));
    } else if (e->has_memory) {
      g_autofree char *name = files_lif_element_path (e), *what = g_strdup_printf ("'%s' (not an image)", name);
      leave_out (r, what);
    }
    if (error)
      leave_out (r, error->message);
  }
}

/* ---- The whole ---- */

FilesLifLayout *
files_lif_layout_new (const char *path, GError **error)
{
  g_autoptr (FilesLifLayout) layout = g_new0 (FilesLifLayout, 1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reader r = {layout, known, 0};
  FilesLifFile *file = files_lif_file_open (path, error);
  if (!file)
    return NULL;
  layout->files = g_ptr_array_new_with_free_func ((GDestroyNotify) files_lif_file_free);
  layout->images = g_ptr_array_new_with_free_func (image_free);
  layout->others = g_ptr_array_new_with_free_func (g_free);
  layout->left_out = g_string_new (NULL);
  g_ptr_array_add (layout->files, file);
  g_hash_table_add (known, g_strdup (path));
  read_file (&r, file);
  if (r.left_out > MAX_TOLD)
    g_string_append_printf (layout->left_out, ", and %u more", r.left_out - MAX_TOLD);
  if (layout->images->len)
    return g_steal_pointer (&layout);
  if (r.left_out)
    file_fail (error, FILE_ERROR_DAMAGED, path, "has no image that can be opened: %s.", layout->left_out->str);
  else
    file_fail (error, FILE_ERROR_FORMAT, path, "has no images.");
  return NULL;
}

void
files_lif_layout_free (FilesLifLayout *layout)
{
  if (layout->files) {
    g_ptr_array_unref (layout->images);
    g_ptr_array_unref (layout->files);
    g_ptr_array_unref (layout->others);
    g_string_free (layout->left_out, TRUE);
  }
  g_free (layout);
}

guint
files_lif_layout_count (const FilesLifLayout *layout)
{
  const GPtrArray *images = layout->images;
  const FilesLifImage *last = images->len ? images->pdata[images->len - 1] : NULL;
  return last ? last->first + last->count : 0;
}

const FilesLifImage *
files_lif_layout_image (const FilesLifLayout *layout, guint n)
{
  guint low = 0, high = layout->images->len - 1;
  while (low < high) {
    const guint middle = (low + high + 1) / 2;
    if (((const FilesLifImage *) layout->images->pdata[middle])->first <= n)
      low = middle;
    else
      high = middle - 1;
  }
  return layout->images->pdata[low];
}
