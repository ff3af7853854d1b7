/* SPDX-License-Identifier: MIT
 *
 * Decoded sub-blocks that are likely to be needed again: for their other colors, and for what lies beside a region. Each is decoded by one thread
 * while others wait for it. Any thread.
 */
#ifndef CORE_FILES_CZI_KEPT_H
#define CORE_FILES_CZI_KEPT_H

#include "core/files/czi/block.h"

typedef struct FilesCziKept FilesCziKept;
/* Of sub-blocks with such pixels. */
FilesCziKept *files_czi_kept_new (FilesBytes *bytes, const FilesCziPixel *pixel);
void files_czi_kept_free (FilesCziKept *kept);

typedef struct FilesCziPixels FilesCziPixels;
/* All pixels of a sub-block, as files_czi_block_decode(). used: how many samples of them the caller takes; when all have been taken they are not
 * kept any longer. NULL with *error. */
FilesCziPixels *files_czi_kept_take (FilesCziKept *kept, const FilesCziBlock *block, guint64 used, GError **error);
const guint8 *files_czi_pixels (const FilesCziPixels *pixels);
void files_czi_pixels_unref (FilesCziPixels *pixels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesCziPixels, files_czi_pixels_unref)

#endif
