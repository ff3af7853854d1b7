/* SPDX-License-Identifier: MIT
 *
 * What a DICOM file says of people, hospitals and dates: shown on request, never kept with an image.
 */
#ifndef CORE_FILES_DICOM_PERSONAL_H
#define CORE_FILES_DICOM_PERSONAL_H

#include "core/files/dicom/file.h"

/* A line for each, "Patient's name: ...", ends with a line break. NULL: there is nothing, or *error. Free with g_free(). */
char *dicom_personal (const DicomFile *file, GError **error);

#endif
