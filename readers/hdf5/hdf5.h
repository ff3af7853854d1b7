/* SPDX-License-Identifier: MIT
 *
 * The reader of HDF5 files: Imaris, BigDataViewer, and plain datasets as ilastik, h5py and MATLAB write them.
 */
#ifndef READERS_HDF5_HDF5_H
#define READERS_HDF5_HDF5_H

#include "fovea-plugin.h"

#define HDF5_PROGRAM "fovea-hdf5"
enum { HDF5_SECONDS = 120 /* for one answer of its process */ };

extern const fv_reader hdf5_reader;

#endif
