/* SPDX-License-Identifier: MIT
 *
 * Animations (GIF, APNG): each frame is a part of a canvas that is drawn over what the frames before it left there. The image has the
 * canvas as it is shown, once for each frame.
 */
#ifndef CORE_FILES_SHARED_FRAMES_H
#define CORE_FILES_SHARED_FRAMES_H

#include "core/data/image.h"
#include "core/files/shared/samples.h"

typedef guint16 FilesRgba[4];

/* What happens to a frame's part of the canvas before the next one is drawn. A part that is cleared becomes transparent, as in browsers. */
typedef enum { FILES_FRAME_STAYS, FILES_FRAME_CLEARED, FILES_FRAME_UNDONE } FilesFrameEnd;

typedef struct FilesFrame {
  gint64 row, column, rows, columns;
  FilesFrameEnd end;
  gboolean over; /* blended over the canvas; else its pixels replace those there */
  double delay;  /* until the next one, in seconds; 0: unknown */
  gsize at;      /* where the format finds its data */
  gint key;      /* GIF: the transparent index, -1: none */
} FilesFrame;

typedef struct FilesFrames {
  const char *path;
  const guint8 *bytes; /* the file */
  gsize size;
  ImageInfo info;    /* of the canvas: u8 or u16; `frames` and the interval are taken from what follows */
  GArray *frames;    /* FilesFrame, within the canvas, at least one */
  gboolean can_hide; /* some of its pixels may be transparent */
  gboolean gray;     /* no color can occur */
  /* The frame's pixels, opaque ones with the largest value of the type as alpha. FALSE with *error. */
  gboolean (*decode) (const struct FilesFrames *self, const FilesFrame *frame, FilesRgba *to, GError **error);
} FilesFrames;

/* Of `bytes`, which stay the caller's. End with files_frames_clear(). */
void files_frames_init (FilesFrames *self, const char *path, const guint8 *bytes, gsize size);
void files_frames_clear (FilesFrames *self);
/* Whether canvas is seen without anything drawn, because of a frame of which there are `before`. */
gboolean files_frames_uncovers (const FilesFrames *self, const FilesFrame *frame, guint before);
/* Whether that many frames can come from a file of that size. FALSE with *error. */
gboolean files_frames_check (const FilesFrames *self, GError **error);
/* All frames, decoded. NULL with *error. */
Image *files_frames_image (const FilesFrames *self, GError **error);
/* What is known without decoding; as files_samples_describe(). */
const char *files_frames_describe (const FilesFrames *self, ImageInfo *full);

#endif
