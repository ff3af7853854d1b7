/* SPDX-License-Identifier: MIT
 *
 * Which part of an image a picture shows.
 */
#ifndef UI_CANVAS_PAINT_AREA_H
#define UI_CANVAS_PAINT_AREA_H

/* Screen pixels from image position x, y. */
typedef struct PaintArea {
  double x, y, zoom;
  int width, height;
} PaintArea;

#endif
