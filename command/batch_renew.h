/* SPDX-License-Identifier: MIT
 *
 * A batch that goes on in a fresh process, which can use a GPU that this one cannot use any more: the program replaces itself.
 */
#ifndef COMMAND_BATCH_RENEW_H
#define COMMAND_BATCH_RENEW_H

#include <glib.h>

/* Keeps the arguments of the command, from "batch" on, before they are parsed. */
void batch_renew_keep (char **argv);
/* Keeps a name that was read of standard input, for it to be read there again; zeros: names end with a NUL, else with a line. */
void batch_renew_keep_name (const char *name, gboolean zeros);
/* Begins the command anew with --resume. Comes back when that cannot be. */
void batch_renew (void *user);

#endif
