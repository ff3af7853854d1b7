/* SPDX-License-Identifier: MIT
 *
 * Horizontal differences (Predictor 2): each sample is stored as its difference to that of the pixel before it.
 */
#ifndef CORE_FILES_TIFF_PREDICTOR_H
#define CORE_FILES_TIFF_PREDICTOR_H

#include <glib.h>

/* Whether samples of so many bits can be differences. */
gboolean files_tiff_predictor_known (guint bits);
/* Makes values of differences in this machine's byte order, or the reverse, in rows of n pixels of so many samples each. */
void files_tiff_predictor_undo (guint bits, guint samples, gsize rows, gsize n, void *pixels);
void files_tiff_predictor_do (guint bits, guint samples, gsize rows, gsize n, void *pixels);

#endif
