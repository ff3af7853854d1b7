/* SPDX-License-Identifier: MIT
 *
 * Continues a batch in a new process, which can use a GPU that this process has lost: the program replaces itself.
 */
#ifndef COMMAND_BATCH_RENEW_H
#define COMMAND_BATCH_RENEW_H

#include <glib.h>

/* Keeps the arguments of the command, from "batch" on, before they are parsed. */
void batch_renew_keep (char **argv);
/* Keeps a line from standard input, a name or steps, where the restarted command reads it again. With `zeros` it ends with a null byte. */
void batch_renew_keep_line (const char *line, gboolean zeros);
/* Restarts the command with --resume. Returns only on failure. */
void batch_renew (void *user);

#endif
