/* SPDX-License-Identifier: MIT
 *
 * SIGINT, SIGTERM and SIGHUP: unfinished files are removed and the program ends.
 */
#ifndef COMMAND_STOP_H
#define COMMAND_STOP_H

#include "library/fovea.h"

/* From now on, for the signals that are not ignored. */
void stop_catch (void);
/* The first signal asks this task to stop; if it has not within 0.1 s, or at the second signal, the program ends all the
 * same. NULL: there is none. */
void stop_asks (fovea_task *task);

#endif
