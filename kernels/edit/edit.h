/* SPDX-License-Identifier: MIT
 *
 * edit: commands that change objects of a label image one after the other. Positions, pixels of objects, select them:
 * - delete: the object becomes background.
 * - merge: the objects get the number of the first.
 * - split: the pixels of a line become background in the objects that they divide. The largest part of such an object keeps its number; the others
 *   get new ones, in their order.
 * - draw: the polygon, its outline included, becomes the object at its first position, or a new one if there is none.
 * - erase: the polygon becomes background.
 * - fill: background that the object encloses becomes the object.
 * - Lines are Bresenham's, as in skimage.draw.line; those that split include the pixels that make them 4-connected.
 * - Objects are connected by corners, background by faces.
 * - New objects are numbered from the largest number of the input on. Only pixels of boxes around what a command changes are looked at, so that the
 *   twins share all but a few passes.
 */
#ifndef KERNELS_EDIT_EDIT_H
#define KERNELS_EDIT_EDIT_H

#include "kernels/edit/edit_job.h"

#ifdef __cplusplus
extern "C" {
#endif

fv_status edit_cuda (const fv_call *call, fv_error *error);

#ifdef __cplusplus
}
#endif

#endif
