/* SPDX-License-Identifier: MIT
 *
 * MetaImage of ITK (.mha, .mhd): lines "Key = value", of which the last is ElementDataFile. Sizes are in mm. Coordinates grow to the left, to the back
 * and upward. Axes are x, y, z, time; the channels of a pixel are behind each other.
 */
#include "core/files/volumes/metaimage.h"

#include "core/files/shared/header_text.h"
#include "core/files/shared/space.h"

#include <math.h>
#include <string.h>

enum { AXES = 4 };

typedef struct {
  FilesLines lines;
  GHashTable *fields;
  gint64 axes;
} Header;

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  g_autofree char *text = g_strndup ((const char *) head, n);
  (void) self, (void) path;
  return (g_str_has_prefix (text, "ObjectType") || g_str_has_prefix (text, "NDims")
          || g_str_has_prefix (text, "Comment"))
         && strchr (text, '=') && strstr (text, "NDims");
}

static void
header_clear (Header *h)
{
  g_free (h->lines.text);
  g_hash_table_unref (h->fields);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Header, header_clear)

static const char *
field (const Header *h, const char *name)
{
  return g_hash_table_lookup (h->fields, name);
}

/* The value of one of several keys. */
static const char *
field_of (const Header *h, const char *const *names)
{
  const char *value = NULL;
  for (; *names && !value; names++)
    value = field (h, *names);
  return value;
}

static gboolean
is_true (const Header *h, const char *name)
{
  const char *value = field (h, name);
  return value && (*value == 'T' || *value == 't' || *value == '1');
}

static gboolean
damaged (const FilesPlain *to, const Header *h, const char *name, GError **error)
{
  const char *value = field (h, name);
  if (!value)
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path, "is damaged: its header has no '%s'.", name);
  return file_fail (error, FILE_ERROR_DAMAGED, to->file->path,
                    "is damaged: its header has '%s = %.40s', which cannot be.", name, value);
}

static void
read_lines (Header *h, FilesPlain *to)
{
  while (!field (h, "ElementDataFile")) {
    g_autofree char *line = files_lines_next (&h->lines);
    char *equal = line ? strchr (line, '=') : NULL;
    if (!line)
      return;
    if (!equal)
      continue;
    char *key = g_strstrip (g_strndup (line, (gsize) (equal - line))), *value = g_strstrip (g_strdup (equal + 1));
    files_plain_say (to, key, "%s", value);
    g_hash_table_replace (h->fields, key, value);
  }
}

/* ---- What is stored ---- */

static gboolean
set_type (const Header *h, FilesPlain *to, GError **error)
{
  static const struct {
    const char *name;
    FilesNumber number;
  } types[] = {
    {"MET_CHAR", {.bytes = 1, .is_signed = TRUE}},      {"MET_UCHAR", {.bytes = 1}},
    {"MET_SHORT", {.bytes = 2, .is_signed = TRUE}},     {"MET_USHORT", {.bytes = 2}},
    {"MET_INT", {.bytes = 4, .is_signed = TRUE}},       {"MET_UINT", {.bytes = 4}},
    {"MET_LONG_LONG", {.bytes = 8, .is_signed = TRUE}}, {"MET_ULONG_LONG", {.bytes = 8}},
    {"MET_LONG", {.bytes = 4, .is_signed = TRUE}},      {"MET_ULONG", {.bytes = 4}},
    {"MET_FLOAT", {.bytes = 4, .is_float = TRUE}},      {"MET_DOUBLE", {.bytes = 8, .is_float = TRUE}},
  };
  const char *type = field (h, "ElementType");
  const gboolean big = is_true (h, "BinaryDataByteOrderMSB") || is_true (h, "ElementByteOrderMSB");
  for (guint i = 0; type && i < G_N_ELEMENTS (types); i++)
    if (!strcmp (types[i].name, type))
      to->blocks.number = types[i].number;
  if (!to->blocks.number.bytes)
    return damaged (to, h, "ElementType", error);
  to->blocks.number.swapped = to->blocks.number.bytes > 1 && big != (G_BYTE_ORDER == G_BIG_ENDIAN);
  return TRUE;
}

static gboolean
set_sizes (Header *h, FilesPlain *to, GError **error)
{
  gint64 *const sizes[] = {&to->info.columns, &to->info.rows, &to->info.depth, &to->info.frames};
  const char *dims = field (h, "NDims"), *size = field (h, "DimSize"), *channels = field (h, "ElementNumberOfChannels");
  gint64 n[AXES];
  if (!dims || !files_integers (dims, &h->axes, 1) || h->axes < 1 || h->axes > AXES)
    return damaged (to, h, "NDims", error);
  if (!size || !files_integers (size, n, (guint) h->axes))
    return damaged (to, h, "DimSize", error);
  for (gint64 i = 0; i < h->axes; i++)
    if ((*sizes[i] = n[i]) < 1)
      return damaged (to, h, "DimSize", error);
  if (channels
      && (!files_integers (channels, &to->info.channels, 1) || to->info.channels < 1 || to->info.channels > G_MAXINT16))
    return damaged (to, h, "ElementNumberOfChannels", error);
  if (!image_info_check (&to->info, error))
    return FALSE;
  files_blocks_set_dense (&to->blocks, &to->info, (guint) to->info.channels);
  if (to->info.channels == 3 && files_number_type (&to->blocks.number) == FV_U8)
    files_plain_set_colors (to, 3);
  return TRUE;
}

static void
set_space (const Header *h, FilesPlain *to)
{
  FilesSpace space = {.toward = "LPS"};
  const guint n = (guint) MIN (h->axes, 3);
  double spacing[AXES] = {1, 1, 1, 1}, matrix[AXES * AXES] = {0}, first[AXES] = {0};
  const char *sizes = field_of (h, (const char *const[]){"ElementSpacing", "ElementSize", NULL});
  const char *offset = field_of (h, (const char *const[]){"Offset", "Position", "Origin", NULL});
  const char *axes = field_of (h, (const char *const[]){"TransformMatrix", "Rotation", "Orientation", NULL});
  const gboolean spaced = sizes && files_numbers (sizes, spacing, (guint) h->axes) == (guint) h->axes;
  for (guint i = 0; i < n; i++)
    files_plain_set_spacing (to, 2 - i, spaced ? fabs (spacing[i]) : 0, "mm");
  if (!offset || files_numbers (offset, first, (guint) h->axes) != (guint) h->axes)
    return;
  const gboolean turned =
    axes && files_numbers (axes, matrix, (guint) (h->axes * h->axes)) == (guint) (h->axes * h->axes);
  for (guint i = 0; i < 3; i++) {
    for (guint k = 0; k < 3; k++)
      space.axes[i][k] =
        (turned && i < n && k < n ? matrix[i * (guint) h->axes + k] : i == k) * (i < n ? spacing[i] : 1);
    space.first[i] = i < n ? first[i] : 0;
  }
  files_space_keep (&space, to);
}

/* ---- Where the pixels are ---- */

/* The names behind "LIST". */
static gboolean
add_list (Header *h, FilesPlain *to, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (char *line; (line = files_lines_next (&h->lines)); g_free (line))
    if (*g_strstrip (line))
      g_strv_builder_add (builder, line);
  g_auto (GStrv) names = g_strv_builder_end (builder);
  return (*names || damaged (to, h, "ElementDataFile", error)) && files_plain_add_list (to, names, error);
}

static gboolean
add_files (Header *h, FilesPlain *to, GError **error)
{
  const char *name = field (h, "ElementDataFile");
  gint64 numbers[3];
  if (!name)
    return damaged (to, h, "ElementDataFile", error);
  if (!g_ascii_strcasecmp (name, "LOCAL"))
    return TRUE;
  if (g_str_has_prefix (name, "LIST"))
    return add_list (h, to, error);
  g_auto (GStrv) words = g_strsplit (name, " ", -1), names = NULL;
  if (g_strv_length (words) == 4 && files_integers (words[1], numbers, 1) && files_integers (words[2], numbers + 1, 1)
      && files_integers (words[3], numbers + 2, 1))
    names = files_pattern_names (words[0], numbers[0], numbers[1], numbers[2]);
  const char *const one[] = {name, NULL};
  return files_plain_add_list (to, names ? names : (char *const *) one, error);
}

static gboolean
set_pixels (Header *h, FilesPlain *to, GError **error)
{
  const char *header = field (h, "HeaderSize"), *packed = field (h, "CompressedDataSize");
  gint64 skip = 0, size = 0;
  if (header && (!files_integers (header, &skip, 1) || skip < -1))
    return damaged (to, h, "HeaderSize", error);
  if (packed && (!files_integers (packed, &size, 1) || size < 0))
    return damaged (to, h, "CompressedDataSize", error);
  if (!add_files (h, to, error))
    return FALSE;
  const gboolean compressed = is_true (h, "CompressedData"),
                 text = field (h, "BinaryData") && !is_true (h, "BinaryData");
  FilesBytes *data = to->data->len ? to->data->pdata[0] : to->file;
  const guint64 all =
    (guint64) (image_info_planes (&to->info) * to->info.rows * to->info.columns) * to->blocks.number.bytes;
  guint64 at = to->data->len ? 0 : h->lines.at;
  if (to->data->len > 1 && (compressed || text))
    return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                      "has its pixels in several packed files, which cannot be read; save it as one file.");
  if (skip == -1 && (compressed || text || to->data->len > 1 || all > data->size))
    return damaged (to, h, "HeaderSize", error);
  at = skip == -1 ? data->size - all : at + (guint64) skip;
  to->packing = compressed ? FILES_PACKED : text ? FILES_TEXT : FILES_PLAIN;
  to->packed_at = at;
  to->packed = size && at <= data->size ? MIN ((guint64) size, data->size - at) : data->size - MIN (at, data->size);
  to->blocks.at = compressed || text ? 0 : at;
  if (text)
    to->blocks.number.swapped = FALSE;
  return to->data->len < 2 || files_plain_spread (to, at, error);
}

/* ---- The layout ---- */

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (FilesPlain) to = files_plain_new (path, error);
  (void) self;
  if (!to)
    return NULL;
  g_auto (Header) h = {.fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free)};
  files_lines_init (&h.lines, to->file);
  read_lines (&h, to);
  if (!set_type (&h, to, error) || !set_sizes (&h, to, error) || !set_pixels (&h, to, error))
    return NULL;
  set_space (&h, to);
  return files_plain_finish (to, error) ? g_steal_pointer (&to) : NULL;
}

const FileFormat format_metaimage = {
  .key = "metaimage",
  .label = "MetaImage",
  .endings = (const char *const[]){"mha", "mhd", NULL},
  .mime = (const char *const[]){"application/x-metaimage", NULL},
  .is = is,
  .layout = layout_new,
  FILES_PLAIN_FUNCTIONS,
};
