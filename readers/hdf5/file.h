/* SPDX-License-Identifier: MIT
 *
 * An opened HDF5 file, or several that belong together.
 */
#ifndef READERS_HDF5_FILE_H
#define READERS_HDF5_FILE_H

#include "readers/hdf5/image.h"

typedef struct Hdf5File Hdf5File;

/* What makes images of the groups and datasets of a file. */
typedef struct {
  /* Whether the file is of this kind; it then has said with hdf5_file_add() how many images there are, or set *error. */
  gboolean (*find) (Hdf5File *file, fv_error *error);
  Hdf5Image *(*image) (Hdf5File *file, guint n, fv_error *error);
} Hdf5Kind;

struct Hdf5File {
  hid_t id;
  char *path, *folder; /* of the HDF5 file */
  const Hdf5Kind *kind;
  GPtrArray *names;  /* of the images, as the kind calls them */
  GPtrArray *images; /* Hdf5Image, or NULL: not made yet */
  GPtrArray *others; /* paths of files that are read, too */
  GString *left_out;
  gpointer about; /* the kind's own, or NULL */
  GDestroyNotify about_free;
  GHashTable *parts; /* HDF5 files beside it -> hid_t + 1 */
  GPtrArray *open;   /* datasets, the one that was used last at the end */
  gsize room;        /* that they may take */
};

/* Nothing is opened yet; path: what the user named. */
Hdf5File *hdf5_file_new (const char *path);
void hdf5_file_free (gpointer file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Hdf5File, hdf5_file_free)

/* One more image. FALSE with *error: there are too many. */
gboolean hdf5_file_add (Hdf5File *file, const char *name, fv_error *error);
/* Stays the file's. NULL with *error. */
Hdf5Image *hdf5_file_image (Hdf5File *file, guint n, fv_error *error);
/* Opens a dataset to look at it; close with hdf5_dataset_close(). */
gboolean hdf5_file_look (Hdf5File *file, const char *path, Hdf5Dataset *d, fv_error *error);
/* A dataset to read from; stays the file's, until the next call. NULL with *error. */
const Hdf5Dataset *hdf5_file_dataset (Hdf5File *file, const char *path, fv_error *error);
/* Whether every link on the path exists. */
gboolean hdf5_file_has (Hdf5File *file, const char *path);
/* A group or dataset; close with H5Oclose(). Negative: there is none. */
hid_t hdf5_file_object (Hdf5File *file, const char *path);

#endif
