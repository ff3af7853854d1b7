/* SPDX-License-Identifier: MIT
 */
#include "core/files/shared/movie.h"

#include "core/base/file_error.h"
#include "core/base/units.h"
#include "core/data/pixel_type.h"
#include "core/files/shared/samples.h"

#include <math.h>

#define USUAL_INTERVAL 0.1 /* s */

/* s; 0: unknown. */
static double
interval_of (const ImageInfo *info)
{
  return info->frames > 1 && info->frame_interval > 0
           ? info->frame_interval * units_factor (info->frame_unit ? info->frame_unit : "", "s")
           : 0;
}

gboolean
files_movie_init (FilesMovie *movie, Image *image, const char *path, const char *label, double rate, GError **error)
{
  const ImageInfo *info = image_info (image);
  const double own = interval_of (info);
  *movie = (FilesMovie){.image = image,
                        .info = info,
                        .path = path,
                        .label = label,
                        .frames = info->frames * info->depth,
                        .channels = info->role == FV_RGB ? 3 : 1,
                        .interval = rate > 0  ? 1 / rate
                                    : own > 0 ? own
                                              : USUAL_INTERVAL};
  if (info->channels != (gint64) movie->channels)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: %s holds gray or RGB frames and '%s' has %" G_GINT64_FORMAT
                      " channels; make them RGB or take one first, or save it as .tif.",
                      label, info->name, info->channels);
  if (info->depth > 1 && info->frames > 1)
    return file_fail (error, FILE_ERROR_WRITE, path,
                      "cannot be written: %s holds one sequence of frames and '%s' has %" G_GINT64_FORMAT
                      " slices in each of %" G_GINT64_FORMAT " frames; take one slice first, or save it as .tif.",
                      label, info->name, info->depth, info->frames);
  return TRUE;
}

gboolean
files_movie_is_8_bit (const FilesMovie *movie, GError **error)
{
  return movie->info->type == FV_U8
         || file_fail (error, FILE_ERROR_WRITE, movie->path,
                       "cannot be written: %s holds numbers from 0 to 255 and '%s' is %s; save it as .tif, or convert "
                       "it to 8-bit first.",
                       movie->label, movie->info->name, pixel_type (movie->info->type)->words);
}

gboolean
files_movie_check_interval (const FilesMovie *movie, double low, double high, GError **error)
{
  return (movie->interval >= low && movie->interval <= high)
         || file_fail (error, FILE_ERROR_WRITE, movie->path,
                       "cannot be written: %s shows a frame for %g to %g s, and those of '%s' are %g s apart; choose a "
                       "rate in frames per second, such as rate=10.",
                       movie->label, low, high, movie->info->name, movie->interval);
}

void
files_movie_rate (double interval, guint32 *rate, guint32 *scale)
{
  const double thousandths = 1000 / interval;
  const gboolean exact = thousandths >= 1 && fabs (thousandths - round (thousandths)) < 1e-9 * thousandths;
  const double unit = interval < 3600 ? 1e6 : 1e3;
  *scale = exact ? 1000 : (guint32) lround (interval * unit);
  *rate = (guint32) (exact ? round (thousandths) : unit);
}

gsize
files_movie_bytes (const FilesMovie *movie)
{
  return image_info_plane_bytes (movie->info) * movie->channels;
}

gboolean
files_movie_read (const FilesMovie *movie, gint64 frame, guint8 *to, GError **error)
{
  const ImageInfo *info = movie->info;
  const ImageRegion all = {0, 0, info->rows, info->columns};
  const gint64 t = frame / info->depth, z = frame % info->depth;
  for (gint64 c = 0; c < info->channels; c++)
    if (!image_read (movie->image, 0, (t * info->channels + c) * info->depth + z, &all,
                     to + (gsize) c * image_info_plane_bytes (info), image_info_row_bytes (info), error))
      return FALSE;
  return TRUE;
}

gboolean
files_movie_read_pixels (const FilesMovie *movie, gint64 frame, guint8 *to, GError **error)
{
  const gsize plane = image_info_plane_bytes (movie->info);
  if (movie->channels == 1)
    return files_movie_read (movie, frame, to, error);
  g_autofree guint8 *planes = g_try_malloc (3 * plane);
  const guint8 *const each[] = {planes, planes + plane, planes + 2 * plane};
  if (!planes)
    return file_fail (error, FILE_ERROR_WRITE, movie->path, "cannot be written: there is not enough memory.");
  if (!files_movie_read (movie, frame, planes, error))
    return FALSE;
  files_samples_interleave (to, each, movie->info->columns, 0, movie->info->rows);
  return TRUE;
}
