/* SPDX-License-Identifier: MIT
 *
 * OME-Zarr as a format, and arrays of Zarr alone.
 */
#ifndef CORE_FILES_ZARR_FORMAT_H
#define CORE_FILES_ZARR_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_zarr;

#endif
