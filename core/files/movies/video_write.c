/* SPDX-License-Identifier: MIT
 *
 * ffmpeg writes an unnamed file, since it returns to earlier bytes of it. The complete file is then copied.
 */
#include "core/files/movies/video_write.h"

#include "core/base/system/child.h"
#include "core/base/disk_memory.h"
#include "core/base/file_target.h"
#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/files/shared/movie.h"
#include "core/files/movies/video_probe.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_SIDE = 16384, PIECE = 1 << 18 };

typedef struct {
  FilesMovie movie;
  gint64 next; /* frame */
  guint8 *pixels;
} Encoding;

/* A frame with even numbers of rows and columns. */
static gboolean
give_frame (gpointer data, GByteArray *bytes, GError **error)
{
  Encoding *e = data;
  const FilesMovie *m = &e->movie;
  const gsize row = (gsize) m->info->columns * m->channels;
  if (e->next == m->frames)
    return TRUE;
  if (!files_movie_read_pixels (m, e->next, e->pixels, error))
    return FALSE;
  for (gint64 y = 0; y < m->info->rows + m->info->rows % 2; y++) {
    const guint8 *from = e->pixels + (gsize) MIN (y, m->info->rows - 1) * row;
    g_byte_array_append (bytes, from, (guint) row);
    if (m->info->columns % 2)
      g_byte_array_append (bytes, from + row - m->channels, m->channels);
  }
  e->next++;
  progress_report (progress_current (), e->next, m->frames);
  return TRUE;
}

/* ffmpeg's name of what the ending asks for. */
static const char *
container_of (const char *path)
{
  static const char *const names[][2] = {{".mov", "mov"}, {".mkv", "matroska"}, {".webm", "webm"}};
  g_autofree char *lower = g_ascii_strdown (path, -1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_suffix (lower, names[i][0]))
      return names[i][1];
  return "mp4";
}

/* The colors are those of HD, and the file says so; players guess otherwise. */
static gboolean
encode (Encoding *e, const char *program, int file, GError **error)
{
  const FilesMovie *m = &e->movie;
  const gint64 rows = m->info->rows + m->info->rows % 2, columns = m->info->columns + m->info->columns % 2;
  guint32 rate, scale;
  files_movie_rate (m->interval, &rate, &scale);
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT, columns, rows),
                  *fraction = g_strdup_printf ("%u/%u", rate, scale),
                  *threads = g_strdup_printf ("%u", parallel_threads ()), *said = NULL;
  const char *const words[] = {
    program,
    "-v",
    "error",
    "-y",
    "-f",
    "rawvideo",
    "-pixel_format",
    m->channels == 3 ? "rgb24" : "gray",
    "-video_size",
    size,
    "-framerate",
    fraction,
    "-i",
    "pipe:0",
    "-vf",
    "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-color_range",
    "tv",
    "-crf",
    "18",
    "-b:v",
    "0",
    "-threads",
    threads,
    "-fflags",
    "+bitexact",
    "-flags:v",
    "+bitexact",
    "-movflags",
    "+faststart",
    "-f",
    container_of (m->path),
    "file:" CHILD_PATH,
    NULL};
  const ChildJob job = {.words = words, .file = file, .give = give_frame, .data = e};
  if (child_run (&job, m->path, &said, error))
    return TRUE;
  return said && file_fail (error, FILE_ERROR_WRITE, m->path, "cannot be written by ffmpeg: %s.", said);
}

static gboolean
copy (int file, const char *path, GError **error)
{
  g_autoptr (FileTarget) target = file_target_new (path, error);
  g_autofree guint8 *piece = g_malloc (PIECE);
  gssize n = 0;
  for (off_t at = 0; target && (n = pread (file, piece, PIECE, at)) > 0; at += n)
    if (!file_target_write (target, piece, (gsize) n, error))
      return FALSE;
  if (n < 0)
    return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s.", g_strerror (errno));
  return target && file_target_commit (g_steal_pointer (&target), error);
}

static gboolean
check (const FilesMovie *m, GError **error)
{
  const ImageInfo *info = m->info;
  if (!files_movie_is_8_bit (m, error) || !files_movie_check_interval (m, 0.001, 3600, error))
    return FALSE;
  if (info->role == FV_MASK)
    return file_fail (error, FILE_ERROR_WRITE, m->path,
                      "cannot be written: videos change values, and '%s' is a mask; save it as .avi, .gif or .tif.",
                      info->name);
  return (info->rows <= LARGEST_SIDE && info->columns <= LARGEST_SIDE)
         || file_fail (error, FILE_ERROR_WRITE, m->path,
                       "cannot be written: videos hold at most %d×%d pixels; save it as .avi or .tif.", LARGEST_SIDE,
                       LARGEST_SIDE);
}

gboolean
files_video_save (Image *image, const char *path, gconstpointer options, GError **error)
{
  const FilesMovieChoices *choices = options;
  Encoding e = {.next = 0};
  if (!files_movie_init (&e.movie, image, path, "Video", choices->rate, error) || !check (&e.movie, error))
    return FALSE;
  g_autofree char *program = files_video_program ("ffmpeg", path, "written", error);
  g_autofree guint8 *pixels = e.pixels = g_try_malloc (files_movie_bytes (&e.movie));
  if (!program)
    return FALSE;
  const int file = pixels ? disk_memory_open () : -1;
  if (file < 0)
    return file_fail (error, FILE_ERROR_WRITE, path, "cannot be written: %s. FOVEA_SCRATCH selects another folder.",
                      g_strerror (pixels ? errno : ENOMEM));
  const gboolean written = encode (&e, program, file, error) && copy (file, path, error);
  close (file);
  return written;
}
