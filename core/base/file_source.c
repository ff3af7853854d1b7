/* SPDX-License-Identifier: MIT
 *
 * An unnamed file has a path, /proc/self/fd/N, as long as its descriptor is open.
 */
#include "core/base/file_source.h"

#include "core/base/disk_memory.h"
#include "core/base/environment.h"
#include "core/base/file_cloud.h"
#include "core/base/file_fetch.h"
#include "core/base/file_name.h"
#include "core/base/file_write.h"
#include "core/base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_LIMIT ((gsize) 16 << 30) /* bytes */
enum { PIECE = 1 << 18 };

struct FileSource {
  int fd; /* -1: a path of this machine */
  char *path;
};

/* ---- Making one ---- */

static FileSource *
source_of_path (const char *path)
{
  FileSource *source = g_atomic_rc_box_new (FileSource);
  *source = (FileSource){-1, g_strdup (path)};
  return source;
}

/* Takes the descriptor. */
static FileSource *
source_of_file (int fd, const char *name)
{
  FileSource *source = g_atomic_rc_box_new (FileSource);
  *source = (FileSource){fd, g_strdup_printf ("/proc/self/fd/%d", fd)};
  file_name_set (source->path, name);
  return source;
}

static void
clear (gpointer data)
{
  FileSource *source = data;
  if (source->fd >= 0) {
    file_name_set (source->path, NULL);
    close (source->fd);
  }
  g_free (source->path);
}

FileSource *
file_source_ref (FileSource *source)
{
  return g_atomic_rc_box_acquire (source);
}

void
file_source_unref (FileSource *source)
{
  g_atomic_rc_box_release_full (source, clear);
}

const char *
file_source_path (const FileSource *source)
{
  return source->path;
}

/* ---- Copying ---- */

/* total: bytes, as it was announced; 0: not known. */
static gboolean
copy (GInputStream *from, int fd, const char *name, goffset total, GError **error)
{
  g_autofree char *piece = g_malloc (PIECE);
  g_autoptr (GError) fault = NULL;
  gsize limit = USUAL_LIMIT, done = 0;
  gssize n;
  environment_limit (ENVIRONMENT_FETCH_LIMIT, &limit);
  while ((n = g_input_stream_read (from, piece, PIECE, NULL, &fault)) > 0) {
    done += (gsize) n;
    if (done > limit) {
      g_autofree char *size = g_format_size_full (limit, G_FORMAT_SIZE_IEC_UNITS);
      return file_fail (error, FILE_ERROR_OPEN, name, "has more than %s. FOVEA_FETCH_LIMIT, in MiB, allows more.",
                        size);
    }
    if (!file_write_all (fd, piece, (gsize) n))
      return file_fail (error, FILE_ERROR_OPEN, name,
                        "cannot be copied to a temporary file: %s. FOVEA_SCRATCH selects another folder.",
                        g_strerror (errno));
    progress_fetched (progress_current (), (gint) (done >> 10));
    progress_report (progress_current (), (gint64) done, MAX (total, 0));
    if (progress_stopped (error))
      return FALSE;
  }
  return n == 0 || file_fail (error, FILE_ERROR_OPEN, name, "cannot be read: %s.", fault->message);
}

/* All of the stream. */
static FileSource *
source_of_copy (GInputStream *from, const char *name, goffset total, GError **error)
{
  const int fd = disk_memory_open ();
  if (fd < 0)
    file_fail (error, FILE_ERROR_OPEN, name,
               "cannot be copied to a temporary file: %s. FOVEA_SCRATCH selects another folder.", g_strerror (errno));
  else if (copy (from, fd, name, total, error))
    return source_of_file (fd, name);
  else
    close (fd);
  return NULL;
}

FileSource *
file_source_of_stream (int fd, const char *name, GError **error)
{
  struct stat about;
  if (isatty (fd)) {
    file_fail (error, FILE_ERROR_OPEN, name, "is a terminal. Pipe a file into it, or name a file.");
    return NULL;
  }
  if (!fstat (fd, &about) && S_ISREG (about.st_mode) && lseek (fd, 0, SEEK_CUR) == 0)
    return source_of_file (fcntl (fd, F_DUPFD_CLOEXEC, 0), name);
  g_autoptr (GInputStream) stream = g_unix_input_stream_new (fd, FALSE);
  return source_of_copy (stream, name, 0, error);
}

/* ---- URLs ---- */

gboolean
file_source_is_url (const char *given)
{
  const char *scheme = g_uri_peek_scheme (given);
  return scheme && g_str_has_prefix (given + strlen (scheme), "://");
}

/* Without --retry: what has come is copied already. */
static FileSource *
fetch_by_curl (const char *url, GError **error)
{
  g_autofree char *address = file_cloud_address (url, error);
  const char *const more[] = {"--url", address, "--write-out", FILE_FETCH_STATUS, NULL};
  g_autoptr (GSubprocess) fetching = address ? file_fetch_start (url, more, error) : NULL;
  if (!fetching)
    return NULL;
  g_autoptr (FileSource) source = source_of_copy (g_subprocess_get_stdout_pipe (fetching), url, 0, error);
  if (!source)
    g_subprocess_force_exit (fetching);
  int status;
  GError *wrong = file_fetch_fault (fetching, url, &status);
  if (!source || !wrong) {
    g_clear_error (&wrong);
    return g_steal_pointer (&source);
  }
  wrong->code = FILE_ERROR_OPEN; /* as of any file that is named */
  g_propagate_error (error, wrong);
  return NULL;
}

static FileSource *
fetch_by_gio (GFile *file, const char *url, const char *scheme, GError **error)
{
  g_autoptr (GError) fault = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &fault);
  if (stream) {
    g_autoptr (GFileInfo) info = g_file_input_stream_query_info (stream, G_FILE_ATTRIBUTE_STANDARD_SIZE, NULL, NULL);
    return source_of_copy (G_INPUT_STREAM (stream), url, info ? g_file_info_get_size (info) : 0, error);
  }
  if (g_error_matches (fault, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    file_fail (
      error, FILE_ERROR_OPEN, url,
      "cannot be fetched: %s:// needs GVfs (package gvfs-backends) in a desktop session. Or copy the file first.",
      scheme);
  else if (g_error_matches (fault, G_IO_ERROR, G_IO_ERROR_NOT_MOUNTED))
    file_fail (error, FILE_ERROR_OPEN, url,
               "cannot be fetched: it is not mounted. 'gio mount' with its folder mounts it.");
  else
    file_fail (error, FILE_ERROR_OPEN, url, "cannot be fetched: %s.", fault->message);
  return NULL;
}

FileSource *
file_source_new (const char *given, GError **error)
{
  if (!file_source_is_url (given))
    return source_of_path (given);
  g_autoptr (GFile) file = g_file_new_for_uri (given);
  g_autofree char *path = g_file_is_native (file) ? g_file_get_path (file) : NULL, *scheme = g_uri_parse_scheme (given);
  const gboolean web =
    !g_ascii_strcasecmp (scheme, "https") || !g_ascii_strcasecmp (scheme, "http") || file_cloud_is (given);
  if (path)
    return source_of_path (path);
  return web ? fetch_by_curl (given, error) : fetch_by_gio (file, given, scheme, error);
}
