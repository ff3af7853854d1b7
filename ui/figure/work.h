/* SPDX-License-Identifier: MIT
 *
 * Figures that are written or copied on a thread, and the messages about it.
 */
#ifndef UI_FIGURE_WORK_H
#define UI_FIGURE_WORK_H

#include "core/figure/figure.h"
#include "ui/shell/shell.h"

/* Writes it; the record hears of it. */
void figure_work_save (Shell *shell, Document *document, const FigureChoices *choices, const char *path);
/* Puts its dots into the clipboard. */
void figure_work_copy (Shell *shell, Document *document, const FigureChoices *choices);

#endif
