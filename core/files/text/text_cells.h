/* SPDX-License-Identifier: MIT
 *
 * Lines of numbers between blanks, tabs, commas or semicolons. Between semicolons a number may have a decimal comma.
 */
#ifndef CORE_FILES_TEXT_TEXT_CELLS_H
#define CORE_FILES_TEXT_TEXT_CELLS_H

#include <glib.h>

typedef struct TextCells {
  const char *at; /* the rest of the line, which ends with a null byte */
  char separator; /* ' ': any number of blanks */
  gboolean fails; /* the next word is not a number */
} TextCells;

typedef struct TextCell {
  double value;
  gboolean is_wide; /* f32 would lose some of its digits */
} TextCell;

/* What separates the numbers of a line. */
char text_cells_separator (const char *line);
/* Whether the line has no numbers: it is empty or a comment, which begins with '#'. */
gboolean text_cells_is_empty (const char *line);
/* The next number of the line. FALSE at its end, also behind a last separator; or self->fails, and self->at is the word. */
gboolean text_cells_next (TextCells *self, TextCell *cell);
/* The word at self->at, for messages. Free with g_free(). */
char *text_cells_word (const TextCells *self);

#endif
