/* SPDX-License-Identifier: MIT
 *
 * PNG's filters: each byte of a row less what its neighbors let expect, so that it is compressed better.
 */
#ifndef CORE_FILES_PICTURES_PNG_FILTER_H
#define CORE_FILES_PICTURES_PNG_FILTER_H

#include <glib.h>

/* Writes the filter's number and the n filtered bytes of a row to `to`, by the filter with the smallest result. The row before is `above`, zeros for
 * the first, and a pixel has `pixel` bytes. Scratch `try` has 1 + n bytes. In front of each row `pixel` bytes exist and are zero. */
void files_png_filter (const guint8 *row, const guint8 *above, gsize n, guint pixel, guint8 *to, guint8 *try);

#endif
