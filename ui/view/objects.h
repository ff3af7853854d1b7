/* SPDX-License-Identifier: MIT
 *
 * The objects of an image that was measured, whatever type its labels have.
 */
#ifndef UI_VIEW_OBJECTS_H
#define UI_VIEW_OBJECTS_H

#include "core/data/image.h"
#include "core/ops/module.h"

/* The image as i32 labels, a new reference: the image itself where that will do. On a worker's thread; what is made is kept with
 * the image. NULL with *error. */
Image *objects_labels (Image *image, const Modules *modules, Device *device, Progress *progress, GError **error);

#endif
