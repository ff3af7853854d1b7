/* SPDX-License-Identifier: MIT
 */
#include "core/base/file_fetch.h"

#include "core/base/file_cloud.h"
#include "core/base/progress.h"

#include <stdlib.h>
#include <string.h>

enum {
  PIECE = 1 << 16,
  CONNECTIONS = 8,
  OK = 200,
  PARTIAL = 206,
  MOVED = 300,
  FORBIDDEN = 403,
  NOT_FOUND = 404,
  GONE = 410
};

/* All that curl writes to standard error. Free with g_free(). */
static char *
read_said (GInputStream *said)
{
  enum { MOST = 512 };
  char *text = g_malloc (MOST);
  gsize n = 0;
  g_input_stream_read_all (said, text, MOST - 1, &n, NULL, NULL);
  text[n] = 0;
  return text;
}

/* Without curl's own name and number: "curl: (6) Could not resolve host: x". */
static char *
words_of (char *text)
{
  text[strcspn (text, "\n")] = 0;
  const char *end = g_str_has_prefix (text, "curl: (") ? strstr (text, ") ") : NULL;
  return g_strdup (end ? end + 2 : *text ? text : "curl failed");
}

/* Where a bucket may not be listed, the server does not tell what is not there from what may not be read. */
static gboolean
has_nothing (const char *url, int status)
{
  return status == NOT_FOUND || status == GONE || (status == FORBIDDEN && file_cloud_is (url));
}

GError *
file_fetch_fault (GSubprocess *fetching, const char *url, int *status)
{
  GError *fault = NULL;
  g_autofree char *said = read_said (g_subprocess_get_stderr_pipe (fetching));
  const char *last = strrchr (said, '\n');
  *status = last ? atoi (last + 1) : 0;
  const gboolean is_moved = *status >= MOVED && *status < MOVED + 100; /* to nowhere: curl would have followed */
  if (g_subprocess_wait_check (fetching, NULL, NULL) && !is_moved)
    return NULL;
  g_autofree char *words = words_of (said);
  const char *cloud = file_cloud_words (url, *status);
  if (cloud)
    file_fail (&fault, has_nothing (url, *status) ? FILE_ERROR_MISSING : FILE_ERROR_OPEN, url, "%s", cloud);
  else if (is_moved)
    file_fail (&fault, FILE_ERROR_OPEN, url,
               "cannot be fetched: the server says that it has moved (%d), and not where.", *status);
  else
    file_fail (&fault, has_nothing (url, *status) ? FILE_ERROR_MISSING : FILE_ERROR_OPEN, url, "cannot be fetched: %s.",
               words);
  return fault;
}

GSubprocess *
file_fetch_start (const char *url, const char *const *more, GError **error)
{
  static const char *const common[] = {
    "--silent", "--show-error", "--fail", "--location",        "--proto", "=http,https", "--globoff", "--speed-limit",
    "1",        "--speed-time", "60",     "--connect-timeout", "30"};
  g_autoptr (GError) fault = NULL;
  g_autofree char *curl = g_find_program_in_path ("curl");
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_ptr_array_add (words, curl);
  for (guint i = 0; i < G_N_ELEMENTS (common); i++)
    g_ptr_array_add (words, (gpointer) common[i]);
  for (; *more; more++)
    g_ptr_array_add (words, (gpointer) *more);
  g_ptr_array_add (words, NULL);
  GSubprocess *fetching =
    curl ? g_subprocess_newv ((const char *const *) words->pdata,
                              G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &fault)
         : NULL;
  if (!fetching)
    file_fail (error, FILE_ERROR_OPEN, url, "cannot be fetched%s%s.", curl ? ": " : ", because ",
               fault ? fault->message : "the program curl is not installed. Install it, or download it first");
  return fetching;
}

/* NULL with *error. */
static GSubprocess *
start_range (const char *url, const char *range, GError **error)
{
  g_autofree char *address = file_cloud_address (url, error);
  const char *const more[] = {
    "--url", address, "--retry", "3", "--write-out", FILE_FETCH_STATUS, range ? "--range" : NULL, range, NULL};
  return address ? file_fetch_start (url, more, error) : NULL;
}

/* NULL with *error. */
static GBytes *
read_all (GInputStream *from, const char *url, gsize most, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree guint8 *piece = g_malloc (PIECE);
  g_autoptr (GError) fault = NULL;
  gssize n;
  while ((n = g_input_stream_read (from, piece, PIECE, NULL, &fault)) > 0) {
    if (progress_stopped (error))
      return NULL;
    if ((gsize) n > most - bytes->len) {
      g_autofree char *size = g_format_size_full (most, G_FORMAT_SIZE_IEC_UNITS);
      file_fail (error, FILE_ERROR_DAMAGED, url, "is damaged: it has more than %s, which is too much for such a file.",
                 size);
      return NULL;
    }
    g_byte_array_append (bytes, piece, (guint) n);
  }
  if (n < 0)
    file_fail (error, FILE_ERROR_OPEN, url, "cannot be read: %s.", fault->message);
  return n < 0 ? NULL : g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

GBytes *
file_fetch (const char *url, const char *range, gsize most, gboolean *is_part, GError **error)
{
  g_autoptr (GSubprocess) fetching = start_range (url, range, error);
  if (!fetching)
    return NULL;
  g_autoptr (GBytes) bytes = read_all (g_subprocess_get_stdout_pipe (fetching), url, most, error);
  if (!bytes)
    g_subprocess_force_exit (fetching);
  int status;
  GError *fault = file_fetch_fault (fetching, url, &status);
  *is_part = status == PARTIAL;
  if (!bytes || !fault) {
    g_clear_error (&fault);
    return g_steal_pointer (&bytes);
  }
  g_propagate_error (error, fault);
  return NULL;
}

/* ---- Several ---- */

/* Every so manieth of n. */
typedef struct {
  FileFetched *fetched;
  guint first, n;
  gsize most;
} Share;

/* Cuts what came into the bytes of each: `said` has a line for each URL, in their order, of its status and how many bytes it has. */
static void
share_out (const Share *share, GBytes *bytes, const char *said)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  gsize at = 0;
  guint i = share->first;
  for (char **line = lines; *line && i < share->n; line++) {
    char *end;
    const guint64 status = g_ascii_strtoull (*line, &end, 10);
    if (end != *line + 3 || *end != ' ')
      continue;
    FileFetched *one = &share->fetched[i];
    const guint64 size = status == OK ? g_ascii_strtoull (end, NULL, 10) : 0;
    one->is_missing = has_nothing (one->url, (int) status);
    if (size > g_bytes_get_size (bytes) - at)
      return;
    if (status == OK)
      one->bytes = g_bytes_new_from_bytes (bytes, at, (gsize) size);
    at += (gsize) size;
    i += CONNECTIONS;
  }
}

static gpointer
fetch_share (gpointer data)
{
  const Share *share = data;
  g_autofree char *most = g_strdup_printf ("%" G_GSIZE_FORMAT, share->most);
  g_autoptr (GPtrArray) words = g_ptr_array_new (), addresses = g_ptr_array_new_with_free_func (g_free);
  const char *const first[] = {"--max-filesize", most, "--write-out", "%{stderr}\n%{http_code} %{size_download}\n"};
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    g_ptr_array_add (words, (gpointer) first[i]);
  for (guint i = share->first; i < share->n; i += CONNECTIONS) {
    char *address = file_cloud_address (share->fetched[i].url, NULL);
    if (!address)
      return NULL;
    g_ptr_array_add (addresses, address);
    g_ptr_array_add (words, (gpointer) "--url");
    g_ptr_array_add (words, address);
  }
  g_ptr_array_add (words, NULL);
  g_autoptr (GSubprocess) fetching =
    file_fetch_start (share->fetched[share->first].url, (const char *const *) words->pdata, NULL);
  g_autoptr (GBytes) bytes = NULL, said = NULL;
  if (!fetching || !g_subprocess_communicate (fetching, NULL, NULL, &bytes, &said, NULL))
    return NULL;
  g_autofree char *text = g_strndup (g_bytes_get_data (said, NULL), g_bytes_get_size (said));
  share_out (share, bytes, text);
  return NULL;
}

void
file_fetch_many (FileFetched *fetched, guint n, gsize most)
{
  Share shares[CONNECTIONS];
  GThread *threads[CONNECTIONS] = {NULL};
  for (guint i = 0; i < MIN (n, CONNECTIONS); i++) {
    shares[i] = (Share){fetched, i, n, most};
    threads[i] = g_thread_try_new ("fetch", fetch_share, &shares[i], NULL);
  }
  for (guint i = 0; i < CONNECTIONS; i++)
    if (threads[i])
      g_thread_join (threads[i]);
}
