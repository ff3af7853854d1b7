/* SPDX-License-Identifier: MIT
 *
 * The XML file of BigDataViewer and BigStitcher: which HDF5 file has the pixels, and what is known of each view setup.
 */
#ifndef READERS_HDF5_BDV_XML_H
#define READERS_HDF5_BDV_XML_H

#include "fovea-plugin.h"

#include <glib.h>

typedef struct {
  guint id;
  char *name, *unit, *channel; /* NULL: not given; channel: its name, else its number */
  char *view;                  /* what else tells it apart: "angle 0, tile 1"; never NULL */
  char *channel_id;            /* NULL: none */
  double size[3];              /* of a voxel along x, y, z; 0: not given */
} Hdf5Setup;

typedef struct {
  char *format, *file; /* of the loader: "bdv.hdf5"; the HDF5 file's path from the XML file */
  GPtrArray *setups;   /* Hdf5Setup */
} Hdf5Views;

/* NULL with *error. */
Hdf5Views *hdf5_views_read (const char *path, fv_error *error);
void hdf5_views_free (gpointer views);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Hdf5Views, hdf5_views_free)

#endif
