/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_VOLUMES_NUMPY_H
#define CORE_FILES_VOLUMES_NUMPY_H

#include "core/files/shared/format.h"

extern const FileFormat format_numpy;

#endif
