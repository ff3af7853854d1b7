/* SPDX-License-Identifier: MIT
 *
 * SIGINT, SIGTERM and SIGHUP: unfinished files are removed and the program ends.
 */
#ifndef CORE_BASE_SYSTEM_STOP_H
#define CORE_BASE_SYSTEM_STOP_H

/* From now on, for the signals that are not ignored. */
void stop_catch (void);

#endif
