/* SPDX-License-Identifier: MIT
 *
 * Figures of the page in front: saved by a dialog that shows them as they will be, or copied to the clipboard.
 */
#ifndef UI_FIGURE_EXPORT_H
#define UI_FIGURE_EXPORT_H

#include "ui/shell/shell.h"

/* The dialog. There is a page. */
void figure_export_show (Shell *shell);
/* A dot for each pixel of the image, or of the selection, with what figures had the last time. */
void figure_copy (Shell *shell);

#endif
