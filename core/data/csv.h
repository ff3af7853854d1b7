/* SPDX-License-Identifier: MIT
 *
 * Fields of CSV by RFC 4180.
 *
 * Spreadsheets run a cell that begins with = + - or @ as a formula, and terminals obey control characters. Text is therefore written so that it
 * does neither: an apostrophe stands before such a cell, as OWASP recommends against CSV injection, and before one that begins with an
 * apostrophe, so that reading can take it off again. A control character becomes its picture (U+2400 and following). Numbers stay as they are.
 */
#ifndef CORE_DATA_CSV_H
#define CORE_DATA_CSV_H

#include <glib.h>

typedef struct CsvFormat {
  char separator; /* between columns: ',' or ';' */
  gboolean raw;   /* text as it is, for programs that do not run formulas */
} CsvFormat;

/* Adds a field to a line, in quotes where it must be. */
void csv_add_field (GString *line, const char *text, CsvFormat format);
/* Whether csv_add_field() would write each field of these lines as it is. Fields are separated by commas and without quotes. */
gboolean csv_is_harmless (const char *lines, const char *end);
/* Reads the next field, of those that commas separate, from *at to `end`, and moves *at behind it and what ends it. TRUE: it was the
 * last of its line. */
gboolean csv_next_field (const char **at, const char *end, GString *field);
/* Takes the apostrophe off a field that was not written raw. */
void csv_plain_text (GString *field);

#endif
