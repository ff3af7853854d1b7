/* SPDX-License-Identifier: MIT
 *
 * Images whose pixels lie in files as they are. Planes have known offsets; rows and pixels follow in steps of so many bytes. A step is negative where a
 * format stores the last row or column first. Any region is read on all cores, into the caller's memory.
 */
#ifndef CORE_FILES_SHARED_BLOCKS_H
#define CORE_FILES_SHARED_BLOCKS_H

#include "core/data/image.h"
#include "core/files/shared/bytes.h"
#include "core/files/shared/numbers.h"

/* A plane: where the pixel in row 0, column 0 begins. */
typedef struct FilesBlock {
  guint file; /* index into FilesBlocks.files */
  guint64 at;
} FilesBlock;

typedef struct FilesBlocks {
  FilesBytes **files; /* at least one */
  FilesNumber number;
  guint64 at;        /* of the first pixel of plane 0, in file 0 */
  gint64 strides[5]; /* bytes from one frame, channel, slice, row, pixel to the next */
  /* NULL, or all planes in the order of Image, (frame × channels + channel) × slices + slice; then `at` and the first three strides do not count. */
  const FilesBlock *planes;
  guint n_files;
} FilesBlocks;

/* Sets the strides of dense pixels. Each has `samples` numbers one behind the other as its channels; 1: channels are planes. */
void files_blocks_set_dense (FilesBlocks *blocks, const ImageInfo *info, guint samples);
/* Whether all pixels lie within the files. info: checked by image_info_check(). FALSE with *error, "'path' is truncated: ...". */
gboolean files_blocks_check (const FilesBlocks *blocks, const ImageInfo *info, GError **error);
/* The image, whose type is files_number_type(). It refers to the files and has its own copy of everything else. NULL with *error, also when
 * files_blocks_check() fails; nothing is allocated before that. */
Image *files_blocks_image (const FilesBlocks *blocks, const ImageInfo *info, GError **error);
/* Reads a region of a plane as files_blocks_image() does: for formats that put planes together of several blocks. Rows of `to` are `stride` bytes
 * apart. The region lies within the block and the block within its file. Any thread. FALSE with *error. */
gboolean files_blocks_read (const FilesBlocks *blocks, const FilesBlock *block, const ImageRegion *region, void *to,
                            gsize stride, GError **error);

#endif
