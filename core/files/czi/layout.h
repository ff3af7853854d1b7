/* SPDX-License-Identifier: MIT
 *
 * Which images a CZI file holds. Sub-blocks of the same scene, phase, view, rotation, illumination, block and pixel type are one image; so is each
 * channel of colors. Nothing of the file is believed before it is checked.
 */
#ifndef CORE_FILES_CZI_LAYOUT_H
#define CORE_FILES_CZI_LAYOUT_H

#include "core/files/czi/levels.h"
#include "core/files/czi/metadata.h"

/* Does not change once it is made. */
typedef struct FilesCziLayout {
  gatomicrefcount references;
  FilesBytes *bytes;
  GArray *blocks;    /* FilesCziBlock */
  GPtrArray *images; /* FilesCziImage, at least one */
  FilesCziMetadata *metadata;
  GString *left_out;
} FilesCziLayout;

FilesCziLayout *files_czi_layout_new (const char *path, GError **error);
FilesCziLayout *files_czi_layout_ref (FilesCziLayout *layout);
void files_czi_layout_unref (FilesCziLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesCziLayout, files_czi_layout_unref)

#endif
