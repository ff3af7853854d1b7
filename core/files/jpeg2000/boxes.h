/* SPDX-License-Identifier: MIT
 *
 * The boxes of a JPEG 2000 file (ITU-T T.800 Annex I, T.801 Annex M): what the numbers of its codestream mean.
 */
#ifndef CORE_FILES_JPEG2000_BOXES_H
#define CORE_FILES_JPEG2000_BOXES_H

#include "core/files/shared/bytes.h"
#include "core/files/shared/resolution.h"

/* EnumCS of the box colr. */
enum { FILES_JP2_UNKNOWN = 0, FILES_JP2_SRGB = 16, FILES_JP2_GRAY = 17, FILES_JP2_SYCC = 18 };

/* A channel of the box cmap: a component, or what column `column` of the palette makes of it; -1: no palette. */
typedef struct FilesJp2Map {
  guint component;
  int column;
} FilesJp2Map;

/* A channel of the box cdef. */
typedef struct FilesJp2Meaning {
  guint channel, type, of; /* type: 0 color, 1 or 2 alpha; of: 0 the whole image, or the number of the color from 1 */
} FilesJp2Meaning;

typedef struct FilesJp2Boxes {
  guint64 at, size;  /* the first codestream */
  guint codestreams; /* how many there are */
  guint color;       /* EnumCS */
  guint palette_columns, palette_entries;
  guint8 *palette;  /* NULL, or entries × columns */
  GArray *maps;     /* FilesJp2Map */
  GArray *meanings; /* FilesJp2Meaning */
  FilesResolution x, y;
} FilesJp2Boxes;

/* Whether a file that begins so has such boxes, or is a codestream without them. */
gboolean files_jp2_is (const guint8 *head, gsize n);
/* Reads the boxes; a bare codestream has none. Clear in any case. FALSE with *error. */
gboolean files_jp2_boxes_read (FilesJp2Boxes *boxes, FilesBytes *bytes, GError **error);
void files_jp2_boxes_clear (FilesJp2Boxes *boxes);

#endif
