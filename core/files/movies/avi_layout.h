/* SPDX-License-Identifier: MIT
 *
 * Where an AVI file has the frames of its first video stream. It is a tree of RIFF chunks: a name of 4 characters, the number of bytes (4), the
 * bytes, and one more if their number is odd; lists begin with a name of their own. Files above 1 GiB have several trees (OpenDML).
 *
 *     RIFF "AVI "
 *       LIST "hdrl"            avih
 *         LIST "strl"          strh: kind of stream, rate; strf: BITMAPINFOHEADER, palette; indx: where the indexes are
 *       LIST "movi"            00db, 00dc: frames; ix00: index of some of them
 *       idx1                   index of these frames
 *     RIFF "AVIX"
 *       LIST "movi"            the frames that follow
 */
#ifndef CORE_FILES_MOVIES_AVI_LAYOUT_H
#define CORE_FILES_MOVIES_AVI_LAYOUT_H

#include "core/files/shared/bytes.h"

typedef enum {
  FILES_AVI_RAW,
  FILES_AVI_JPEG,
  FILES_AVI_PNG,
  FILES_AVI_FOREIGN, /* none of ours */
} FilesAviCodec;

typedef struct FilesAviFrame {
  guint64 at; /* its bytes, which are within the file */
  guint32 size;
} FilesAviFrame;

typedef struct FilesAviLayout {
  gatomicrefcount references;
  FilesBytes *file;
  FilesAviCodec codec;
  gint64 rows, columns;
  guint bits;              /* raw: of a pixel, 8, 24 or 32 */
  gboolean upward;         /* raw: the last row comes first */
  gint64 row_bytes;        /* raw: from a row to the next */
  guint8 palette[3 * 256]; /* raw with 8 bits: red, green and blue of each index */
  gboolean mapped;         /* by this palette: else indices are gray values */
  guint samples;           /* 1: gray; 3: RGB */
  double interval;         /* s; 0: unknown */
  GArray *frames;          /* FilesAviFrame, at least one */
  GString *left_out;
} FilesAviLayout;

gboolean files_avi_is (const guint8 *head, gsize n);
/* Whether the video is compressed in a way that is left to other programs. */
gboolean files_avi_is_foreign (const char *path);
/* NULL with *error. */
FilesAviLayout *files_avi_layout_new (const char *path, GError **error);
FilesAviLayout *files_avi_layout_ref (FilesAviLayout *layout);
void files_avi_layout_unref (FilesAviLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesAviLayout, files_avi_layout_unref)
/* All bytes of a frame; NULL with *error. Free with g_free(). Any thread. */
guint8 *files_avi_frame_read (const FilesAviLayout *layout, const FilesAviFrame *frame, GError **error);
/* "'path' is damaged: frame 3 of it `why`." FALSE. */
gboolean files_avi_frame_fail (const FilesAviLayout *layout, const FilesAviFrame *frame, const char *why,
                               GError **error);

#endif
