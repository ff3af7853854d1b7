/* SPDX-License-Identifier: MIT
 *
 * calibrate: out = in, with another physical size of a pixel.
 */
#ifndef KERNELS_IMAGE_CALIBRATE_H
#define KERNELS_IMAGE_CALIBRATE_H

#include "kernels/common/common.h"

typedef struct calibrate_args {
  double width, height, depth; /* height and depth 0: the width */
  char unit[16];               /* "" or a word for pixel: none */
} calibrate_args;

#endif
