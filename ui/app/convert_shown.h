/* SPDX-License-Identifier: MIT
 *
 * Pixels of another type with what is shown darkest and brightest as the ends of its values, as ImageJ's Image ▸ Type does it.
 */
#ifndef UI_APP_CONVERT_SHOWN_H
#define UI_APP_CONVERT_SHOWN_H

#include "ui/shell/shell.h"
#include "ui/view/view.h"

/* Adds the step `convert` to this type, one of its choices, below what is looked at, with the limits of each channel as numbers, so that it does the same anywhere.
 * Values stay as they are where the type holds all of them, and where they are numbers of objects. */
void convert_shown (Shell *shell, View *view, const char *type);

#endif
