/* SPDX-License-Identifier: MIT
 *
 * One image of a file, for commands that take one.
 */
#ifndef COMMAND_OPENED_H
#define COMMAND_OPENED_H

#include "command/command.h"

enum { SERIES_NOT_CHOSEN = G_MININT };
#define SERIES_OPTION(SERIES)                                                                                          \
  {                                                                                                                    \
    "series", 0, 0, G_OPTION_ARG_INT, &SERIES, "Image of the file to use, counted from 0", "N"                         \
  }

/* What the user says that the pixels of files are, as fovea_file_open_raw() takes it; NULL: their contents tell. */
extern char *opened_raw;
#define RAW_OPTION                                                                                                     \
  {                                                                                                                    \
    "raw", 0, 0, G_OPTION_ARG_STRING, &opened_raw,                                                                     \
      "Read a file of nothing but pixels: 'width=512 height=512 slices=10 type=u16 endian=big offset=128'", "PIXELS"   \
  }

/* Whether a name is a URL, or a pattern with named parts. Whether its files exist is found when it is opened. */
gboolean opened_is_no_path (const char *name);
/* Whether the files of arguments, a list that ends with NULL, exist; those behind "-" and URLs may; and whether --raw is right. FALSE with *error. */
gboolean opened_exist (const char *const *inputs, GError **error);
/* Whether the option has such a number, or none. */
gboolean opened_series_is_right (int series);
/* The file of an argument: a path, a URL, or - for standard input. Any thread. NULL with *error. */
fovea_file *opened_file (fovea_context *context, const char *argument, fovea_error **error);
/* What progress shows before the steps run: "opening", or "reading, 12.3 MiB" of a stream or URL. Free with g_free(). */
char *opened_progress (const fovea_task *task);
/* The image, by default the first one. Other contents of the file are reported on standard error, in one line,
 * unless quiet. Any thread. NULL with *error. */
fovea_image *opened_image (fovea_context *context, const char *path, int series, fovea_error **error);

#endif
