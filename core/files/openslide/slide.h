/* SPDX-License-Identifier: MIT
 *
 * A slide that OpenSlide has opened: image 0 is the slide, with the levels of its pyramid; further ones are pictures of the glass, such as its label.
 */
#ifndef CORE_FILES_OPENSLIDE_SLIDE_H
#define CORE_FILES_OPENSLIDE_SLIDE_H

#include "core/data/image.h"

typedef struct FilesSlide FilesSlide;

/* FALSE with *error, also when OpenSlide is not installed. what: the kind of slide, for errors. */
FilesSlide *files_slide_open (const char *path, const char *what, GError **error);
FilesSlide *files_slide_ref (FilesSlide *slide);
void files_slide_unref (FilesSlide *slide);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesSlide, files_slide_unref)

guint files_slide_count (const FilesSlide *slide);
/* Paths of the other files that it is read from. */
const GPtrArray *files_slide_others (const FilesSlide *slide);
/* Image n: 8-bit RGB, without reading pixels. NULL with *error. */
Image *files_slide_image (FilesSlide *slide, guint n, GError **error);

#endif
