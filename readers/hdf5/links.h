/* SPDX-License-Identifier: MIT
 *
 * How objects of a file are opened, so that no link leads to another file.
 */
#ifndef READERS_HDF5_LINKS_H
#define READERS_HDF5_LINKS_H

#include <glib.h>
#include <hdf5.h>

/* A list of H5P_LINK_ACCESS or H5P_DATASET_ACCESS. Close with H5Pclose(). */
hid_t hdf5_links_access (hid_t of);
/* Whether all of the path exists in the file, without links to others. */
gboolean hdf5_links_exist (hid_t file, const char *path);
/* A group or dataset; close with H5Oclose(). Negative: there is none. */
hid_t hdf5_links_open (hid_t file, const char *path);

#endif
