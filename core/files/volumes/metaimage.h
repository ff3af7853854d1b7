/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_VOLUMES_METAIMAGE_H
#define CORE_FILES_VOLUMES_METAIMAGE_H

#include "core/files/shared/format.h"

extern const FileFormat format_metaimage;

#endif
