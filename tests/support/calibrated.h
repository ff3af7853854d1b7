/* SPDX-License-Identifier: MIT
 *
 * Images with calibrated values.
 */
#ifndef TESTS_SUPPORT_CALIBRATED_H
#define TESTS_SUPPORT_CALIBRATED_H

#include "core/data/image.h"

/* The same image with values low + factor × stored. */
static inline Image *
image_calibrated (Image *image, double low, double factor, const char *unit)
{
  ImageInfo info = *image_info (image);
  g_autoptr (ImageNotes) notes = image_notes_new (info.notes);
  notes->function = 0;
  notes->n_coefficients = 2;
  notes->coefficients[0] = low;
  notes->coefficients[1] = factor;
  notes->value_unit = g_strdup (unit);
  info.notes = notes;
  return image_with_info (image, &info);
}

#endif
