/* SPDX-License-Identifier: MIT
 *
 * The manual, opened in the browser at the heading of an operation.
 */
#ifndef UI_APP_MANUAL_H
#define UI_APP_MANUAL_H

#include "core/ops/op.h"

#include <gtk/gtk.h>

typedef void (*ManualOtherwise) (GtkWindow *window, const Op *op);

/* op: NULL opens the first page; it must live as long as the program. Calls otherwise() later if no browser can be started, the manual was not
 * built, or it does not have the operation, as of a plugin. */
void manual_open (GtkWindow *window, const Op *op, ManualOtherwise otherwise);

#endif
