/* SPDX-License-Identifier: MIT
 *
 * Text images, as ImageJ calls them: tables of nothing but numbers.
 */
#ifndef CORE_FILES_TEXT_TEXT_IMAGE_H
#define CORE_FILES_TEXT_TEXT_IMAGE_H

#include "core/files/shared/format.h"

extern const FileFormat format_text;

/* Explains why no format took a file that begins so. FALSE if it is text and has the name of a text image: *error has the word that is not a number. */
gboolean files_text_image_explain (const char *path, const guint8 *head, gsize n, GError **error);

#endif
