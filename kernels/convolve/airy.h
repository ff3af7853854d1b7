/* SPDX-License-Identifier: MIT
 *
 * How a widefield microscope sees a point in focus: (2 J1 (x) / x)^2 with x = 2 pi NA r / wavelength, at the distance r from it, up to the fourth dark
 * ring. A pixel has the mean over 5 x 5 samples in it; beyond the ring samples are 0. Not normalized. Reference: scipy.special.j1.
 */
#ifndef KERNELS_CONVOLVE_AIRY_H
#define KERNELS_CONVOLVE_AIRY_H

#include "kernels/common/common.h"

enum { AIRY_REACH = 255 }; /* in pixels, at most */

/* All lengths in nm. */
typedef struct airy_disk {
  double na, wavelength;
  double height, width; /* of a pixel */
} airy_disk;

/* The length of the unit; 0: unknown. */
double airy_unit (const char *unit);
/* How many pixels it reaches along y and x, from the middle one; more than AIRY_REACH is AIRY_REACH + 1. */
void airy_reach (const airy_disk *disk, int64_t reach[2]);
/* [2 reach[0] + 1][2 reach[1] + 1] */
void airy_fill (const airy_disk *disk, double *to);

#endif
