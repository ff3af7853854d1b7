/* SPDX-License-Identifier: MIT
 *
 * Where a picture is drawn.
 */
#ifndef UI_CANVAS_PAINT_DEVICE_H
#define UI_CANVAS_PAINT_DEVICE_H

#include "ui/view/view.h"

/* The device with memory of its own that made the image, and the labels or NULL. NULL if it cannot draw them with these display settings, one for
 * each channel, or will not have time for it soon, between the runs of the document. */
Device *paint_device (const Op *display, Image *image, Image *labels, const ViewChannel *settings,
                      const Document *document);

#endif
