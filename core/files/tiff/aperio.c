/* SPDX-License-Identifier: MIT
 *
 * Some scanners write no text for label and macro; these have the types (NewSubfileType) 1 and 9.
 */
#include "core/files/tiff/aperio.h"

#include "core/base/text.h"
#include "core/files/tiff/groups.h"

#include <math.h>
#include <string.h>
#include <tiffio.h>

enum { TEXT_BYTES = 1 << 16 /* of a description: a page could have any number of them */ };

/* NULL: there is none. Free with g_free(). */
static char *
text_of (const FilesTiffFile *file, const FilesTiffPage *page)
{
  FilesTiffField field = page->description;
  field.count = MIN (field.count, TEXT_BYTES);
  return files_tiff_bytes (file, &field);
}

gboolean
files_tiff_aperio_is (const char *description)
{
  return description && g_str_has_prefix (description, "Aperio");
}

/* The word with which the second line begins; NULL: it begins with something else, such as a size. Free with g_free(). */
static char *
word_of_line (const char *text)
{
  const char *line = text ? strchr (text, '\n') : NULL;
  gsize n = 0;
  for (; line && g_ascii_isalpha (line[1 + n]); n++)
    ;
  return n && (line[1 + n] == ' ' || line[1 + n] == 0) ? g_strndup (line + 1, n) : NULL;
}

char *
files_tiff_aperio_name (const FilesTiffFile *file, const FilesTiffPage *page, const FilesTiffPage *first)
{
  g_autofree char *text = text_of (file, page);
  char *word = word_of_line (text);
  if (word || page->tiled || !(page->subfile & FILETYPE_REDUCEDIMAGE)
      || files_tiff_same_shape (page->rows, page->columns, first->rows, first->columns))
    return word;
  return g_strdup (page->subfile == FILETYPE_REDUCEDIMAGE ? "label" : "macro");
}

double
files_tiff_aperio_pixel_size (const FilesTiffFile *file, const FilesTiffPage *page)
{
  g_autofree char *text = text_of (file, page);
  g_auto (GStrv) fields = files_tiff_aperio_is (text) ? g_strsplit (text, "|", -1) : NULL;
  double size;
  for (guint i = 0; fields && fields[i]; i++) {
    char *value = strchr (fields[i], '=');
    if (!value)
      continue;
    *value = 0;
    if (!strcmp (g_strstrip (fields[i]), "MPP"))
      return text_to_number (value + 1, &size) && size > 0 && isfinite (size) ? size : 0;
  }
  return 0;
}
