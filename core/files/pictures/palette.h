/* SPDX-License-Identifier: MIT
 *
 * At most 256 colors for a picture or a movie: its own colors if it has no more, otherwise those whose squared differences from its pixels are small.
 */
#ifndef CORE_FILES_PICTURES_PALETTE_H
#define CORE_FILES_PICTURES_PALETTE_H

#include <glib.h>

typedef struct FilesPalette FilesPalette;
FilesPalette *files_palette_new (void);
void files_palette_free (FilesPalette *palette);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesPalette, files_palette_free)
/* Counts n more pixels, each red, green and blue. */
void files_palette_add (FilesPalette *palette, const guint8 *pixels, gsize n);
/* When all are counted: the colors, n times red, green and blue. They depend on the pixels alone, and not on their order. */
const guint8 *files_palette_colors (FilesPalette *palette, guint *n);
/* The indices of the closest colors of pixels that were counted. Any thread. */
void files_palette_index (const FilesPalette *palette, const guint8 *pixels, gsize n, guint8 *to);

#endif
