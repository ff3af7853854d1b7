/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_VOLUMES_NRRD_H
#define CORE_FILES_VOLUMES_NRRD_H

#include "core/files/shared/format.h"

extern const FileFormat format_nrrd;

#endif
