/* SPDX-License-Identifier: MIT
 *
 * Regions of planes, out of datasets whose axes may come in any order.
 */
#ifndef READERS_HDF5_PIXELS_H
#define READERS_HDF5_PIXELS_H

#include "readers/hdf5/image.h"
#include "readers/process/serve.h"

/* Writes rows of a plane without gaps. d: the dataset that has it. FALSE with *error. */
gboolean hdf5_pixels_read (const Hdf5Image *image, const Hdf5Dataset *d, const ProcessRegion *region, guint8 *to,
                           fv_error *error);

#endif
