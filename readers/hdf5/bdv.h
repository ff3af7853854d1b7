/* SPDX-License-Identifier: MIT
 *
 * BigDataViewer and BigStitcher: /t00000/s00/0/cells has time point 0 of view setup 0 in level 0. An XML file beside it says what the setups are; those that
 * differ in nothing but their channel are channels of one image.
 */
#ifndef READERS_HDF5_BDV_H
#define READERS_HDF5_BDV_H

#include "readers/hdf5/file.h"

extern const Hdf5Kind hdf5_bdv;

/* The HDF5 file to open for this path, which may be that of the XML file, which is then among the others; it is read into file->about. Free with g_free().
 * NULL with *error. */
char *hdf5_bdv_path (Hdf5File *file, const char *path, fv_error *error);

#endif
