/* SPDX-License-Identifier: MIT
 *
 * From runs with numbers to the label image.
 */
#ifndef KERNELS_LABEL_NUMBERS_H
#define KERNELS_LABEL_NUMBERS_H

#include "kernels/label/planes.h"

void label_write (const plane_group *s, int64_t from, int64_t to);

#endif
