/* SPDX-License-Identifier: MIT
 *
 * The list of kept selections as other functions of macros need it.
 */
#ifndef CORE_MACRO_ROI_MANAGER_H
#define CORE_MACRO_ROI_MANAGER_H

#include "core/macro/state.h"

/* Saves those that are kept, or where there are none the current one, as .roi or .zip. command: see cage_file(). */
void roi_manager_save (Macro *m, const char *command, const char *path);

/* Keeps the outlines of the objects of an image of labels. */
void roi_manager_add_objects (Macro *m, Image *labels);

#endif
