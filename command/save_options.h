/* SPDX-License-Identifier: MIT
 *
 * The options of commands that save images: how TIFF and movies are written.
 */
#ifndef COMMAND_SAVE_OPTIONS_H
#define COMMAND_SAVE_OPTIONS_H

#include "library/fovea.h"

#include <glib.h>

extern char *save_compression;
extern int save_tile;
extern gboolean save_pyramid;
extern double save_rate;

/* What --compression can be; ends with NULL. */
extern const char *const save_methods[];

/* For a command's table of options. */
#define SAVE_OPTIONS                                                                                                   \
  {"compression", 0, 0, G_OPTION_ARG_STRING, &save_compression, "Compress TIFF (deflate, zstd) or AVI (jpeg, png)",    \
   "METHOD"},                                                                                                          \
    {"tile", 0, 0, G_OPTION_ARG_INT, &save_tile, "Write TIFF with tiles of N by N pixels, a multiple of 16", "N"},     \
    {"pyramid", 0, 0, G_OPTION_ARG_NONE, &save_pyramid, "Add smaller pyramid levels to TIFF, in tiles", NULL},         \
  {                                                                                                                    \
    "rate", 0, 0, G_OPTION_ARG_DOUBLE, &save_rate, "Frames per second of movies (default: by the frame interval)",     \
      "RATE"                                                                                                           \
  }

/* What the options say; FALSE with *error. */
gboolean save_options (fovea_save_options *options, GError **error);

#endif
