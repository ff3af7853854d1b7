/* SPDX-License-Identifier: MIT
 *
 * What a file of JPEG 2000 says: its boxes, its codestream, and the channels that these make.
 */
#ifndef CORE_FILES_JPEG2000_LAYOUT_H
#define CORE_FILES_JPEG2000_LAYOUT_H

#include "core/data/image_info.h"
#include "core/files/jpeg2000/boxes.h"
#include "core/files/jpeg2000/codestream.h"

typedef struct FilesJp2Channel {
  guint component;
  int column; /* of the palette; -1: the numbers themselves */
  guint bits;
} FilesJp2Channel;

typedef struct FilesJp2 {
  gatomicrefcount references;
  FilesBytes *bytes;
  FilesJp2Boxes boxes;
  FilesJ2k codestream;
  GArray *channels;  /* FilesJp2Channel */
  gboolean is_alpha; /* the last channel is */
  gboolean is_rgb;   /* the others are red, green, blue */
  gboolean is_ycc;   /* they are Y, Cb, Cr, which become that */
  char *left_out;    /* NULL: nothing */
} FilesJp2;

/* NULL with *error. */
FilesJp2 *files_jp2_new (const char *path, GError **error);
FilesJp2 *files_jp2_ref (FilesJp2 *self);
void files_jp2_unref (FilesJp2 *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesJp2, files_jp2_unref)
/* The image of its first n channels, which are all, or all but alpha. Clear with image_info_clear(). */
void files_jp2_info (const FilesJp2 *self, guint n, ImageInfo *info);

#endif
