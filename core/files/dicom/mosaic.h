/* SPDX-License-Identifier: MIT
 *
 * Whole slides, whose frames are tiles of one large image (PS3.3, C.8.12.4).
 */
#ifndef CORE_FILES_DICOM_MOSAIC_H
#define CORE_FILES_DICOM_MOSAIC_H

#include "core/files/dicom/header.h"

typedef struct DicomMosaic {
  gint64 across, down;    /* tiles; those at the right and at the bottom may reach beyond the image */
  gint64 channels, depth; /* planes, of which each is that large */
  guint *frames;          /* plane by plane, row by row: the number of the frame, from 1; 0: the file has none */
  guint missing;          /* how many it has not */
} DicomMosaic;

/* NULL: the frames are no tiles, or several say that they are at one position. */
DicomMosaic *dicom_mosaic_new (const DicomHeader *header);
void dicom_mosaic_free (DicomMosaic *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DicomMosaic, dicom_mosaic_free)

#endif
