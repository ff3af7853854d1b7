/* SPDX-License-Identifier: MIT
 *
 * A row of pixels is a line of numbers, all with as many. Text of other kinds has the same endings. So a file must have one of them, or be without an ending
 * as a pipe is, and begin with nothing but numbers. Pixels are 32-bit floats, as in ImageJ, or 64-bit floats if a number has more digits.
 */
#include "core/files/text/text_image.h"

#include "core/base/file_name.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/files/shared/plain.h"
#include "core/files/text/text_cells.h"
#include "core/files/text/text_image_write.h"

#include <string.h>

enum {
  PIECE = 1 << 16, /* bytes that are read at a time */
  GROUP = 64       /* rows of which one thread reads the numbers */
};

typedef struct {
  FilesPlain *plain;
  GArray *starts; /* guint64: where the line of each GROUP-th row begins */
  char separator;
} Layout;

/* ---- Lines ---- */

typedef struct {
  FilesBytes *file;
  guint64 at;    /* of the next piece */
  GString *text; /* what was read, from the next line on */
  gsize next;
} Lines;

static void
lines_clear (Lines *lines)
{
  g_string_free (lines->text, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lines, lines_clear)

static gboolean
read_piece (Lines *l)
{
  const gsize n = (gsize) MIN (PIECE, l->file->size - l->at), had = l->text->len - l->next;
  g_string_erase (l->text, 0, (gssize) l->next);
  l->next = 0;
  g_string_set_size (l->text, had + n);
  if (!n || progress_stopped (NULL) || !files_bytes_read (l->file, l->at, l->text->str + had, n)) {
    g_string_set_size (l->text, had);
    return FALSE;
  }
  l->at += n;
  return TRUE;
}

/* The next line with a null byte in place of its end, valid until the next one is asked for, and where it begins. NULL: there is none. */
static const char *
next_line (Lines *l, guint64 *start)
{
  char *end;
  gsize looked = 0;
  while (!(end = memchr (l->text->str + l->next + looked, '\n', l->text->len - l->next - looked))) {
    looked = l->text->len - l->next;
    if (!read_piece (l))
      break;
  }
  char *line = l->text->str + l->next;
  const gsize n = end ? (gsize) (end - line) : l->text->len - l->next;
  if (!n && !end)
    return NULL;
  *start = l->at - (l->text->len - l->next);
  line[n] = 0;
  if (n && line[n - 1] == '\r')
    line[n - 1] = 0;
  l->next += n + (end != NULL);
  return line;
}

/* ---- Which files ---- */

/* FALSE: the name has another ending. */
static gboolean
has_name (const char *path)
{
  g_autofree char *name = file_name_short (path);
  const char *dot = strrchr (name, '.');
  for (const char *const *ending = format_text.endings; dot && *ending; ending++)
    if (!g_ascii_strcasecmp (dot + 1, *ending))
      return TRUE;
  return !dot;
}

/* The first line with numbers of what a file begins with. Of an incomplete line the last word is left out. NULL: there is none. Free with g_free(). */
static char *
first_line (const guint8 *head, gsize n)
{
  const char *text = (const char *) head, *end = text + n;
  text += n >= 3 && !memcmp (head, "\xef\xbb\xbf", 3) ? 3 : 0;
  while (text < end) {
    const char *stop = memchr (text, '\n', (gsize) (end - text));
    g_autofree char *line = g_strchomp (g_strndup (text, (gsize) ((stop ? stop : end) - text)));
    char *cut = !stop && n == FORMAT_HEAD ? strrchr (line, text_cells_separator (line)) : NULL;
    if (cut)
      *cut = 0;
    if (!text_cells_is_empty (line))
      return g_steal_pointer (&line);
    text = stop ? stop + 1 : end;
  }
  return NULL;
}

static gboolean
is_numbers (const char *line, char **word)
{
  TextCells cells = {line, text_cells_separator (line), FALSE};
  TextCell cell;
  while (text_cells_next (&cells, &cell))
    continue;
  if (cells.fails && word)
    *word = text_cells_word (&cells);
  return !cells.fails;
}

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self;
  if (!n || memchr (head, 0, n) || !has_name (path))
    return FALSE;
  g_autofree char *line = first_line (head, n);
  return line && is_numbers (line, NULL);
}

/* ---- Layouts ---- */

static gboolean
wrong_cell (const Layout *layout, const TextCells *cells, guint64 number, GError **error)
{
  g_autofree char *word = text_cells_word (cells);
  if (!*word)
    return file_fail (error, FILE_ERROR_DAMAGED, layout->plain->file->path,
                      "is not a table of numbers: a value is missing in line %" G_GUINT64_FORMAT ".", number);
  return file_fail (error, FILE_ERROR_DAMAGED, layout->plain->file->path,
                    "is not a table of numbers: line %" G_GUINT64_FORMAT " has '%s'.", number, word);
}

/* How many numbers the line has; -1 with *error. */
static gint64
count_cells (const Layout *layout, const char *line, guint64 number, gboolean *is_wide, GError **error)
{
  TextCells cells = {line, layout->separator, FALSE};
  TextCell cell;
  gint64 n = 0;
  for (; text_cells_next (&cells, &cell); n++)
    *is_wide |= cell.is_wide;
  if (!cells.fails)
    return n;
  wrong_cell (layout, &cells, number, error);
  return -1;
}

/* Counts rows and columns. */
static gboolean
scan (Layout *layout, gboolean *is_wide, GError **error)
{
  g_auto (Lines) lines = {.file = layout->plain->file, .text = g_string_new (NULL)};
  ImageInfo *info = &layout->plain->info;
  guint64 number = 0, start;
  const char *line;
  info->rows = 0;
  while ((line = next_line (&lines, &start))) {
    number++;
    if (number == 1 && g_str_has_prefix (line, "\xef\xbb\xbf")) {
      line += 3;
      start += 3;
    }
    if (text_cells_is_empty (line))
      continue;
    if (!info->rows)
      layout->separator = text_cells_separator (line);
    const gint64 n = count_cells (layout, line, number, is_wide, error);
    if (n < 0)
      return FALSE;
    if (info->rows && n != info->columns)
      return file_fail (error, FILE_ERROR_DAMAGED, layout->plain->file->path,
                        "is not a table of numbers: line %" G_GUINT64_FORMAT " has %" G_GINT64_FORMAT
                        " of them, lines before it have %" G_GINT64_FORMAT ".",
                        number, n, info->columns);
    info->columns = n;
    if (info->rows++ % GROUP == 0)
      g_array_append_val (layout->starts, start);
  }
  if (progress_stopped (error))
    return FALSE;
  return lines.at == lines.file->size
         || file_fail (error, FILE_ERROR_DAMAGED, layout->plain->file->path, "cannot be read up to its end.");
}

static void
layout_free (gpointer data)
{
  Layout *layout = data;
  g_clear_pointer (&layout->plain, files_plain_free);
  g_array_unref (layout->starts);
  g_free (layout);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Layout, layout_free)

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  g_autoptr (Layout) layout = g_new0 (Layout, 1);
  gboolean is_wide = FALSE;
  (void) self;
  layout->starts = g_array_new (FALSE, FALSE, sizeof (guint64));
  if (!(layout->plain = files_plain_new (path, error)) || !scan (layout, &is_wide, error))
    return NULL;
  FilesPlain *to = layout->plain;
  to->blocks.number = (FilesNumber){.bytes = is_wide ? 8 : 4, .is_float = TRUE, .is_signed = TRUE};
  to->packing = FILES_TEXT;
  files_blocks_set_dense (&to->blocks, &to->info, 1);
  return files_plain_finish (to, error) ? g_steal_pointer (&layout) : NULL;
}

/* ---- Pixels ---- */

typedef struct {
  const Layout *layout;
  guint8 *to;
} Reading;

static gboolean
changed (const Layout *layout, GError **error)
{
  return progress_stopped (error)
           ? FALSE
           : file_fail (error, FILE_ERROR_OPEN, layout->plain->file->path, "was changed after it was opened.");
}

/* The rows of a group. */
static gboolean
read_group (gpointer data, guint64 group, GError **error)
{
  const Reading *r = data;
  const Layout *layout = r->layout;
  const ImageInfo *info = &layout->plain->info;
  g_auto (Lines) lines = {.file = layout->plain->file, .text = g_string_new (NULL)};
  const gint64 end = MIN (((gint64) group + 1) * GROUP, info->rows);
  lines.at = g_array_index (layout->starts, guint64, group);
  for (gint64 row = (gint64) group * GROUP; row < end;) {
    guint64 start;
    const char *line = next_line (&lines, &start);
    if (!line)
      return changed (layout, error);
    if (text_cells_is_empty (line))
      continue;
    TextCells cells = {line, layout->separator, FALSE};
    TextCell cell;
    gint64 n = 0;
    for (gint64 i = row * info->columns; n < info->columns && text_cells_next (&cells, &cell); n++, i++)
      if (info->type == FV_F64)
        ((double *) (void *) r->to)[i] = cell.value;
      else
        ((float *) (void *) r->to)[i] = (float) cell.value;
    if (n < info->columns)
      return changed (layout, error);
    row++;
  }
  return TRUE;
}

static Image *
open_table (gpointer data, guint n, GError **error)
{
  Layout *layout = data;
  (void) n;
  g_autoptr (FilesBytes) numbers =
    files_bytes_new (layout->plain->file->path, files_plain_bytes (layout->plain), error);
  Reading reading = {layout, numbers ? numbers->memory.pixels : NULL};
  if (!numbers || !parallel_do (layout->starts->len, G_MAXUINT, read_group, &reading, error))
    return NULL;
  host_slot_settle (&numbers->memory);
  return files_plain_open_unpacked (layout->plain, numbers, error);
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  return files_plain_describe (((Layout *) layout)->plain, n, info, depends, error);
}

static FileHash **
hash (gpointer layout, int *fd)
{
  return files_plain_hash (((Layout *) layout)->plain, fd);
}

gboolean
files_text_image_explain (const char *path, const guint8 *head, gsize n, GError **error)
{
  g_autofree char *name = file_name_short (path), *line = NULL, *word = NULL;
  if (!strchr (name, '.') || !has_name (path) || memchr (head, 0, n))
    return TRUE;
  if (!(line = first_line (head, n)))
    return file_fail (error, FILE_ERROR_FORMAT, path, "is text without numbers; a text image is rows of numbers.");
  if (is_numbers (line, &word))
    return TRUE; /* a damaged one */
  g_autofree char *shown = g_utf8_make_valid (word, -1);
  return file_fail (
    error, FILE_ERROR_FORMAT, path,
    "is text, but not an image: its first line has '%s'. A text image is rows of nothing but numbers, with blanks, "
    "tabs, commas or semicolons between them.",
    shown);
}

const FileFormat format_text = {
  .key = "text",
  .label = "Text",
  .endings = (const char *const[]){"txt", "csv", "tsv", NULL},
  .mime = (const char *const[]){"text/plain", "text/csv", "text/tab-separated-values", NULL},
  .only_named = TRUE,
  .is = is,
  .layout = layout_new,
  .free = layout_free,
  .describe = describe,
  .open = open_table,
  .hash = hash,
  .n_written = 3,
  .macro = "Text Image",
  .save = files_text_image_save,
};
