/* SPDX-License-Identifier: MIT
 */
#include "readers/hdf5/open.h"

#include "readers/hdf5/bdv.h"
#include "readers/hdf5/imaris.h"
#include "readers/hdf5/plain.h"
#include "readers/process/serve.h"

static const Hdf5Kind *const kinds[] = {&hdf5_imaris, &hdf5_bdv, &hdf5_plain};

static gboolean
open_hdf5 (Hdf5File *f, fv_error *error)
{
  f->id = H5Fopen (f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (f->id >= 0)
    return TRUE;
  if (!g_file_test (f->path, G_FILE_TEST_EXISTS))
    return process_error (error, FV_BAD_INPUT, "%.300s is missing.", f->path);
  return process_error (error, FV_BAD_INPUT,
                        H5Fis_hdf5 (f->path) > 0 ? "It is truncated or damaged: HDF5 cannot open it."
                                                 : "It is not HDF5.");
}

static gboolean
find_images (Hdf5File *f, fv_error *error)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i]->find (f, error)) {
      f->kind = kinds[i];
      break;
    }
  g_ptr_array_set_size (f->images, (int) f->names->len);
  if (error->code)
    return FALSE;
  return f->names->len > 0
         || process_error (error, FV_UNSUPPORTED,
                           "It holds no image: no dataset of numbers has two axes or more%s%.300s.",
                           f->left_out->len ? "; there are " : "", f->left_out->str);
}

Hdf5File *
hdf5_open (const char *path, fv_error *error)
{
  g_autoptr (Hdf5File) f = hdf5_file_new (path);
  f->path = hdf5_bdv_path (f, path, error);
  return f->path && open_hdf5 (f, error) && find_images (f, error) ? g_steal_pointer (&f) : NULL;
}
