/* SPDX-License-Identifier: MIT
 *
 * Whether a line of ImageJ does here what it does there with the image that is current; where it does not, an error says what differs.
 */
#ifndef CORE_MACRO_IMAGEJ_CHECKS_H
#define CORE_MACRO_IMAGEJ_CHECKS_H

#include "core/macro/imagej_images.h"
#include "core/macro/state.h"
#include "core/recipe/imagej.h"

/* Raises an error where the command, with these steps, differs in ImageJ. stack: the line has the word "stack". */
void imagej_check (Macro *m, const char *command, const fv_imagej *rule, const char *steps, gboolean stack);
/* The same for what depends on its words or on values. */
void imagej_check_words (Macro *m, const char *command, char *const *words);
/* The same for a threshold that a method finds. */
void imagej_check_threshold (Macro *m);
/* Whether it is a mask: all values are 0 or 255. */
gboolean imagej_is_binary (Macro *m, Image *image);
/* The selected area; NULL: none is. Owned. */
const Selection *imagej_area (Macro *m);

#endif
