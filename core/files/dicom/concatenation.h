/* SPDX-License-Identifier: MIT
 *
 * Concatenations: multi-frame images that are divided into several files (PS3.3, C.7.6.16.2.2.4).
 */
#ifndef CORE_FILES_DICOM_CONCATENATION_H
#define CORE_FILES_DICOM_CONCATENATION_H

#include "core/files/dicom/file.h"

/* What of the files is in no image. */
typedef struct DicomRest {
  guint copies;  /* files with what another file has, too: the same instance, part or frames */
  guint missing; /* parts of concatenations that no file is */
} DicomRest;

/* The files that have pixels: array of arrays of DicomFile, each the parts of one concatenation in their order, or a file alone. Parts get the time and the
 * number of the first one, and all of them the number of their first frame. Adds to *rest. */
GPtrArray *dicom_concatenations_of (const GPtrArray *files, DicomRest *rest);

#endif
