/* SPDX-License-Identifier: MIT
 */
#ifndef CORE_FILES_TEXT_TEXT_IMAGE_WRITE_H
#define CORE_FILES_TEXT_TEXT_IMAGE_WRITE_H

#include "core/data/image.h"

/* Writes one plane as rows of numbers, with commas between them in a .csv, otherwise with tabs, as save() of FileFormat. Each number has as few digits as
 * say its value exactly. */
gboolean files_text_image_save (Image *image, const char *path, gconstpointer options, GError **error);

#endif
