/* SPDX-License-Identifier: MIT
 *
 * A dataset of pixels: what is stored, and in what parts.
 */
#ifndef READERS_HDF5_DATASET_H
#define READERS_HDF5_DATASET_H

#include "fovea-plugin.h"

#include <glib.h>
#include <hdf5.h>

enum { HDF5_AXES = 8 /* of a dataset, at most */ };

/* How numbers of a file become pixels. */
typedef enum {
  HDF5_AS_IT_IS,
  HDF5_MASK,     /* false and true: 0 and 255 */
  HDF5_SIGNED,   /* 64-bit integers as 64-bit floats, where these hold them exactly */
  HDF5_UNSIGNED, /* likewise */
} Hdf5Conversion;

typedef struct {
  hid_t id;
  guint n; /* axes */
  gint64 shape[HDF5_AXES];
  gint64 chunk[HDF5_AXES]; /* what is decoded together; `shape` where there are no chunks */
  gboolean chunked;
  fv_type type;
  Hdf5Conversion conversion;
  hid_t memory; /* the type in which it is read */
  gsize bytes;  /* of it */
} Hdf5Dataset;

/* Opens it. FALSE with *error, when it is none that can be an image, and nothing to close. */
gboolean hdf5_dataset_open (Hdf5Dataset *d, hid_t file, const char *path, fv_error *error);
/* The same with room for what a plane touches, so that its neighbors need not be decoded again. *room: those bytes. */
gboolean hdf5_dataset_open_to_read (Hdf5Dataset *d, hid_t file, const char *path, gsize *room, fv_error *error);
void hdf5_dataset_close (Hdf5Dataset *d);

#endif
