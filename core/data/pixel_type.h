/* SPDX-License-Identifier: MIT
 *
 * Types of pixels in DLPack's words.
 */
#ifndef LIBRARY_PIXEL_TYPE_H
#define LIBRARY_PIXEL_TYPE_H

#include "fovea-plugin.h"

#include <glib.h>

DLDataType pixel_type_to_dl (fv_type type);
/* FALSE: an image cannot have it. */
gboolean pixel_type_from_dl (DLDataType type, fv_type *to);

#endif
