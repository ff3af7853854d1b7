/* SPDX-License-Identifier: MIT
 *
 * Which axis of a dataset is which.
 */
#ifndef READERS_HDF5_AXES_H
#define READERS_HDF5_AXES_H

#include "readers/hdf5/image.h"

/* A letter for each axis: "tczyx" in some order, and '?' for an axis of one pixel that the image does not have. It comes from ilastik's `axistags`,
 * DIMENSION_LABELS, IMAGE_SUBCLASS or MATLAB_class, or else from the sizes. Sets *colors if three channels are red, green and blue. FALSE with *error: it
 * is not an image. */
gboolean hdf5_axes_find (const Hdf5Dataset *d, char letters[HDF5_AXES + 1], gboolean *colors, fv_error *error);

#endif
