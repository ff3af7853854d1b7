/* SPDX-License-Identifier: MIT
 *
 * An image that is saved as a movie: which planes are its frames, and how long each is shown.
 */
#ifndef CORE_FILES_SHARED_MOVIE_H
#define CORE_FILES_SHARED_MOVIE_H

#include "core/data/image.h"

#include <stdint.h>

typedef enum { FILES_MOVIE_PLAIN, FILES_MOVIE_JPEG, FILES_MOVIE_PNG } FilesMovieCompression;

/* Options of formats that are movies. */
typedef struct FilesMovieChoices {
  double rate;         /* frames per second; 0: as the image says */
  int32_t compression; /* FilesMovieCompression, of AVI */
} FilesMovieChoices;

/* For a format's table of options. */
#define FILES_MOVIE_RATE                                                                                               \
  {                                                                                                                    \
    FV_FIELD (FilesMovieChoices, rate), .label = "Frame rate", .max = 1000, .soft_max = 60, .unit = "1/s",             \
                                        .help = "Frames per second; 0: by the frame interval of the image, or 10 "     \
                                                "where it has none."                                                   \
  }

typedef struct FilesMovie {
  Image *image;
  const ImageInfo *info;
  const char *path;
  const char *label; /* of the format */
  gint64 frames;     /* those of the image, or the slices of its only one */
  guint channels;    /* 1: gray; 3: RGB */
  double interval;   /* s */
} FilesMovie;

/* Refers to the image, path and label. FALSE with *error when it is not one sequence of gray or RGB frames. */
gboolean files_movie_init (FilesMovie *movie, Image *image, const char *path, const char *label, double rate,
                           GError **error);
/* Whether pixels have 8 bits; FALSE with *error. */
gboolean files_movie_is_8_bit (const FilesMovie *movie, GError **error);
/* The format shows a frame for `low` to `high` seconds. FALSE with *error when the interval is not among them. */
gboolean files_movie_check_interval (const FilesMovie *movie, double low, double high, GError **error);
/* Frames per second as a fraction. Rates with three decimals are exact, intervals otherwise to the microsecond or, above an hour, to the millisecond.
 * interval: 1e-6 to 4e6 s. */
void files_movie_rate (double interval, guint32 *rate, guint32 *scale);
/* Bytes of the planes of a frame. */
gsize files_movie_bytes (const FilesMovie *movie);
/* Reads the planes of a frame, dense and one behind the other. Any thread. FALSE with *error. */
gboolean files_movie_read (const FilesMovie *movie, gint64 frame, guint8 *to, GError **error);
/* The same, as they are shown: with the samples of a pixel side by side. Of 8 bits. */
gboolean files_movie_read_pixels (const FilesMovie *movie, gint64 frame, guint8 *to, GError **error);

#endif
