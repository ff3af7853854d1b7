/* SPDX-License-Identifier: MIT
 *
 * The directory of a CZI file: its sub-blocks, which are rectangles of pixels, with what each of them shows.
 */
#ifndef CORE_FILES_CZI_DIRECTORY_H
#define CORE_FILES_CZI_DIRECTORY_H

#include "core/files/czi/segment.h"

/* Axes other than x and y: channel, slice, frame, scene, phase, view, rotation, illumination, block, and the order of a mosaic's tiles. */
typedef enum {
  FILES_CZI_C,
  FILES_CZI_Z,
  FILES_CZI_T,
  FILES_CZI_S,
  FILES_CZI_H,
  FILES_CZI_V,
  FILES_CZI_R,
  FILES_CZI_I,
  FILES_CZI_B,
  FILES_CZI_M,
  FILES_CZI_AXES
} FilesCziAxis;

/* Bytes of an entry of the directory without its axes, and of an axis. */
enum { FILES_CZI_ENTRY = 32, FILES_CZI_AXIS = 20 };

typedef enum {
  FILES_CZI_RAW = 0,
  FILES_CZI_JPEG = 1,
  FILES_CZI_LZW = 2,
  FILES_CZI_JPEG_XR = 4,
  FILES_CZI_ZSTD0 = 5,
  FILES_CZI_ZSTD1 = 6,
} FilesCziCompression;

typedef struct FilesCziBlock {
  gint64 at;                      /* of its segment; not checked */
  gint32 x, y, width, height;     /* what it shows, in pixels of the file's plane, which may be negative */
  gint32 columns, rows;           /* that it stores: fewer than that on higher levels of a pyramid. At least 1 */
  gint32 index[FILES_CZI_AXES];   /* G_MININT32: not on that axis */
  gint32 pixel_type, compression; /* as stored */
  gboolean is_pyramid;            /* says the file */
} FilesCziBlock;

/* GArray of FilesCziBlock in their order, at least one, from the directory's segment. *others: how many have no rectangle of one plane or are in
 * other files. NULL with *error. */
GArray *files_czi_directory_read (FilesBytes *bytes, gint64 at, guint *others, GError **error);

#endif
