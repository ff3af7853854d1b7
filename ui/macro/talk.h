/* SPDX-License-Identifier: MIT
 *
 * Macros in the window: what they say and ask.
 */
#ifndef UI_MACRO_TALK_H
#define UI_MACRO_TALK_H

#include "ui/macro/stage.h"

void macro_talk_add (MacroHost *host);

/* In the main loop: nothing has been said yet. */
void macro_talk_begin (MacroStage *stage);
/* Some of the lines that it has printed since the last call, or NULL. Free with g_free(). */
char *macro_talk_printed (MacroStage *stage);
/* How far it says it is, or -1, and its own words for that, or NULL. Free with g_free(). */
char *macro_talk_status (MacroStage *stage, double *done);

#endif
