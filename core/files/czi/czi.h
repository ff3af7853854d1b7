/* SPDX-License-Identifier: MIT
 *
 * Images of CZI files of Zeiss: mosaics are put together as they are read, of the tiles that a region touches. Where no tile is, pixels are 0.
 */
#ifndef CORE_FILES_CZI_CZI_H
#define CORE_FILES_CZI_CZI_H

#include "core/data/image.h"

/* Image n of a FilesCziLayout. NULL with *error. */
Image *files_czi_open (gpointer layout, guint n, GError **error);

#endif
