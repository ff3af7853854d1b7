/* SPDX-License-Identifier: MIT
 *
 * A tag begins with the last '<' and ends with a '>' that is not quoted. Comments and CDATA have none. The base64 of a BinData element has no '<'.
 */
#include "core/files/ome/text.h"

#include "core/base/file_error.h"
#include "core/base/progress.h"
#include "core/files/shared/ome.h"

#include <string.h>

enum { PIECE = 1 << 20, LARGEST = 256 << 20 /* bytes */ };

typedef struct {
  GString *text;
  gssize tag;         /* where it begins in the text; -1: outside of tags */
  char quote;         /* that is open in the tag; 0: none */
  const char *until;  /* the end of a comment or of CDATA; NULL: outside of them */
  gboolean is_inside; /* of BinData */
  gboolean has_data;  /* that is not blank */
  guint64 at;         /* of it */
} Scanner;

/* Whether a tag, "<Bin:BinData ...>", begins a BinData element that is not empty. */
static gboolean
begins_data (const char *tag, gsize n)
{
  const gsize length = strcspn (tag + 1, " \t\r\n/>");
  const char *colon = memchr (tag + 1, ':', length), *name = colon ? colon + 1 : tag + 1;
  return tag + 1 + length - name == 7 && !memcmp (name, "BinData", 7) && tag[n - 2] != '/';
}

static gboolean
ends_with (const GString *text, const char *end)
{
  const gsize n = strlen (end);
  return text->len >= n && !memcmp (text->str + text->len - n, end, n);
}

/* A byte outside of base64. */
static void
add (Scanner *s, char c)
{
  g_string_append_c (s->text, c);
  if (s->until)
    s->until = c == '>' && ends_with (s->text, s->until) ? NULL : s->until;
  else if (s->quote)
    s->quote = c == s->quote ? 0 : s->quote;
  else if (c == '<')
    s->tag = (gssize) s->text->len - 1;
  else if ((c == '-' && ends_with (s->text, "<!--")) || (c == '[' && ends_with (s->text, "<![CDATA["))) {
    s->until = c == '-' ? "-->" : "]]>";
    s->tag = -1;
  } else if (s->tag >= 0 && (c == '"' || c == '\''))
    s->quote = c;
  else if (s->tag >= 0 && c == '>') {
    s->is_inside = begins_data (s->text->str + s->tag, s->text->len - (gsize) s->tag);
    s->tag = -1;
  }
}

static void
end_data (Scanner *s, guint64 end)
{
  if (s->has_data)
    g_string_append_printf (s->text, FILES_OME_DATA "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "?>", s->at,
                            end - s->at);
  s->is_inside = s->has_data = FALSE;
}

/* at: of the piece in the file. */
static void
scan (Scanner *s, const char *piece, gsize n, guint64 at)
{
  for (gsize i = 0; i < n;)
    if (s->is_inside) {
      const char *end = memchr (piece + i, '<', n - i);
      const gsize stop = end ? (gsize) (end - piece) : n;
      for (gsize k = i; k < stop && !s->has_data; k++)
        s->has_data = !g_ascii_isspace (piece[k]);
      i = stop;
      if (end)
        end_data (s, at + i);
    } else {
      add (s, piece[i++]);
      s->at = at + i;
    }
}

static gboolean
scan_all (Scanner *s, FilesBytes *file, GError **error)
{
  g_autofree char *piece = g_malloc (PIECE);
  for (guint64 at = 0; at < file->size;) {
    const gsize n = (gsize) MIN (PIECE, file->size - at);
    if (progress_stopped (error))
      return FALSE;
    if (!files_bytes_read (file, at, piece, n))
      return file_fail (error, FILE_ERROR_DAMAGED, file->path, "cannot be read up to its end.");
    scan (s, piece, n, at);
    if (s->text->len > LARGEST)
      return file_fail (error, FILE_ERROR_UNSUPPORTED, file->path,
                        "has more than %d MiB of OME-XML beside its pixels, which is not read.", LARGEST >> 20);
    at += n;
  }
  return TRUE;
}

char *
ome_text_read (FilesBytes *file, GError **error)
{
  Scanner s = {.text = g_string_new (NULL), .tag = -1};
  const gboolean read = scan_all (&s, file, error);
  g_autofree char *text = g_string_free (s.text, FALSE);
  if (!read)
    return NULL;
  return g_utf8_validate (text, -1, NULL) ? g_steal_pointer (&text)
                                          : g_convert (text, -1, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
}

char *
ome_text_plain (const char *text)
{
  GString *plain = g_string_new (NULL);
  const char *data;
  while ((data = strstr (text, FILES_OME_DATA))) {
    const char *end = strstr (data, "?>");
    g_string_append_len (plain, text, data - text);
    text = end ? end + 2 : data + strlen (data);
  }
  g_string_append (plain, text);
  return g_string_free (plain, FALSE);
}
