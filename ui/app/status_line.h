/* SPDX-License-Identifier: MIT
 *
 * Below the images: what is under the pointer, where in the image that is, what is being done and how far it is, a button that stops it,
 * a GPU's memory, and where steps run.
 */
#ifndef UI_APP_STATUS_LINE_H
#define UI_APP_STATUS_LINE_H

#include "core/ops/module.h"

#include <gtk/gtk.h>

#define STATUS_LINE_TYPE (status_line_get_type ())
G_DECLARE_FINAL_TYPE (StatusLine, status_line, FOVEA, STATUS_LINE, GtkBox)

/* modules must live longer. positions and device: the sliders and the choice, which it takes. Its button activates win.stop. */
GtkWidget *status_line_new (const Modules *modules, GtkWidget *positions, GtkWidget *device);
void status_line_set_text (StatusLine *self, const char *text);
/* To be called often. work: what is being done, "" for what has no name, or NULL; done: 0 ... 1, or -1 when that is not known. It is
 * shown once it takes longer than a glance; whether it is. */
gboolean status_line_set_work (StatusLine *self, const char *work, double done);
/* Something is done: what follows it at once is other work, unless it is shown already. */
void status_line_end_work (StatusLine *self);

#endif
