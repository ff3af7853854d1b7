/* SPDX-License-Identifier: MIT
 *
 * OME-XML in a file of its own: with pixels in it, or the companion of a set of OME-TIFF files.
 */
#ifndef CORE_FILES_OME_FORMAT_H
#define CORE_FILES_OME_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_ome_xml;

#endif
