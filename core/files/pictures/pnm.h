/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_PICTURES_PNM_H
#define CORE_FILES_PICTURES_PNM_H

#include "core/files/shared/format.h"

extern const FileFormat format_pnm;

#endif
