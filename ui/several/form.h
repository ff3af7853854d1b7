/* SPDX-License-Identifier: MIT
 *
 * A dialog about a step with several images: which ones, and the step's parameters. It shows the result at once. OK
 * keeps it as a step of the first image, and Cancel removes it.
 */
#ifndef UI_SEVERAL_FORM_H
#define UI_SEVERAL_FORM_H

#include "ui/shell/shell.h"

typedef struct SeveralDialog {
  const char *op;          /* the operation, whose inputs the images are; its parameters are choices */
  const char *const *rows; /* what the images are called, ended by NULL */
  guint between;           /* so many parameters stand between the first two images */
  const char *const
    *luts; /* look-up tables of the channels that come of each image, none of which must be there; NULL: all must */
} SeveralDialog;

void several_form_show (Shell *shell, const SeveralDialog *dialog);

#endif
