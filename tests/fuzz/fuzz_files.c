/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: any bytes, as a file, open completely or fail with an error. Built with
 *   clang -fsanitize=fuzzer,address,undefined tests/fuzz/fuzz_files.c core/files*.c ...
 * and run with copies of tests/files/ and data/samples/ as the corpus.
 */
#include "files.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_SERIES 8
#define MAX_BYTES (64 << 20) /* of planes that are read; an image only takes memory when they are */

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size);

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
  return 0;
}

static void
read_planes (Image *image)
{
  gint64 planes = image_info_planes (image_info (image));
  gsize bytes = image_info_plane_bytes (image_info (image)), total = 0;
  int failures = 0;
  g_free (image_info_text (image_info (image)));
  /* Programs give up at the first plane that fails; some more are tried here. */
  for (gint64 plane = 0; plane < planes && failures < 8 && (total += bytes) <= MAX_BYTES; plane++) {
    g_autoptr (GError) error = NULL;
    if (image_plane (image, plane, &error))
      continue;
    if (!error)
      g_error ("no plane and no error");
    failures++;
  }
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, gsize size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GError) error = NULL;
  g_autoptr (FilesImages) images = NULL;
  if (fd < 0 || write (fd, bytes, size) != (gssize) size)
    g_error ("no file for the bytes");
  images = files_images_new (path, &error);
  if (!images && !error)
    g_error ("no images and no error");
  for (guint i = 0; images && i < MIN (files_images_count (images), MAX_SERIES); i++) {
    g_autoptr (GError) fault = NULL;
    g_autoptr (Image) image = files_images_open (images, i, &fault);
    if (!image && !fault)
      g_error ("no image and no error");
    if (image)
      read_planes (image);
  }
  close (fd);
  return 0;
}
