/* SPDX-License-Identifier: MIT
 *
 * Lines of ImageJ whose steps core/recipe/imagej.h knows, on the image that is there: they do what they do in ImageJ, or are an error that
 * says what differs.
 */
#ifndef CORE_MACRO_IMAGEJ_LINES_H
#define CORE_MACRO_IMAGEJ_LINES_H

#include "core/macro/state.h"

/* Whether the line is one of these, and is done. */
gboolean imagej_lines_run (Macro *m, const char *command, const char *arguments);
/* Adds steps to those of the current image. */
void imagej_add_steps (Macro *m, const char *steps);
/* Adds them to `before`: that makes the steps of the current image. */
void imagej_add_steps_to (Macro *m, const Recipe *before, const char *steps);
/* The same as imagej_add_steps() to the pixels of the selected area alone, where one is selected. */
void imagej_add_steps_inside (Macro *m, const char *steps);
/* The steps of the current image with a name for what they make; owned. */
Recipe *imagej_name_last (Macro *m, const char *stem, const char **name);

#endif
