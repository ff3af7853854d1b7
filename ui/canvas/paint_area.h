/* SPDX-License-Identifier: MIT
 *
 * Which part of an image a picture shows.
 */
#ifndef UI_CANVAS_PAINT_AREA_H
#define UI_CANVAS_PAINT_AREA_H

#include "core/figure/display_args.h"

typedef DisplayArea PaintArea;

#endif
