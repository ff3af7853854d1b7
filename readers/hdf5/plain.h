/* SPDX-License-Identifier: MIT
 *
 * Any other HDF5 file: each dataset of numbers with two axes or more is an image, called by its path.
 */
#ifndef READERS_HDF5_PLAIN_H
#define READERS_HDF5_PLAIN_H

#include "readers/hdf5/file.h"

extern const Hdf5Kind hdf5_plain;

#endif
