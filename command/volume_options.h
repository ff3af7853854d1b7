/* SPDX-License-Identifier: MIT
 *
 * The options of commands that run steps: whether slices are one volume or planes.
 */
#ifndef COMMAND_VOLUME_OPTIONS_H
#define COMMAND_VOLUME_OPTIONS_H

#include "library/fovea.h"

#include <glib.h>

extern gboolean volume_wanted, volume_planes;

/* For a command's table of options. */
#define VOLUME_OPTIONS                                                                                                 \
  {                                                                                                                    \
    "volume",                                                                                                          \
    0,                                                                                                                 \
    0,                                                                                                                 \
    G_OPTION_ARG_NONE,                                                                                                 \
    &volume_wanted,                                                                                                    \
    "Treat slices as one volume in all steps that do not set volume=",                                                 \
    NULL},                                                                                                             \
  {                                                                                                                    \
    "planes", 0, 0, G_OPTION_ARG_NONE, &volume_planes, "Process each slice separately in those steps", NULL            \
  }

#define VOLUME_OPTIONS_BOTH "--volume or --planes, not both."

/* The recipe with what the options say, which may be it itself; takes it. NULL, after freeing it, when they say both. */
fovea_recipe *volume_options (fovea_recipe *recipe);
/* The recipe with a setting of slices for the image, if it has none. Reports on standard error which one was chosen
 * and how to change it, unless quiet. NULL: unchanged. */
fovea_recipe *volume_choose (const fovea_recipe *recipe, const fovea_image *image);

#endif
