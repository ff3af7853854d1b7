/* SPDX-License-Identifier: MIT
 *
 * The pixels of a series, read on demand.
 */
#ifndef CORE_FILES_DICOM_SOURCE_H
#define CORE_FILES_DICOM_SOURCE_H

#include "core/data/image.h"
#include "core/files/dicom/series.h"

/* info: as of dicom_series_info(). NULL with *error. */
Image *dicom_source_image (DicomSeries *series, const ImageInfo *info, GError **error);

#endif
