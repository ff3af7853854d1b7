/* SPDX-License-Identifier: MIT
 *
 * Small pieces of what is on the web, by the program curl: for formats that are folders, of which only some files are needed.
 */
#ifndef CORE_BASE_FILE_FETCH_H
#define CORE_BASE_FILE_FETCH_H

#include "core/base/file_error.h"

#include <gio/gio.h>

/* What curl says is wrong, without its own name and number: "curl: (6) Could not resolve host: x". Free with g_free(). */
char *file_fetch_words (GInputStream *said);
/* All bytes of a URL, of http or https, or those of a range: "0-99", "-16" (the last ones). *is_part: whether the server has sent the range alone;
 * others send all. At most `most` bytes are taken. NULL with *error, FILE_ERROR_MISSING where the server has nothing. Stops when the work of the thread
 * shall. Any thread. */
GBytes *file_fetch (const char *url, const char *range, gsize most, gboolean *is_part, GError **error);

/* One of several that are fetched together. */
typedef struct FileFetched {
  char *url;
  GBytes *bytes;       /* NULL: it is not there, or something went wrong */
  gboolean is_missing; /* the server has nothing */
} FileFetched;

/* Fetches n URLs, of at most `most` bytes each, over some connections that are used again. file_fetch() of a URL says what went wrong. */
void file_fetch_many (FileFetched *fetched, guint n, gsize most);

#endif
