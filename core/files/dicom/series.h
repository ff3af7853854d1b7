/* SPDX-License-Identifier: MIT
 *
 * Images of DICOM files: the frames of one series that have one size and orientation, sorted into slices by their position in the patient and,
 * where several have the same position, into time points. A multi-frame image in several files is one. The tiles of a whole slide are one image. Files with fewer pixels of it are levels of its
 * pyramid.
 */
#ifndef CORE_FILES_DICOM_SERIES_H
#define CORE_FILES_DICOM_SERIES_H

#include "core/data/image_info.h"
#include "core/files/dicom/concatenation.h"
#include "core/files/dicom/mosaic.h"

typedef struct DicomSeries {
  gatomicrefcount references;
  GPtrArray *files;    /* of DicomFile */
  DicomPlane *planes;  /* time point by time point, slice by slice; of a slide, the frames in their order */
  DicomMosaic *mosaic; /* NULL: no slide */
  GPtrArray *levels;   /* of DicomSeries, the largest first: those behind level 0 */
  gint64 times, depth;
  double between; /* mm between slices; 0: unknown */
  guint missing;  /* slices that are missing between others */
  fv_type type;
} DicomSeries;

/* The series of the files that have pixels, in the order in which they first appear, slides before their labels: array of DicomSeries. Adds to *rest. */
GPtrArray *dicom_series_of (const GPtrArray *files, DicomRest *rest);
DicomSeries *dicom_series_ref (DicomSeries *self);
void dicom_series_unref (DicomSeries *self);
/* What tells it from others of the same patient, without saying who that is: "CT series 3". NULL: nothing is known. Free with g_free(). */
char *dicom_series_label (const DicomSeries *self);
/* All that is known of it. name: of the file or folder. Clear with image_info_clear(). */
void dicom_series_info (const DicomSeries *self, const char *name, guint number, ImageInfo *info);

#endif
