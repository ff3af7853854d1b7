/* SPDX-License-Identifier: MIT
 *
 * What ffprobe says of a video.
 */
#ifndef CORE_FILES_MOVIES_VIDEO_PROBE_H
#define CORE_FILES_MOVIES_VIDEO_PROBE_H

#include <glib.h>

typedef struct FilesVideo {
  char *path;
  const char *container; /* ffmpeg's name */
  gint64 rows, columns;  /* as it is shown */
  gint64 frames;         /* as far as is known without decoding */
  char *gray;            /* NULL: colors; ffmpeg's name of the pixels that they are decoded to */
  gboolean deep;         /* more than 8 bits; gray alone */
  double interval;       /* s; 0: unknown */
  char *left_out;        /* NULL: nothing */
} FilesVideo;

/* ffmpeg's name of what a file is that begins so; NULL: no video that is left to it. */
const char *files_video_container (const char *path, const guint8 *head, gsize n);
/* NULL with *error, such as when ffprobe is missing. */
FilesVideo *files_video_probe (const char *path, GError **error);
void files_video_free (FilesVideo *video);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilesVideo, files_video_free)
/* The path of a program of ffmpeg, free with g_free(). NULL with *error, which has `what`: "opened" or "written". */
char *files_video_program (const char *program, const char *path, const char *what, GError **error);

#endif
