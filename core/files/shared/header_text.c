/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/header_text.h"

#include <string.h>

enum { LONGEST = 1 << 20, FILES = 1 << 16 };

void
files_lines_init (FilesLines *lines, FilesBytes *file)
{
  const gsize n = (gsize) MIN (file->size, LONGEST);
  *lines = (FilesLines){.text = g_malloc (n + 1), .size = n};
  if (!files_bytes_read (file, 0, lines->text, n))
    lines->size = 0;
  lines->text[lines->size] = 0;
}

char *
files_lines_next (FilesLines *lines)
{
  const char *line = lines->text + lines->at;
  const gsize left = lines->size - lines->at;
  if (!left)
    return NULL;
  const char *end = memchr (line, '\n', left);
  gsize n = end ? (gsize) (end - line) : left;
  lines->at += MIN (n + 1, left);
  if (n && line[n - 1] == '\r')
    n--;
  return g_strndup (line, n);
}

gboolean
files_integers (const char *text, gint64 *to, guint n)
{
  for (guint i = 0; i < n; i++) {
    char *end;
    to[i] = g_ascii_strtoll (text, &end, 10);
    if (end == text || (*end && !g_ascii_isspace (*end)))
      return FALSE;
    text = end;
  }
  while (g_ascii_isspace (*text))
    text++;
  return !*text;
}

guint
files_numbers (const char *text, double *to, guint n)
{
  guint found = 0;
  while (found < n) {
    char *end;
    text += strspn (text, " \t,()");
    const double value = g_ascii_strtod (text, &end);
    if (end == text)
      break;
    to[found++] = value;
    text = end;
  }
  return found;
}

gboolean
files_plain_add_list (FilesPlain *to, char *const *names, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (to->file->path);
  for (; *names; names++) {
    g_autofree char *path = g_build_filename (g_path_is_absolute (*names) ? "" : folder, *names, NULL);
    if (to->data->len == FILES)
      return file_fail (error, FILE_ERROR_UNSUPPORTED, to->file->path, "has its pixels in more than %d files.", FILES);
    if (!files_plain_add_data (to, path, error))
      return FALSE;
  }
  return TRUE;
}

/* The part from '%' on, of which %d, %3d and %03d are known. How long it is; 0: it is another. */
static gsize
conversion (const char *from, guint *width, gboolean *zeros)
{
  const char *at = from + 1;
  *zeros = *at == '0';
  *width = 0;
  for (; g_ascii_isdigit (*at) && *width < 20; at++)
    *width = *width * 10 + (guint) (*at - '0');
  return *at == 'd' || *at == 'i' || *at == 'u' ? (gsize) (at + 1 - from) : 0;
}

char **
files_pattern_names (const char *pattern, gint64 first, gint64 last, gint64 step)
{
  const char *at = strchr (pattern, '%');
  guint width = 0;
  gboolean zeros = FALSE;
  const gsize n = at ? conversion (at, &width, &zeros) : 0;
  if (!n || strchr (at + n, '%') || step == 0 || first < 0 || last < 0 || first > G_MAXINT32 || last > G_MAXINT32
      || step > G_MAXINT32 || step < -G_MAXINT32 || (last - first) / step < 0 || (last - first) / step >= FILES)
    return NULL;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  for (gint64 i = first; step > 0 ? i <= last : i >= last; i += step) {
    g_autofree char *number = zeros ? g_strdup_printf ("%0*" G_GINT64_FORMAT, (int) width, i)
                                    : g_strdup_printf ("%*" G_GINT64_FORMAT, (int) width, i);
    g_autofree char *name = g_strdup_printf ("%.*s%s%s", (int) (at - pattern), pattern, number, at + n);
    g_strv_builder_add (names, name);
  }
  return g_strv_builder_end (names);
}

gboolean
files_plain_spread (FilesPlain *to, guint64 at, GError **error)
{
  const ImageInfo *info = &to->info;
  const gint64 *strides = to->blocks.strides;
  if (!image_info_check (info, error))
    return FALSE;
  const gint64 planes = image_info_planes (info), n = to->data->len;
  const guint64 bytes = (guint64) (planes * info->rows * info->columns) * to->blocks.number.bytes,
                each = bytes / (guint64) n;
  if (planes % n && n % planes)
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path,
                      "is damaged: %" G_GINT64_FORMAT " planes do not fill %" G_GINT64_FORMAT " files.", planes, n);
  guint64 there = 0;
  for (gint64 i = 0; i < n; i++)
    there += ((const FilesBytes *) to->data->pdata[i])->size;
  if (there < bytes)
    return file_fail (error, FILE_ERROR_DAMAGED, to->file->path,
                      "is truncated: its %" G_GINT64_FORMAT " files have %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                      " bytes.",
                      n, there, bytes);
  to->planes = g_array_new (FALSE, FALSE, sizeof (FilesBlock));
  for (gint64 i = 0; i < planes; i++) {
    const guint64 offset = (guint64) (i / info->depth / info->channels * strides[0]
                                      + i / info->depth % info->channels * strides[1] + i % info->depth * strides[2]);
    const FilesBlock block = {(guint) MIN (offset / each, (guint64) n - 1), at + offset % each};
    g_array_append_val (to->planes, block);
  }
  return TRUE;
}
