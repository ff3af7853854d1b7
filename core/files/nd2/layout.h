/* SPDX-License-Identifier: MIT
 *
 * Which images an ND2 file has. Its frames are numbered by the loops of the experiment, the outermost running slowest; each has all channels, pixel by
 * pixel. Each position of the stage is an image of its own.
 */
#ifndef CORE_FILES_ND2_LAYOUT_H
#define CORE_FILES_ND2_LAYOUT_H

#include "core/files/nd2/file.h"
#include "core/files/shared/blocks.h"

/* eType */
typedef enum {
  FILES_ND2_TIME = 1,
  FILES_ND2_POSITIONS = 2,
  FILES_ND2_SLICES = 4,
  FILES_ND2_CUSTOM = 7,
  FILES_ND2_TIMES = 8, /* several of FILES_ND2_TIME, one after the other */
} FilesNd2Type;

typedef struct FilesNd2Loop {
  FilesNd2Type type;
  gint64 n, step;         /* frames from one to the next */
  const FilesNd2Node *at; /* uLoopPars; NULL: none */
  const FilesNd2Node *experiment;
} FilesNd2Loop;

enum { FILES_ND2_LOOPS = 8 };

/* Does not change once it is made, but for the hash. */
typedef struct FilesNd2Layout {
  gint references;
  FilesNd2File *file;
  FilesNd2Node *attributes, *experiment, *picture, *texts, *calibration; /* all but the first may be NULL */
  gint64 columns, rows, components, row_bytes;
  gboolean deflated;
  FilesNumber number;
  FilesNd2Loop loops[FILES_ND2_LOOPS]; /* the outermost first */
  guint n_loops;
  const FilesNd2Loop *frames, *slices; /* NULL: there are none; all other loops are of images */
  GArray *chunks;                      /* FilesNd2Chunk of each frame, as many as the loops have */
  GString *left_out;                   /* "": nothing */
} FilesNd2Layout;

FilesNd2Layout *files_nd2_layout_new (const char *path, GError **error);
FilesNd2Layout *files_nd2_layout_ref (FilesNd2Layout *layout);
void files_nd2_layout_unref (FilesNd2Layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesNd2Layout, files_nd2_layout_unref)
/* Whether item i of a list counts, by the list of which do: bytes or truth values. NULL: all do. */
gboolean files_nd2_is_used (const FilesNd2Node *valid, guint i);
/* Bytes of the pixels of a frame, without what may follow the last row. */
gint64 files_nd2_frame_bytes (const FilesNd2Layout *layout);
guint files_nd2_layout_count (const FilesNd2Layout *layout);
/* Which element of a loop image n has; of frames and slices 0. */
gint64 files_nd2_layout_element (const FilesNd2Layout *layout, const FilesNd2Loop *loop, guint n);
/* The number of a frame of the file. */
gint64 files_nd2_layout_frame (const FilesNd2Layout *layout, guint n, gint64 frame, gint64 slice);

#endif
