/* SPDX-License-Identifier: MIT
 *
 * Imaris (.ims), version 5.5: /DataSet/ResolutionLevel 0/TimePoint 0/Channel 0/Data, and what is known of it as text in attributes below /DataSetInfo.
 */
#ifndef READERS_HDF5_IMARIS_H
#define READERS_HDF5_IMARIS_H

#include "readers/hdf5/file.h"

extern const Hdf5Kind hdf5_imaris;

#endif
