/* SPDX-License-Identifier: MIT
 *
 * split on the CPU, by islands. What is connected in the mask is flooded by itself, and what it is flooded by depends on what is within reach of the
 * smoothing alone. So the objects of a plane are laid side by side on a sheet, each with so many pixels around it. The sheet is flooded, and its
 * labels are copied back and numbered like those of the plane. Where objects are few the sheet is much smaller than the plane.
 */
#ifndef KERNELS_SPLIT_SPLIT_ISLANDS_H
#define KERNELS_SPLIT_SPLIT_ISLANDS_H

#include "kernels/split/split_chain.h"

/* *done stays false when that would not be faster, and for volumes, stacks and ImageJ's method; then nothing is written. */
fv_status split_islands_cpu (const fv_call *call, const split_passes *passes, bool *done, fv_error *error);

#endif
