/* SPDX-License-Identifier: MIT
 *
 * Macros in the window: steps, and what they make.
 */
#ifndef UI_MACRO_STEPS_H
#define UI_MACRO_STEPS_H

#include "ui/macro/stage.h"

void macro_steps_add (MacroHost *host);

/* In the main loop: the last run of the image that is asked about; NULL with ask->error when it went wrong or the image is closed. */
const Run *macro_steps_run (MacroAsk *ask);

/* On the macro's thread: as macro_ask(), once nothing of the image is computed any more. */
gpointer macro_steps_results (gpointer stage, void (*work) (gpointer ask), guint image, gconstpointer in,
                              GError **error);
/* As MacroHost.fetch. */
gboolean macro_steps_fetch (gpointer stage, Image *image, GError **error);

#endif
