/* SPDX-License-Identifier: MIT
 *
 * Small things about text: numbers that survive a round trip in every locale, words with quotes, likely typos.
 */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <glib.h>

/* The whole of `text` as a finite number with a decimal point; white space around it is allowed. */
gboolean text_to_number (const char *text, double *number);
/* Shortest decimal form that reads back as the same double; "nan" as "NaN". Free with g_free(). */
char *text_from_number (double number);
/* A time for people: "0.3 ms", "25 ms", "10.1 s". Free with g_free(). */
char *text_from_ms (double ms);

/* Splits `text` at `separator` outside quotes. Quotes are '...' and "...", with \ escaping inside the latter; they stay. */
char **text_split (const char *text, char separator, GError **error);
/* Splits at white space outside quotes and takes the quotes away: a=1 b="x y" -> {a=1, b=x y}. */
char **text_words (const char *text, GError **error);
/* The word with quotes where text_words() needs them. */
char *text_quote (const char *word);

/* The word of the list that is most like `word`, or NULL when none is near. Free with g_free(). */
char *text_nearest (const char *word, const char *const *list);

#endif
