/* SPDX-License-Identifier: MIT
 *
 * Small pieces of what is on the web, by the program curl: for formats that are folders, of which only some files are needed.
 */
#ifndef CORE_BASE_FILE_FETCH_H
#define CORE_BASE_FILE_FETCH_H

#include "core/base/file_error.h"

#include <gio/gio.h>

/* An argument of curl, with which file_fetch_fault() knows the status. */
#define FILE_FETCH_STATUS "%{stderr}\n%{http_code}"

/* Starts curl, which reads http and https alone, follows the server's words where an address has moved, and gives up after a minute without a byte.
 * more: its other arguments, ended by NULL, with the address; url: that as the user named it. The bytes are read from its standard output. NULL with
 * *error, which names the URL. Free with g_object_unref(). Any thread. */
GSubprocess *file_fetch_start (const char *url, const char *const *more, GError **error);
/* Waits for curl, and says what was wrong, by what it writes to standard error: an error that names the URL, FILE_ERROR_MISSING where the server has
 * nothing. NULL: nothing was. *status: of HTTP, 0: none. */
GError *file_fetch_fault (GSubprocess *fetching, const char *url, int *status);
/* All bytes of a URL, of http, https or cloud storage, or those of a range: "0-99", "-16" (the last ones). *is_part: whether the server has sent the range alone;
 * others send all. At most `most` bytes are taken. NULL with *error, FILE_ERROR_MISSING where the server has nothing. Stops when the work of the thread
 * shall. Any thread. */
GBytes *file_fetch (const char *url, const char *range, gsize most, gboolean *is_part, GError **error);

/* One of several that are fetched together. */
typedef struct FileFetched {
  char *url;
  GBytes *bytes;       /* NULL: it is not there, or something went wrong */
  gboolean is_missing; /* the server has nothing, or nothing for all in a bucket */
} FileFetched;

/* Fetches n URLs, of at most `most` bytes each, over some connections that are used again. file_fetch() of a URL says what went wrong. */
void file_fetch_many (FileFetched *fetched, guint n, gsize most);

#endif
