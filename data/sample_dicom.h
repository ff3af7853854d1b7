/* SPDX-License-Identifier: MIT
 *
 * A folder of DICOM files, as a CT scanner leaves it: for the samples.
 */
#ifndef DATA_SAMPLE_DICOM_H
#define DATA_SAMPLE_DICOM_H

#include "core/data/image.h"

/* Writes each slice of a signed 16-bit image in HU, from -1024 to 3071, as slice_01.dcm and so on into the folder, which it makes. The image has one channel
 * and one frame, and its pixel sizes are in mm. FALSE with *error. */
gboolean sample_dicom_save (Image *image, const char *folder, GError **error);

#endif
