/* SPDX-License-Identifier: MIT
 *
 * An image in a wider type.
 */
#ifndef CORE_DATA_WIDEN_H
#define CORE_DATA_WIDEN_H

#include "core/data/image.h"

/* The same values, as intensities, in a type that holds them all; in host memory, made on all cores. NULL with *error. */
Image *widen_image (Image *image, fv_type type, Progress *progress, GError **error);

#endif
