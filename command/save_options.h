/* SPDX-License-Identifier: MIT
 *
 * The options of commands that save images: how TIFF, OME-Zarr and movies are written.
 */
#ifndef COMMAND_SAVE_OPTIONS_H
#define COMMAND_SAVE_OPTIONS_H

#include "library/fovea.h"

#include <glib.h>

extern char *save_compression, *save_zarr;
extern int save_tile, save_level, save_sharding;
extern gboolean save_pyramid, save_no_pyramid;
extern double save_rate;

/* What --compression can be; ends with NULL. */
extern const char *const save_methods[];

/* What --zarr can be. */
extern const char *const save_versions[];

/* For a command's table of options. */
#define SAVE_OPTIONS                                                                                                   \
  {"compression",                                                                                                      \
   0,                                                                                                                  \
   0,                                                                                                                  \
   G_OPTION_ARG_STRING,                                                                                                \
   &save_compression,                                                                                                  \
   "Compress TIFF, OME-Zarr (deflate, zstd, none) or AVI (jpeg, png)",                                                 \
   "METHOD"},                                                                                                          \
    {"tile",     0,                                                                                                    \
     0,          G_OPTION_ARG_INT,                                                                                     \
     &save_tile, "Write tiles of TIFF, chunks of OME-Zarr, of N by N pixels, a multiple of 16",                        \
     "N"},                                                                                                             \
    {"pyramid", 0, 0, G_OPTION_ARG_NONE, &save_pyramid, "Add smaller pyramid levels to TIFF, in tiles", NULL},         \
    {"no-pyramid", 0, 0, G_OPTION_ARG_NONE, &save_no_pyramid, "Write OME-Zarr without smaller pyramid levels", NULL},  \
    {"zarr",   0, 0, G_OPTION_ARG_STRING, &save_zarr, "Write that version of OME-Zarr: 0.5 or 0.4 (default: 0.5)",     \
     "VERSION"},                                                                                                       \
    {"level", 0, 0, G_OPTION_ARG_INT, &save_level, "Compress OME-Zarr at that level (default: 3, of deflate 6)", "N"}, \
    {"sharding", 0, 0, G_OPTION_ARG_INT, &save_sharding, "Write OME-Zarr in shards of N by N chunks", "N"},            \
  {                                                                                                                    \
    "rate", 0, 0, G_OPTION_ARG_DOUBLE, &save_rate, "Frames per second of movies (default: by the frame interval)",     \
      "RATE"                                                                                                           \
  }

/* What the options say; FALSE with *error. */
gboolean save_options (fovea_save_options *options, GError **error);

#endif
