/* SPDX-License-Identifier: MIT
 *
 * The range of values in which ImageJ shows an image, which some of its lines spread over a type. How Fovea shows it is another matter.
 */
#ifndef CORE_MACRO_IMAGEJ_RANGE_H
#define CORE_MACRO_IMAGEJ_RANGE_H

#include "core/macro/state.h"

/* From now on the current image is shown from the smallest to the largest value that it has now; or between low and high. Lines that
 * only filter leave both as they are. */
void imagej_range_follow (Macro *m);
/* The same with the values of all its slices, where other images have those of the first. */
void imagej_range_all (Macro *m);
void imagej_range_set (Macro *m, double low, double high);
/* The command shows it in a range that is not known here: what depends on it is an error until it is set or follows. */
void imagej_range_lose (Macro *m, const char *command);
/* What ImageJ shows of the current image in black and in white; raises an error where it is not known. */
void imagej_range_shown (Macro *m, double *low, double *high);

/* The range of values of a plane that has one value, or of the last plane; whether all values are finite. */
gboolean imagej_values (Macro *m, Image *image, double *low, double *high);

#endif
