/* SPDX-License-Identifier: MIT
 *
 * What was wrong when the program started, and did not keep it from starting.
 */
#ifndef UI_APP_START_FAULTS_H
#define UI_APP_START_FAULTS_H

#include "core/ops/module.h"

/* One sentence for each: files of the user's that are not read, plugins that are not used. NULL: nothing. Free with g_free(). */
char *start_faults (const Modules *modules);

#endif
