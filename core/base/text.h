/* SPDX-License-Identifier: MIT
 *
 * Small things about text: numbers that survive a round trip in every locale, words with quotes, likely typos.
 */
#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include <glib.h>

/* The whole of `text` as a finite number with a decimal point; white space around it is allowed. */
gboolean text_to_number (const char *text, double *number);
/* The same, or "inf" or "-inf". */
gboolean text_to_number_or_infinity (const char *text, double *number);
/* Shortest decimal form of 15 to 17 digits that reads back as the same double; "nan" as "NaN". Free with g_free(). */
char *text_from_number (double number);
/* The same at the end of *text. */
void text_add_number (GString *text, double number);
void text_add_integer (GString *text, gint64 integer);
/* The number that so many digits say. */
double text_round (double number, int digits);
/* A time for people: "0.3 ms", "25 ms", "10.1 s". Free with g_free(). */
char *text_from_ms (double ms);
/* "1 object", "12 objects" for plural "objects". Free with g_free(). */
char *text_count (gint64 n, const char *plural);

/* What may be no text, such as the name of a file, as text: bytes that are not UTF-8 as \xff. Free with g_free(). */
char *text_from_bytes (const char *bytes);
/* As much of it as fits into so many bytes with its end, and no half character. */
void text_copy (char *to, const char *text, gsize room);
/* The same, and what a terminal would obey or hide as \x1b or \u009b, but for the characters of `keep`. Free with g_free(). */
char *text_visible (const char *bytes, const char *keep);

/* Splits `text` at `separator` outside quotes. Quotes are '...' and "...", with \ escaping inside the latter; they stay. */
char **text_split (const char *text, char separator, GError **error);
/* Splits at white space outside quotes and takes the quotes away: a=1 b="x y" -> {a=1, b=x y}. */
char **text_words (const char *text, GError **error);
/* The word with quotes where text_words() needs them. */
char *text_quote (const char *word);

/* The word of the list that is most like `word`, or NULL when none is near. Free with g_free(). */
char *text_nearest (const char *word, const char *const *list);

#endif
