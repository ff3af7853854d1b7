/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_VOLUMES_NIFTI_H
#define CORE_FILES_VOLUMES_NIFTI_H

#include "core/files/shared/format.h"

extern const FileFormat format_nifti;

#endif
