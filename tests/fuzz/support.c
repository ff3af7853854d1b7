/* SPDX-License-Identifier: MIT
 */
#include "tests/fuzz/support.h"

#include "core/files/movies/video.h"
#include "core/files/raw.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_SERIES 8
#define MAX_FAULTS 8

/* What GLib complains about is a fault, and libFuzzer keeps the input that made abort() happen. */
static GLogWriterOutput
on_log (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  g_log_writer_standard_streams (level, fields, n, data);
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
    abort ();
  return G_LOG_WRITER_HANDLED;
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  (void) argc;
  (void) argv;
  g_log_set_writer_func (on_log, NULL, NULL);
  formats_remove (&format_video); /* a process for each input */
  return 0;
}

gboolean
fuzz_read_planes (Image *image, gsize max)
{
  gint64 planes = image_info_planes (image_info (image));
  gsize bytes = image_info_plane_bytes (image_info (image)), total = 0;
  int faults = 0;
  /* Programs give up at the first plane that fails; some more are tried here. */
  for (gint64 plane = 0; plane < planes && faults < MAX_FAULTS; plane++) {
    g_autoptr (GError) error = NULL;
    if ((total += bytes) > max)
      return FALSE;
    if (image_plane (image, plane, &error))
      continue;
    if (!error)
      g_error ("no plane and no error");
    faults++;
  }
  return faults == 0;
}

/* Bytes that begin with a line "raw width=7 ..." are read as that says of what follows it. How many bytes that line has; 0: it is none. */
static gsize
set_raw (const char *path, const guint8 *bytes, gsize size)
{
  static const char begin[] = "raw ";
  const guint8 *end =
    size > strlen (begin) && !memcmp (bytes, begin, strlen (begin)) ? memchr (bytes, '\n', size) : NULL;
  g_autofree char *text =
    end ? g_strndup ((const char *) bytes + strlen (begin), (gsize) (end - bytes) - strlen (begin)) : NULL;
  files_raw_set (path, NULL, NULL); /* of the input before */
  return text && files_raw_set (path, text, NULL) ? (gsize) (end + 1 - bytes) : 0;
}

GPtrArray *
fuzz_open (const guint8 *bytes, gsize size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  GPtrArray *opened = g_ptr_array_new_with_free_func ((GDestroyNotify) image_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = NULL;
  const gsize line = set_raw (path, bytes, size);
  if (fd < 0 || write (fd, bytes + line, size - line) != (gssize) (size - line))
    g_error ("no file for the bytes");
  images = files_images_new (path, &error);
  if (!images && !error)
    g_error ("no images and no error");
  for (guint i = 0; images && i < MIN (files_images_count (images), MAX_SERIES); i++) {
    g_autoptr (GError) fault = NULL;
    Image *image = files_images_open (images, i, &fault);
    if (!image && !fault)
      g_error ("no image and no error");
    if (image)
      g_ptr_array_add (opened, image);
  }
  close (fd);
  return opened;
}

static char *folder;

static void
remove_folder (void)
{
  g_rmdir (folder);
}

const char *
fuzz_folder (void)
{
  if (!folder) {
    if (!(folder = g_dir_make_tmp ("fovea-fuzz-XXXXXX", NULL)))
      g_error ("no folder to write into");
    atexit (remove_folder);
  }
  return folder;
}
