/* SPDX-License-Identifier: MIT
 *
 * Fields of CSV by RFC 4180.
 */
#ifndef CORE_DATA_CSV_H
#define CORE_DATA_CSV_H

#include <glib.h>

/* Adds a field to a line, in quotes where it must be. */
void csv_add_field (GString *line, const char *text, char separator);
/* Reads the next field, of those that commas separate, from *at to `end`, and moves *at behind it and what ends it. TRUE: it was the
 * last of its line. */
gboolean csv_next_field (const char **at, const char *end, GString *field);

#endif
