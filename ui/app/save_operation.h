/* SPDX-License-Identifier: MIT
 *
 * Makes an operation from the formula or kernel of the shown step. Asks for its name, and for the names and ranges
 * of its numbers.
 */
#ifndef UI_APP_SAVE_OPERATION_H
#define UI_APP_SAVE_OPERATION_H

#include "ui/shell/shell.h"

/* Says so when the step that is looked at is neither. */
void save_operation_show (Shell *shell);

#endif
