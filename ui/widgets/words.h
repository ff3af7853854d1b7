/* SPDX-License-Identifier: MIT
 *
 * The window in the language of who uses it: its own texts by gettext, and those that operations declare, which are English. Keys,
 * steps, macros, headers of tables and all that is written to files are the same in every language.
 */
#ifndef UI_WIDGETS_WORDS_H
#define UI_WIDGETS_WORDS_H

#include "core/ops/op.h"

/* Finds the translations, of the build or of the installation. Once, after setlocale() and before any text. */
void words_start (void);
/* Lets the window be laid out from the right when its words are read so. Once, after GTK's start. */
void words_set_direction (void);

/* What a declaration says, such as a label or a help, in the language of the window; NULL and "" stay. It lasts as long as `text`. */
const char *words_shown (const char *text);
/* An operation's label without the dots that menus have. Free with g_free(). */
char *words_title (const Op *op);
/* "1 row", "12 rows". Free with g_free(). */
char *words_count (gint64 n, const char *one, const char *many);
/* So many of what an operation counts: "12 objects". Free with g_free(). */
char *words_scalar (const fv_scalar *scalar, gint64 n);

#endif
