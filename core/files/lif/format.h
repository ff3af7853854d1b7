/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_LIF_FORMAT_H
#define CORE_FILES_LIF_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_lif;

#endif
