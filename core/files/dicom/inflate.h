/* SPDX-License-Identifier: MIT
 *
 * Files whose elements are deflated (PS3.5, annex A.5).
 */
#ifndef CORE_FILES_DICOM_INFLATE_H
#define CORE_FILES_DICOM_INFLATE_H

#include "core/files/shared/bytes.h"

/* The file as if it were not deflated: its bytes up to `at`, and what all others unpack to. NULL with *error. */
FilesBytes *dicom_inflate (FilesBytes *packed, guint64 at, GError **error);

#endif
