/* SPDX-License-Identifier: MIT
 *
 * Headers that are lines of text, and the files of pixels that they name.
 */
#ifndef CORE_FILES_SHARED_HEADER_TEXT_H
#define CORE_FILES_SHARED_HEADER_TEXT_H

#include "core/files/shared/plain.h"

/* Reads line by line, at most 1 MiB. */
typedef struct FilesLines {
  char *text; /* free with g_free() */
  gsize size, at;
} FilesLines;

void files_lines_init (FilesLines *lines, FilesBytes *file);
/* The next line without its end, as valid UTF-8 or bytes, free with g_free(). NULL: there is none. */
char *files_lines_next (FilesLines *lines);
/* The n integers of a text with white space between them; FALSE: there are others. */
gboolean files_integers (const char *text, gint64 *to, guint n);
/* Likewise numbers, between which there may be commas and parentheses, too. "nan" is one. How many there are, at most n. */
guint files_numbers (const char *text, double *to, guint n);
/* The files of a list or of a pattern "a%03d.raw first last step", or the one of that name, relative to the header. n: how many there should be, 0: any
 * number. Each has as many bytes of the image as every other. FALSE with *error. */
gboolean files_plain_add_list (FilesPlain *to, char *const *names, GError **error);
/* The names of a pattern, free with g_strfreev(). NULL: it is none. */
char **files_pattern_names (const char *pattern, gint64 first, gint64 last, gint64 step);
/* When the image, its strides and several files are known: sets the planes. at: where the pixels begin in each file. FALSE with *error. */
gboolean files_plain_spread (FilesPlain *to, guint64 at, GError **error);

#endif
