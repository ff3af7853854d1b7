/* SPDX-License-Identifier: MIT
 *
 * Images that ImageJ has in another way: those that it opens as another kind, whose channels it takes for slices, or of which it takes one slice.
 */
#ifndef CORE_MACRO_IMAGEJ_IMAGES_H
#define CORE_MACRO_IMAGEJ_IMAGES_H

#include "core/macro/state.h"

/* Which of the kinds of ImageJ an image is; 0: none. */
guint imagej_kind (const ImageInfo *info);
/* How many slices ImageJ has of it: the channels of a color image are one. */
gint64 imagej_slices (const ImageInfo *info);
/* Raises an error where ImageJ opens the current image as another kind, or takes its dark pixels for bright ones. */
void imagej_check_opened (Macro *m, const char *command);
/* The same for what a command makes of stacks and channels. */
void imagej_check_stack (Macro *m, const char *command, char *const *words);
/* The same for several channels where ImageJ has one range, or threshold, of them all. */
void imagej_check_channels (Macro *m, const char *command);
/* The same for floats of calibrated values, which are stored values after `ours`. */
void imagej_check_calibrated (Macro *m, const ImageInfo *info, const char *command, const char *ours);
/* The same for two images of imageCalculator(); `wide` and `stack`: "32-bit" and "stack" are said. The first is the current one then. */
void imagej_check_calculator (Macro *m, const guint images[2], gboolean wide, gboolean stack);
/* The same for images that become the channels of one. The first is the current one then. */
void imagej_check_merged (Macro *m, const guint *images, guint n);

#endif
