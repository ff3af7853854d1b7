/* SPDX-License-Identifier: MIT
 *
 * The other process has the packed bytes and the pixels in memory that both share, so that nothing of them is sent.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/files/czi/jpeg_xr.h"

#include "core/data/pixel_type.h"
#include "core/files/czi/jpeg_xr_process.h"
#include "core/ops/module_path.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Runs the program, on the file if there is one. */
static jpeg_xr_end
run (int file)
{
  g_autofree char *folder = module_path_shipped (), *path = g_build_filename (folder, JPEG_XR_PROGRAM, NULL);
  char *const words[] = {JPEG_XR_PROGRAM, file < 0 ? NULL : "decode", NULL};
  return files_czi_jpeg_xr_process (path, words, file, JPEG_XR_SECONDS);
}

gboolean
files_czi_jpeg_xr_can (void)
{
  enum { ABSENT = 1, THERE };
  static gsize state;
  if (g_once_init_enter (&state))
    g_once_init_leave (&state, run (-1) == JPEG_XR_DONE ? THERE : ABSENT);
  return state == THERE;
}

static jpeg_xr_end
decode (int file, const jpeg_xr_job *job, const guint8 *packed, guint8 *to)
{
  if (posix_fallocate (file, 0, (off_t) job->whole))
    return JPEG_XR_LOST;
  guint8 *memory = mmap (NULL, job->whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return JPEG_XR_LOST;
  memcpy (memory, job, sizeof *job);
  memcpy (memory + JPEG_XR_PACKED, packed, job->packed);
  const jpeg_xr_end end = run (file);
  if (end == JPEG_XR_DONE)
    memcpy (to, memory + job->pixels, job->whole - job->pixels);
  munmap (memory, job->whole);
  return end;
}

const char *
files_czi_jpeg_xr (const guint8 *packed, gsize n, const FilesCziBlock *block, const FilesCziPixel *pixel, guint8 *to)
{
  static const char *const faults[] = {
    [JPEG_XR_DONE] = NULL,
    [JPEG_XR_NO_LIBRARY] = "cannot be decoded: libjxrglue is not there",
    [JPEG_XR_NOT] = "is not JPEG XR",
    [JPEG_XR_OTHER] = "is JPEG XR of another size or pixel type",
    [JPEG_XR_DAMAGED] = "cannot be decoded by libjxrglue",
    [JPEG_XR_LOST] = "cannot be decoded: no process can be started for JPEG XR",
    [JPEG_XR_LATE] = "is not decoded after " G_STRINGIFY (JPEG_XR_SECONDS) " s, so that decoding it was ended",
  };
  jpeg_xr_job job = {.packed = n,
                     .pixels = (JPEG_XR_PACKED + n + JPEG_XR_PACKED - 1) / JPEG_XR_PACKED * JPEG_XR_PACKED,
                     .columns = block->columns,
                     .rows = block->rows,
                     .bytes = (guint32) pixel_type_bytes (pixel->type),
                     .samples = pixel->samples};
  job.whole = job.pixels + (guint64) block->columns * (guint64) block->rows * job.bytes * job.samples;
  const int file = memfd_create (JPEG_XR_PROGRAM, MFD_CLOEXEC);
  const jpeg_xr_end end = file < 0 ? JPEG_XR_LOST : decode (file, &job, packed, to);
  if (file >= 0)
    close (file);
  return end < G_N_ELEMENTS (faults) ? faults[end] : faults[JPEG_XR_DAMAGED];
}
