/* SPDX-License-Identifier: MIT
 *
 * SIGINT, SIGTERM and SIGHUP: unfinished files are removed and the program ends.
 */
#ifndef CORE_BASE_STOP_H
#define CORE_BASE_STOP_H

#include "core/base/progress.h"

/* From now on, for the signals that are not ignored. */
void stop_catch (void);
/* The first signal asks this work to stop; if it has not within 0.1 s, or at the second signal, the program ends all the
 * same. NULL: there is no work. */
void stop_asks (Progress *p);

#endif
