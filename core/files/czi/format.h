/* SPDX-License-Identifier: MIT
 *
 * CZI of Zeiss as a format: czi.h reads it.
 */
#ifndef CORE_FILES_CZI_FORMAT_H
#define CORE_FILES_CZI_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_czi;

#endif
