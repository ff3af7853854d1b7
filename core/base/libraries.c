/* SPDX-License-Identifier: MIT
 */
#include "core/base/libraries.h"

const char libraries_text[] = FOVEA_LIBRARIES;
