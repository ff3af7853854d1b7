/* SPDX-License-Identifier: MIT
 *
 * What a macro acts on in the window: the images in its tabs. A macro has a current image of its own, first the one in front: a person who
 * looks at another one meanwhile does not disturb it. In the main loop all of these.
 */
#ifndef UI_MACRO_HOST_H
#define UI_MACRO_HOST_H

#include "ui/macro/stage.h"

/* Knows the images of the shell, and hears of others from now on. modules and worker must live longer. */
MacroStage *macro_host_new (Shell *shell, Modules *modules, Worker *worker);
void macro_host_free (MacroStage *stage);
/* Before a macro begins. */
void macro_host_begin (MacroStage *stage);
/* What it waits for ends soon. */
void macro_host_stop (MacroStage *stage);
/* The window goes: nothing is open any more. */
void macro_host_leave (MacroStage *stage);

#endif
