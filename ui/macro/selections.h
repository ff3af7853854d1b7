/* SPDX-License-Identifier: MIT
 *
 * Macros in the window: position, selections and measurements of an image.
 */
#ifndef UI_MACRO_SELECTIONS_H
#define UI_MACRO_SELECTIONS_H

#include "ui/macro/stage.h"

void macro_selections_add (MacroHost *host);

#endif
