/* SPDX-License-Identifier: MIT
 *
 * Whole slides, whose frames are tiles of one large image (PS3.3, C.8.12.4).
 */
#ifndef CORE_FILES_DICOM_MOSAIC_H
#define CORE_FILES_DICOM_MOSAIC_H

#include "core/files/dicom/file.h"

typedef struct DicomPlane {
  DicomFile *file; /* the series holds it */
  guint frame;
} DicomPlane;

typedef struct DicomMosaic {
  gint64 across, down;    /* tiles; those at the right and at the bottom may reach beyond the image */
  gint64 channels, depth; /* planes, of which each is that large */
  guint *frames;          /* plane by plane, row by row: the index of the frame, from 1; 0: no file has it */
  guint missing;          /* how many no file has */
} DicomMosaic;

/* Of n frames, those of one file or of a concatenation in their order. NULL: they are no tiles, or several say that they are at one position. */
DicomMosaic *dicom_mosaic_new (const DicomPlane *frames, guint n);
void dicom_mosaic_free (DicomMosaic *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DicomMosaic, dicom_mosaic_free)

#endif
