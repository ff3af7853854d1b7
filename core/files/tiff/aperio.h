/* SPDX-License-Identifier: MIT
 *
 * The texts of Aperio's slides (SVS), TIFF files whose descriptions have a line about the page and fields between bars: "Aperio Image Library
 * v11.2.1\r\n46000x32914 (256x256) J2K/YUV16 Q=30|AppMag = 20|MPP = 0.4990". Those of pictures of the glass are "...\r\nlabel 387x463".
 */
#ifndef CORE_FILES_TIFF_APERIO_H
#define CORE_FILES_TIFF_APERIO_H

#include "core/files/tiff/dir.h"

/* Whether the text of the first page, which may be NULL, is of such a slide. */
gboolean files_tiff_aperio_is (const char *description);
/* What a page shows that does not show the slide: "label", "macro". NULL: it shows the slide. first: the slide's first page. Free with g_free(). */
char *files_tiff_aperio_name (const FilesTiffFile *file, const FilesTiffPage *page, const FilesTiffPage *first);
/* The width and height of a pixel in µm ("MPP") that the page's text has; 0: none. */
double files_tiff_aperio_pixel_size (const FilesTiffFile *file, const FilesTiffPage *page);

#endif
