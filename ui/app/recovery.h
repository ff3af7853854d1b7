/* SPDX-License-Identifier: MIT
 *
 * Keeps what a window has open for after a crash, and is the bar that offers what the last crash left.
 */
#ifndef UI_APP_RECOVERY_H
#define UI_APP_RECOVERY_H

#include "ui/shell/shell.h"

#define RECOVERY_TYPE (recovery_get_type ())
G_DECLARE_FINAL_TYPE (Recovery, recovery, FOVEA, RECOVERY, GtkBox)

/* To be put into that window. */
GtkWidget *recovery_new (Shell *shell);
/* The window is closed as it should be: nothing is to be offered. */
void recovery_end (Recovery *recovery);

#endif
