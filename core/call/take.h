/* SPDX-License-Identifier: MIT
 *
 * An image as an input wants it. One of a type that the input does not take is widened, with the same values. Calibrated values are f32. Labels are i32: integers from 0
 * (background) to 2^31 - 1. u8 and u16 images are labels as they are, other types are when all their values fit. All of a mask is the one object 1. A
 * mask is u8: all that is neither 0 nor NaN is inside. What is made, is made once and kept with the image.
 */
#ifndef CORE_CALL_TAKE_H
#define CORE_CALL_TAKE_H

#include "core/data/image.h"
#include "core/ops/module.h"

/* The image as the input requires it, a new reference: the image itself if it fits. NULL with *error, which names
 * the input, the value that is not a label, and its position. modules: has the operations that do the work. */
Image *take_image (const fv_input *input, Image *image, const Modules *modules, Device *device, Progress *progress,
                   GError **error);

#endif
