/* SPDX-License-Identifier: MIT
 *
 * DICOM: a file, or a folder whose files are slices of volumes.
 */
#ifndef CORE_FILES_DICOM_FORMAT_H
#define CORE_FILES_DICOM_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_dicom;

#endif
