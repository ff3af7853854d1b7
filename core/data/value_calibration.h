/* SPDX-License-Identifier: MIT
 *
 * Calibrated values, such as HU, OD or °C: ImageJ's functions of pixel values, with its rules. Only images of u8 and u16 intensities have
 * them. Measurements are of calibrated values; what computes pixels works on the values as they are stored.
 */
#ifndef CORE_DATA_VALUE_CALIBRATION_H
#define CORE_DATA_VALUE_CALIBRATION_H

#include "core/data/image.h"

enum { VALUE_FUNCTION_OD = 21 }; /* ImageJ's number of "Uncalibrated OD" */

/* Whether values of the image are calibrated: its type has such values, the function is known and has its coefficients, and there is a
 * unit, without which ImageJ ignores the function. */
gboolean value_is_calibrated (const ImageInfo *info);
/* "HU", of calibrated values and of an image made of such; NULL: values have none. */
const char *value_unit (const ImageInfo *info);
/* The calibrated value of each stored one, 256 or 65536, as long as the image lives; NULL: values are not calibrated. Any thread. */
const float *value_table (Image *image);
/* The calibrated value of any number: in double, and clipped at 0 for each type. */
double value_of_stored (const ImageInfo *info, double stored);
/* The stored value of a calibrated one: exact for a straight line, else the one with the nearest value, as ImageJ finds it. */
double value_to_stored (Image *image, double value);
/* n values as calibrated ones, in place. */
void value_calibrate (Image *image, double *values, gsize n);
/* The image in f32 with its calibrated values, in host memory, made on all cores. NULL with *error. */
Image *value_calibrated_image (Image *image, Progress *progress, GError **error);

#endif
