/* SPDX-License-Identifier: MIT
 *
 * Fields of CSV by RFC 4180, of the same with tabs, and members of JSON lines, in which a line is an object.
 *
 * Spreadsheets run a cell that begins with = + - or @ as a formula, and terminals obey control characters. To prevent both, an apostrophe is written
 * before such a cell, as OWASP recommends against CSV injection, and before one that begins with an apostrophe, so that reading can remove it. A
 * control character becomes its picture (U+2400 and following).
 *
 * Spreadsheets whose country separates columns by semicolons write 5,5 and take 5.5 for a date. So a file with semicolons has decimal commas, and
 * begins with the mark of UTF-8 (U+FEFF), without which they take µ for two letters.
 */
#ifndef CORE_DATA_CSV_H
#define CORE_DATA_CSV_H

#include <glib.h>

typedef struct CsvFormat {
  char separator; /* between columns: ',' or ';', of .tsv '\t' */
  gboolean raw;   /* text as it is, for programs that do not run formulas */
  gboolean json;  /* lines of JSON, and no separators */
} CsvFormat;

/* Adds a member to an object of JSON, which '{' begins. */
void csv_add_member (GString *line, const char *key, const char *value, gboolean number);
/* Whether a cell is a number as JSON writes it. */
gboolean csv_is_number (const char *cell);

/* The text with pictures of its control characters (U+2400 and following), as valid UTF-8. Free with g_free(). */
char *csv_show_controls (const char *text);
/* What a file begins with, before its first line. */
const char *csv_start (CsvFormat format);
/* Adds a number, written with a point, to a line. */
void csv_add_number (GString *line, const char *number, CsvFormat format);
/* Adds a field of text to a line, in quotes where it must be. */
void csv_add_field (GString *line, const char *text, CsvFormat format);
/* Whether csv_add_field() would write each field of these lines as it is. Fields are separated by commas and without quotes. */
gboolean csv_is_harmless (const char *lines, const char *end);
/* Reads the next field, of those that commas separate, from *at to `end`, and moves *at behind it and what ends it. TRUE: it was the
 * last of its line. */
gboolean csv_next_field (const char **at, const char *end, GString *field);
/* Takes the apostrophe off a field that was not written raw. */
void csv_plain_text (GString *field);

#endif
