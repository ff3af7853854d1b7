/* SPDX-License-Identifier: MIT
 *
 * FITS as a format: fits.h reads it, write.h writes it.
 */
#ifndef CORE_FILES_FITS_FORMAT_H
#define CORE_FILES_FITS_FORMAT_H

#include "core/files/shared/format.h"

extern const FileFormat format_fits;

#endif
