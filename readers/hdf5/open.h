/* SPDX-License-Identifier: MIT
 *
 * Opening a file of any kind.
 */
#ifndef READERS_HDF5_OPEN_H
#define READERS_HDF5_OPEN_H

#include "readers/hdf5/file.h"

/* path: of an HDF5 file, or of BigDataViewer's XML file. NULL with *error, a sentence. */
Hdf5File *hdf5_open (const char *path, fv_error *error);

#endif
