/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_ND2_FORMAT_H
#define CORE_FILES_ND2_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_nd2;

#endif
