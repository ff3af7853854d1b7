/* SPDX-License-Identifier: MIT
 */
#include "core/base/system/libraries.h"

const char libraries_text[] = FOVEA_LIBRARIES;
