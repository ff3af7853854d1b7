/* SPDX-License-Identifier: MIT
 *
 * What of a run is looked at, at one of its steps.
 */
#ifndef CORE_RUN_SHOWN_H
#define CORE_RUN_SHOWN_H

#include "core/data/plane.h"
#include "core/run/run.h"

/* The image that step `index` thresholded to a mask; NULL if it did not. */
Image *shown_thresholded (const Run *run, int index);
/* The threshold that a step found for that plane of what it took; NaN: none, or it finds none. */
double shown_found (const RunStep *result, const ImageInfo *taken, PlanePosition position);
/* The range of values that a threshold selects, automatic or manual; unlimited ends are infinite. result: NULL, or what the last run made of the step,
 * for derived limits. An automatic lower limit is below all selected
 * values. FALSE without a threshold. */
gboolean shown_band (const Step *step, const RunStep *result, double found, double *low, double *high);
gboolean shown_is_by_hand (const Step *step);
/* Labels that can be drawn over the image: those of the step or of the last one before it that made some, else of the last step
 * that did; NULL: none that fit. */
Image *shown_labels (const Run *run, int index, Image *image);
/* Whether the image, which is that of the step, is the labels themselves, or made of them: then outlines would only hide it. */
gboolean shown_is_objects (const Run *run, int index, Image *image);
/* Whether two images have the same rows, columns, slices and frames. */
gboolean shown_alike (Image *a, Image *b);

#endif
