/* SPDX-License-Identifier: MIT
 *
 * JPEG 2000 files (ITU-T T.800, T.801), with boxes or bare codestreams. Values are as they are stored: a bit is a mask of 0 and 255, a palette becomes its
 * colors, Y, Cb and Cr become RGB. Alpha that is not opaque everywhere is the last channel.
 */
#ifndef CORE_FILES_JPEG2000_FORMAT_H
#define CORE_FILES_JPEG2000_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_jpeg2000;

#endif
