/* SPDX-License-Identifier: MIT
 *
 * Continues a batch in a new process, which can use a GPU that this process has lost: the program replaces itself.
 */
#ifndef COMMAND_BATCH_RENEW_H
#define COMMAND_BATCH_RENEW_H

#include <glib.h>

/* Keeps the arguments of the command, from "batch" on, before they are parsed. */
void batch_renew_keep (char **argv);
/* Keeps a name from standard input, where the restarted command reads it again. With `zeros` names end with a null byte, otherwise with a line. */
void batch_renew_keep_name (const char *name, gboolean zeros);
/* Restarts the command with --resume. Returns only on failure. */
void batch_renew (void *user);

#endif
