/* SPDX-License-Identifier: MIT
 *
 * The temporary file has the frames one behind the other, which are read from there as from a file that is not compressed.
 */
#include "core/files/movies/video.h"

#include "core/base/system/child.h"
#include "core/base/disk_memory.h"
#include "core/base/file_name.h"
#include "core/base/file_read.h"
#include "core/base/file_write.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/files/shared/blocks.h"
#include "core/files/shared/movie.h"
#include "core/files/movies/video_probe.h"
#include "core/files/movies/video_write.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- Description ---- */

static gboolean
is (const FileFormat *self, const char *path, const guint8 *head, gsize n)
{
  (void) self;
  return files_video_container (path, head, n) != NULL;
}

static gpointer
layout_new (const FileFormat *self, const char *path, GError **error)
{
  (void) self;
  return files_video_probe (path, error);
}

static const char *
left_out (gconstpointer layout)
{
  return ((const FilesVideo *) layout)->left_out;
}

/* With so many frames and channels. Clear with image_info_clear(). */
static ImageInfo
info_of (const FilesVideo *v, gint64 frames, gint64 channels)
{
  const gboolean series = frames > 1 && v->interval > 0;
  return (ImageInfo){.type = v->deep ? FV_U16 : FV_U8,
                     .role = channels == 3 ? FV_RGB : FV_IMAGE,
                     .frames = frames,
                     .channels = channels,
                     .depth = 1,
                     .rows = v->rows,
                     .columns = v->columns,
                     .spacing = {1, 1, 1},
                     .frame_interval = series ? v->interval : 0,
                     .frame_unit = g_strdup (series ? "s" : ""),
                     .name = file_name_short (v->path)};
}

static gboolean
describe (gpointer layout, guint n, ImageInfo *info, const char **depends, GError **error)
{
  const FilesVideo *v = layout;
  ImageInfo own = info_of (v, v->frames, v->gray ? 1 : 3);
  (void) n, (void) error;
  image_info_copy (info, &own);
  image_info_clear (&own);
  *depends = v->gray ? "as many frames as can be decoded"
                     : "one channel if all its colors are gray, and as many frames as can be decoded";
  return TRUE;
}

/* ---- Decoding ---- */

typedef struct {
  const FilesVideo *video;
  int fd;        /* of the temporary file */
  guint64 bytes; /* in it */
  guint64 all;   /* as many as are expected */
  guint64 limit;
  gboolean colored;
} Decoding;

static gsize
frame_bytes (const FilesVideo *v)
{
  return (gsize) (v->rows * v->columns) * (v->deep ? 2 : v->gray ? 1 : 3);
}

static gboolean
no_room (const Decoding *d, GError **error)
{
  g_autofree char *needed = g_format_size_full (MAX (d->all, d->bytes), G_FORMAT_SIZE_IEC_UNITS),
                  *left = g_format_size_full (d->limit, G_FORMAT_SIZE_IEC_UNITS);
  return file_fail (error, FILE_ERROR_OPEN, d->video->path,
                    "cannot be opened: its frames need %s in a temporary file, and %s are left there. FOVEA_SCRATCH "
                    "selects another folder.",
                    needed, left);
}

static gboolean
take_pixels (gpointer data, const guint8 *bytes, gsize n, GError **error)
{
  Decoding *d = data;
  for (gsize i = 0; i + 2 < n && !d->video->gray && !d->colored; i += 3)
    d->colored = bytes[i] != bytes[i + 1] || bytes[i] != bytes[i + 2];
  d->bytes += n;
  if (d->bytes > d->limit)
    return no_room (d, error);
  progress_report (progress_current (), (gint64) MIN (d->bytes, d->all), (gint64) d->all);
  return file_write_all (d->fd, bytes, n)
         || file_fail (error, FILE_ERROR_OPEN, d->video->path,
                       "cannot be decoded into a temporary file: %s. FOVEA_SCRATCH selects another folder.",
                       g_strerror (errno));
}

/* Frames get times that are one second apart: ffmpeg would repeat or drop those that are too early or late. */
static gboolean
decode (Decoding *d, const char *program, int file, GError **error)
{
  const FilesVideo *v = d->video;
  g_autofree char *threads = g_strdup_printf ("%u", parallel_threads ()), *said = NULL;
  const char *const words[] = {program,
                               "-v",
                               "error",
                               "-nostdin",
                               "-xerror",
                               "-protocol_whitelist",
                               "file,pipe",
                               "-threads",
                               threads,
                               "-f",
                               v->container,
                               "-i",
                               "file:" CHILD_PATH,
                               "-map",
                               "0:v:0",
                               "-vf",
                               "setpts=N/TB",
                               "-r",
                               "1",
                               "-sws_flags",
                               "accurate_rnd+full_chroma_int",
                               "-f",
                               "rawvideo",
                               "-pix_fmt",
                               v->gray ? v->gray : "rgb24",
                               "pipe:1",
                               NULL};
  const ChildJob job = {.words = words, .file = file, .take = take_pixels, .data = d};
  if (child_run (&job, v->path, &said, error))
    return TRUE;
  return said
         && file_fail (error, FILE_ERROR_DAMAGED, v->path,
                       "is damaged or truncated: frame %" G_GUINT64_FORMAT " of it cannot be decoded (%s).",
                       d->bytes / frame_bytes (v) + 1, said);
}

/* The image of the frames in the temporary file, which it takes. */
static Image *
image_of (const Decoding *d, GError **error)
{
  const FilesVideo *v = d->video;
  g_autoptr (FilesBytes) file = files_bytes_take (v->path, d->fd, d->bytes);
  const gint64 frames = (gint64) (d->bytes / frame_bytes (v));
  FilesBlocks blocks = {.files = &file, .n_files = 1, .number = {.bytes = v->deep ? 2 : 1}};
  ImageInfo info = info_of (v, frames, d->colored ? 3 : 1);
  Image *image = NULL;
  files_blocks_set_dense (&blocks, &info, v->gray ? 1 : 3);
  if (frames > 0 && d->bytes % frame_bytes (v) == 0)
    image = files_blocks_image (&blocks, &info, error);
  else if (frames > 0 || d->bytes > 0)
    file_fail (error, FILE_ERROR_DAMAGED, v->path, "cannot be opened: ffmpeg decodes frames of another size.");
  else
    file_fail (error, FILE_ERROR_DAMAGED, v->path, "is damaged or truncated: none of its frames can be decoded.");
  image_info_clear (&info);
  return image;
}

static Image *
open_video (gpointer layout, guint n, GError **error)
{
  const FilesVideo *v = layout;
  Decoding d = {.video = v, .limit = disk_memory_room ().bytes};
  g_autofree char *program = files_video_program ("ffmpeg", v->path, "opened", error);
  struct stat about;
  (void) n;
  const ImageInfo claimed = {.type = FV_U16,
                             .frames = v->frames,
                             .channels = 3,
                             .depth = 1,
                             .rows = v->rows,
                             .columns = v->columns,
                             .name = v->path};
  if (!program || !image_info_check (&claimed, error))
    return NULL;
  d.all = (guint64) v->frames * frame_bytes (v);
  if (d.all > d.limit) {
    no_room (&d, error);
    return NULL;
  }
  const int file = file_open_regular (v->path, 0, &about, error);
  if (file < 0)
    return NULL;
  d.fd = disk_memory_open ();
  if (d.fd < 0)
    file_fail (error, FILE_ERROR_OPEN, v->path,
               "cannot be decoded into a temporary file: %s. FOVEA_SCRATCH selects another folder.",
               g_strerror (errno));
  const gboolean decoded = d.fd >= 0 && decode (&d, program, file, error);
  close (file);
  if (decoded)
    return image_of (&d, error);
  if (d.fd >= 0)
    close (d.fd);
  return NULL;
}

/* ---- Format ---- */

static const fv_param options[] = {FILES_MOVIE_RATE, {0}};

const FileFormat format_video = {
  .key = "video",
  .label = "Video",
  .endings = (const char *const[]){"mp4", "mov", "mkv", "webm", "m4v", "wmv", "mpg", "mpeg", "flv", NULL},
  .mime = (const char *const[]){"video/mp4", "video/quicktime", "video/x-matroska", "video/webm", "video/x-ms-wmv",
                                "video/mpeg", "video/x-flv", NULL},
  .is = is,
  .layout = layout_new,
  .free = (GDestroyNotify) files_video_free,
  .left_out = left_out,
  .describe = describe,
  .open = open_video,
  .n_written = 4,
  .macro = "Video",
  .options = options,
  .options_size = sizeof (FilesMovieChoices),
  .save = files_video_save,
};
