/* SPDX-License-Identifier: MIT
 *
 * NRRD (teem.sourceforge.net/nrrd/format.html): a header of lines "field: value" up to an empty one, and pixels behind it or in other files. The
 * first axis is the fastest. Axes of space are x, y, z; a fourth one, or one of kind "time", is frames; any other kind is channels.
 */
#include "core/files/volumes/nrrd.h"

#include "core/files/shared/bzip2.h"
#include "core/files/shared/header_text.h"
#include "core/files/shared/space.h"

#include <math.h>
#include <string.h>

enum { AXES = 8 };

typedef struct {
  FilesLines lines;
  GHashTable *fields; /* by their names in lower case without blanks */
  GPtrArray *list;    /* names of files behind "data file: LIST" */
  gint64 axes, sizes[AXES];
  guint where[AXES]; /* what the axis is: an index into FilesBlocks.strides */
} Header;

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self, (void) path;
  return n >= 8 && !memcmp (head, "NRRD000", 7);
}

static void
header_clear (Header *h)
{
  g_free (h->lines.text);
  g_hash_table_unref (h->fields);
  g_ptr_array_unref (h->list);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Header, header_clear)

static gboolean
damaged (const FilesPlain *to, const char *field, const char *value, GError **error)
{
  if (!value)
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path, "is damaged: its header has no '%s'.", field);
  return file_fail (error, FILE_ERROR_DAMAGED, to->file->path,
                    "is damaged: its header has '%s: %.40s', which cannot be.", field, value);
}

/* ---- Lines ---- */

/* "spacedirections" for "Space Directions". */
static char *
name_of_field (const char *text, gsize n)
{
  GString *name = g_string_new (NULL);
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isspace (text[i]))
      g_string_append_c (name, g_ascii_tolower (text[i]));
  return g_string_free (name, FALSE);
}

/* Whether the lines that follow are names of files. */
static gboolean
is_list (const Header *h)
{
  const char *data = g_hash_table_lookup (h->fields, "datafile");
  return data && g_str_has_prefix (data, "LIST");
}

static void
read_line (Header *h, FilesPlain *to, const char *line)
{
  const char *colon = strchr (line, ':');
  if (is_list (h)) {
    g_ptr_array_add (h->list, g_strdup (line));
    return;
  }
  if (*line == '#' || !colon)
    return;
  const gboolean is_field = colon[1] != '=';
  g_autofree char *value = g_strstrip (g_strdup (colon + (is_field ? 1 : 2)));
  g_autofree char *key = g_strndup (line, (gsize) (colon - line));
  files_plain_say (to, key, "%s", value);
  if (is_field)
    g_hash_table_replace (h->fields, name_of_field (line, (gsize) (colon - line)), g_steal_pointer (&value));
}

/* Up to the empty line, or the end of the file. */
static void
read_lines (Header *h, FilesPlain *to)
{
  g_autofree char *line = files_lines_next (&h->lines);
  while (line && *line) {
    g_free (line);
    line = files_lines_next (&h->lines);
    if (line && *line)
      read_line (h, to, line);
  }
}

static const char *
field (const Header *h, const char *name)
{
  return g_hash_table_lookup (h->fields, name);
}

/* The n words of a field, "..." being one; NULL: it has not so many, or is not there. */
static char **
words_of (const Header *h, const char *name, gint64 n)
{
  const char *text = field (h, name);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  for (gint64 i = 0; text && i < n; i++) {
    text += strspn (text, " \t");
    const char *end = *text == '"' ? strchr (text + 1, '"') : *text == '(' ? strchr (text, ')') : NULL;
    const gsize length = end ? (gsize) (end + 1 - text) : strcspn (text, " \t");
    if (!length)
      return NULL;
    g_autofree char *word = *text == '"' && end ? g_strndup (text + 1, length - 2) : g_strndup (text, length);
    g_strv_builder_add (words, word);
    text += length;
  }
  return text ? g_strv_builder_end (words) : NULL;
}

/* ---- What is stored ---- */

static gboolean
set_type (const Header *h, FilesPlain *to, GError **error)
{
  static const struct {
    const char *names; /* with a bar before and behind each */
    FilesNumber number;
  } types[] = {
    {"|signed char|int8|int8_t|", {.bytes = 1, .is_signed = TRUE}},
    {"|uchar|unsigned char|uint8|uint8_t|", {.bytes = 1}},
    {"|short|short int|signed short|signed short int|int16|int16_t|", {.bytes = 2, .is_signed = TRUE}},
    {"|ushort|unsigned short|unsigned short int|uint16|uint16_t|", {.bytes = 2}},
    {"|int|signed int|int32|int32_t|", {.bytes = 4, .is_signed = TRUE}},
    {"|uint|unsigned int|uint32|uint32_t|", {.bytes = 4}},
    {"|longlong|long long|long long int|signed long long|signed long long int|int64|int64_t|",
     {.bytes = 8, .is_signed = TRUE}},
    {"|ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t|", {.bytes = 8}},
    {"|float|", {.bytes = 4, .is_float = TRUE}},
    {"|double|", {.bytes = 8, .is_float = TRUE}},
  };
  const char *type = field (h, "type"), *endian = field (h, "endian");
  g_autofree char *name = g_strdup_printf ("|%s|", type ? type : "");
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strstr (types[i].names, name))
      to->blocks.number = types[i].number;
  if (!to->blocks.number.bytes)
    return type && !strcmp (type, "block") ? file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                                                        "has pixels of type block, which cannot be read.")
                                           : damaged (to, "type", type, error);
  const gboolean big = endian && !g_ascii_strcasecmp (endian, "big");
  to->blocks.number.swapped = to->blocks.number.bytes > 1 && big != (G_BYTE_ORDER == G_BIG_ENDIAN);
  return TRUE;
}

/* Which axis of the image each axis is. */
static gboolean
assign_axes (Header *h, FilesPlain *to, GError **error)
{
  static const guint of_space[] = {4, 3, 2, 0, 1};
  g_auto (GStrv) kinds = words_of (h, "kinds", h->axes), directions = words_of (h, "spacedirections", h->axes);
  gint64 *const sizes[] = {&to->info.frames, &to->info.channels, &to->info.depth, &to->info.rows, &to->info.columns};
  guint space = 0;
  for (gint64 i = 0; i < h->axes; i++) {
    const char *kind = kinds ? kinds[i] : "???";
    const gboolean domain =
      !strcmp (kind, "???") || !strcmp (kind, "none") || !strcmp (kind, "domain") || !strcmp (kind, "space");
    const gboolean off = directions && !strcmp (directions[i], "none");
    if (!strcmp (kind, "complex"))
      return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                        "has complex pixels, which cannot be read; save their magnitude.");
    if (!strcmp (kind, "time") || (off && domain && i == h->axes - 1 && i > 1))
      h->where[i] = 0;
    else if (off || !domain)
      h->where[i] = 1;
    else
      h->where[i] = space < G_N_ELEMENTS (of_space) ? of_space[space++] : 1;
    if (*sizes[h->where[i]] != 1)
      return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                        "has more axes than columns, rows, slices, channels and frames.");
    *sizes[h->where[i]] = h->sizes[i];
    if (h->where[i] == 1
        && ((!strcmp (kind, "RGB-color") && h->sizes[i] == 3) || (!strcmp (kind, "RGBA-color") && h->sizes[i] == 4)))
      files_plain_set_colors (to, (guint) h->sizes[i]);
  }
  return TRUE;
}

static gboolean
set_sizes (Header *h, FilesPlain *to, GError **error)
{
  const char *dimension = field (h, "dimension"), *sizes = field (h, "sizes");
  gint64 step = to->blocks.number.bytes;
  if (!dimension || !files_integers (dimension, &h->axes, 1) || h->axes < 1 || h->axes > AXES)
    return damaged (to, "dimension", dimension, error);
  if (!sizes || !files_integers (sizes, h->sizes, (guint) h->axes))
    return damaged (to, "sizes", sizes, error);
  for (gint64 i = 0; i < h->axes; i++)
    if (h->sizes[i] < 1)
      return damaged (to, "sizes", sizes, error);
  if (!assign_axes (h, to, error) || !image_info_check (&to->info, error))
    return FALSE;
  files_blocks_set_dense (&to->blocks, &to->info, 1); /* of axes of one pixel */
  for (gint64 i = 0; i < h->axes; i++) {
    to->blocks.strides[h->where[i]] = step;
    step *= h->sizes[i];
  }
  return TRUE;
}

/* ---- Space ---- */

/* The unit of axis i; "mm" where the space is a patient's and none is given. */
static char *
unit_of (char *const *units, gint64 i, gboolean patient)
{
  return units && *units[i] ? g_strdup (units[i]) : g_strdup (patient ? "mm" : "");
}

static void
set_space (const Header *h, FilesPlain *to)
{
  static const struct {
    const char *names, *toward;
  } spaces[] = {{"|right-anterior-superior|RAS|right-anterior-superior-time|RAST|", "RAS"},
                {"|left-anterior-superior|LAS|left-anterior-superior-time|LAST|", "LAS"},
                {"|left-posterior-superior|LPS|left-posterior-superior-time|LPST|", "LPS"}};
  FilesSpace space = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  g_auto (GStrv) spacings = words_of (h, "spacings", h->axes), units = words_of (h, "units", h->axes),
                 directions = words_of (h, "spacedirections", h->axes), space_units = words_of (h, "spaceunits", 3);
  g_autofree char *name = g_strdup_printf ("|%s|", field (h, "space") ? field (h, "space") : "");
  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (strstr (spaces[i].names, name))
      g_strlcpy (space.toward, spaces[i].toward, sizeof space.toward);
  const gboolean patient = *space.toward != 0;
  gboolean in_space = directions != NULL;
  for (gint64 i = 0; i < h->axes; i++) {
    const guint where = h->where[i];
    double v[3] = {0}, size = NAN;
    const guint n = directions ? files_numbers (directions[i], v, 3) : 0;
    if (where == 0 && spacings && units && units[i][0]) {
      to->info.frame_interval = g_ascii_strtod (spacings[i], NULL);
      to->info.frame_unit = g_strdup (units[i]);
    }
    if (where < 2)
      continue;
    if (n > 0)
      size = sqrt (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    else if (spacings)
      size = g_ascii_strtod (spacings[i], NULL);
    g_autofree char *unit = unit_of (n > 0 ? space_units : units, n > 0 ? 4 - (gint64) where : i, patient);
    files_plain_set_spacing (to, where - 2, size, unit);
    in_space = in_space && n == 3;
    memcpy (space.axes[4 - where], v, sizeof v);
  }
  if (in_space && field (h, "spaceorigin") && files_numbers (field (h, "spaceorigin"), space.first, 3) == 3)
    files_space_keep (&space, to);
  if (!(isfinite (to->info.frame_interval) && to->info.frame_interval > 0)) {
    to->info.frame_interval = 0;
    g_clear_pointer (&to->info.frame_unit, g_free);
  }
}

/* ---- Where the pixels are ---- */

static gboolean
add_files (Header *h, FilesPlain *to, GError **error)
{
  const char *text = field (h, "datafile");
  g_auto (GStrv) words = text ? g_strsplit_set (text, " \t", -1) : NULL;
  gint64 numbers[3];
  if (!text)
    return TRUE;
  if (g_str_has_prefix (text, "LIST")) {
    g_ptr_array_add (h->list, NULL);
    return (h->list->len > 1 || damaged (to, "data file", text, error))
           && files_plain_add_list (to, (char *const *) h->list->pdata, error);
  }
  g_auto (GStrv) names = NULL;
  if (g_strv_length (words) >= 4 && files_integers (words[1], numbers, 1) && files_integers (words[2], numbers + 1, 1)
      && files_integers (words[3], numbers + 2, 1))
    names = files_pattern_names (words[0], numbers[0], numbers[1], numbers[2]);
  const char *const one[] = {text, NULL};
  return files_plain_add_list (to, names ? names : (char *const *) one, error);
}

/* Behind so many lines of the file. */
static gboolean
skip_lines (FilesBytes *file, gint64 lines, guint64 *at)
{
  guint8 piece[4096];
  while (lines > 0 && *at < file->size) {
    const gsize n = (gsize) MIN (sizeof piece, file->size - *at);
    gsize i = 0;
    if (!files_bytes_read (file, *at, piece, n))
      return FALSE;
    while (i < n && lines > 0)
      lines -= piece[i++] == '\n';
    *at += i;
  }
  return lines == 0;
}

static gboolean
set_packing (const Header *h, FilesPlain *to, GError **error)
{
  static const struct {
    const char *name;
    FilesPacking packing;
  } encodings[] = {{"raw", FILES_PLAIN}, {"ascii", FILES_TEXT},  {"text", FILES_TEXT},
                   {"txt", FILES_TEXT},  {"hex", FILES_HEX},     {"gzip", FILES_PACKED},
                   {"gz", FILES_PACKED}, {"bzip2", FILES_BZIP2}, {"bz2", FILES_BZIP2}};
  const char *encoding = field (h, "encoding");
  if (!encoding)
    return damaged (to, "encoding", NULL, error);
  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    if (!g_ascii_strcasecmp (encoding, encodings[i].name)) {
      to->packing = encodings[i].packing;
      return to->packing != FILES_BZIP2 || files_bzip2_can (to->file->path, error);
    }
  return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                    "is packed as %.20s, which cannot be read; save it with raw or gzip as encoding.", encoding);
}

/* Lines are skipped in the file, then bytes: of what gzip or bzip2 unpacks to, or else of the file. */
static gboolean
set_pixels (Header *h, FilesPlain *to, GError **error)
{
  const char *skip = field (h, "byteskip"), *skip_line = field (h, "lineskip");
  gint64 bytes = 0, lines = 0;
  if (skip && (!files_integers (skip, &bytes, 1) || bytes < -1))
    return damaged (to, "byte skip", skip, error);
  if (skip_line && (!files_integers (skip_line, &lines, 1) || lines < 0))
    return damaged (to, "line skip", skip_line, error);
  if (!set_packing (h, to, error) || !add_files (h, to, error))
    return FALSE;
  const gboolean text = to->packing == FILES_TEXT || to->packing == FILES_HEX;
  FilesBytes *data = to->data->len ? to->data->pdata[0] : to->file;
  guint64 at = to->data->len ? 0 : h->lines.at;
  if (to->data->len > 1 && to->packing != FILES_PLAIN)
    return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path,
                      "has its pixels in several packed files, which cannot be read; save it as one file.");
  if (!skip_lines (data, lines, &at))
    return damaged (to, "line skip", skip_line, error);
  const guint64 all =
    (guint64) (image_info_planes (&to->info) * to->info.rows * to->info.columns) * to->blocks.number.bytes;
  if (bytes < 0 && (to->packing != FILES_PLAIN || all > data->size))
    return damaged (to, "byte skip", skip, error);
  at += text ? (guint64) bytes : 0;
  to->packed_at = at;
  to->packed = data->size - MIN (at, data->size);
  if (to->packing == FILES_PLAIN)
    to->blocks.at = bytes < 0 ? data->size - all : at + (guint64) bytes;
  else
    to->blocks.at = text ? 0 : (guint64) bytes;
  if (to->packing == FILES_TEXT)
    to->blocks.number.swapped = FALSE;
  return to->data->len < 2 || files_plain_spread (to, to->blocks.at, error);
}

/* ---- The layout ---- */

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (FilesPlain) to = files_plain_new (path, error);
  (void) self;
  if (!to)
    return NULL;
  g_auto (Header) h = {.fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                       .list = g_ptr_array_new_with_free_func (g_free)};
  files_lines_init (&h.lines, to->file);
  read_lines (&h, to);
  if (!set_type (&h, to, error) || !set_sizes (&h, to, error) || !set_pixels (&h, to, error))
    return NULL;
  set_space (&h, to);
  return files_plain_finish (to, error) ? g_steal_pointer (&to) : NULL;
}

const FileFormat format_nrrd = {
  .key = "nrrd",
  .label = "NRRD",
  .endings = (const char *const[]){"nrrd", "nhdr", NULL},
  .mime = (const char *const[]){"application/x-nrrd", NULL},
  .is = is,
  .layout = layout_new,
  FILES_PLAIN_FUNCTIONS,
};
