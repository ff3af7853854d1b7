/* SPDX-License-Identifier: MIT
 *
 * fovea-hdf5: the process that reads HDF5 files. It is started by readers/hdf5/reader.c. HDF5's library is used by its one thread.
 */
#include "readers/hdf5/hdf5.h"
#include "readers/hdf5/open.h"
#include "readers/hdf5/pixels.h"
#include "readers/process/serve.h"

#include <string.h>
#include <sys/resource.h>

#define MEMORY ((rlim_t) 8 << 30) /* bytes of addresses; the largest chunk has 1 GiB */

static gpointer
open_file (const char *path, GByteArray *answer, fv_error *error)
{
  g_autoptr (Hdf5File) file = hdf5_open (path, error);
  if (!file)
    return NULL;
  process_put_u32 (answer, file->names->len);
  process_put_text (answer, file->left_out->str);
  process_put_u32 (answer, file->others->len);
  for (guint i = 0; i < file->others->len; i++) {
    const char *other = file->others->pdata[i];
    process_put_u32 (answer, (guint32) strlen (other));
    g_byte_array_append (answer, (const guint8 *) other, (guint) strlen (other)); /* a path may have any bytes */
  }
  return g_steal_pointer (&file);
}

static fv_status
put_image (gpointer file, guint n, GByteArray *answer, fv_error *error)
{
  const Hdf5Image *image = hdf5_file_image (file, n, error);
  if (image)
    hdf5_image_put (image, answer);
  return error->code;
}

/* Whether it is a region of the image, and fits. */
static gboolean
check_region (const Hdf5Image *image, const ProcessRegion *r)
{
  if (r->level >= image->levels->len)
    return FALSE;
  const Hdf5Level *l = &g_array_index (image->levels, Hdf5Level, r->level);
  const gint64 planes = image->sizes[HDF5_T] * image->sizes[HDF5_C] * image->sizes[HDF5_Z];
  return r->plane >= 0 && r->plane < planes && r->row >= 0 && r->column >= 0 && r->rows > 0 && r->columns > 0
         && r->row < l->rows && r->rows <= l->rows - r->row && r->column < l->columns
         && r->columns <= l->columns - r->column && r->columns <= PROCESS_PIXELS / 8
         && r->rows <= PROCESS_PIXELS / r->columns;
}

static fv_status
read_region (gpointer file, const ProcessRegion *region, guint8 *to, fv_error *error)
{
  const Hdf5Image *image = hdf5_file_image (file, (guint) region->image, error);
  if (!image)
    return error->code;
  if (!check_region (image, region)) {
    process_error (error, FV_BAD_INPUT, "It has no such region.");
    return error->code;
  }
  const gint64 frame = region->plane / image->sizes[HDF5_Z] / image->sizes[HDF5_C],
               channel = region->plane / image->sizes[HDF5_Z] % image->sizes[HDF5_C];
  g_autofree char *path = image->dataset (image, (guint) region->level, frame, channel);
  const Hdf5Dataset *d = hdf5_file_dataset (file, path, error);
  if (d)
    hdf5_pixels_read (image, d, region, to, error);
  return error->code;
}

/* A damaged file may ask for any amount of memory. Sanitizers take addresses for themselves. */
static void
limit_memory (void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const struct rlimit most = {MEMORY, MEMORY};
  setrlimit (RLIMIT_AS, &most);
#endif
}

int
main (void)
{
  static const ProcessFunctions functions = {open_file, hdf5_file_free, put_image, read_region};
  /* A file that another program writes, or on a server without locks, can be read all the same. */
  g_setenv ("HDF5_USE_FILE_LOCKING", "FALSE", TRUE);
  limit_memory ();
  H5open ();
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  return process_serve (&functions, HDF5_SECONDS + 10);
}
