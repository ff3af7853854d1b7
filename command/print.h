/* SPDX-License-Identifier: MIT
 *
 * All that the command prints. Texts come from files, plugins and users: what could command a terminal, or is not UTF-8, is
 * printed as \x1b or \u009b.
 */
#ifndef COMMAND_PRINT_H
#define COMMAND_PRINT_H

#include <glib.h>

/* Only errors and results are printed. */
extern gboolean print_quiet;

/* Before any file is opened: if a standard stream is closed, a file would get its descriptor. */
void print_begin (void);
/* From now on all that is printed, or would be if it were not quiet, is also added to this file, each line with its time. Other processes can add to the
 * same file. FALSE with *error when it cannot be written or is the file of something else. */
gboolean print_log_to (const char *path, GError **error);
/* A line of the log alone. */
void print_logged (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* A line on standard output. Line breaks in it are not printed as such. */
void print_line (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Lines on standard output. */
void print_text (const char *text);
/* A line on standard output about what was done, unless quiet. */
void print_report (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* "fovea: ...", a line on standard error, unless quiet. */
void print_note (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* "fovea: ...", a line on standard error. */
void print_error (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* A line on the terminal of standard error that the next one replaces; NULL: none. */
void print_progress (const char *text);
/* FALSE, after an error message, when standard output or the log could not take everything. A closed pipe is not reported. */
gboolean print_end (void);

#endif
