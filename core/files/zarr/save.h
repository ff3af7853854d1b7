/* SPDX-License-Identifier: MIT
 *
 * Saving OME-Zarr 0.5 and 0.4.
 */
#ifndef CORE_FILES_ZARR_SAVE_H
#define CORE_FILES_ZARR_SAVE_H

#include "core/data/image.h"

/* Any image; needs memory for one plane, and a third more for the pyramid, at a time. choices: ZarrChoices. FALSE with *error. */
gboolean zarr_save (Image *image, const char *path, gconstpointer choices, GError **error);

#endif
