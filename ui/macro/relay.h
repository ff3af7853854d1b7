/* SPDX-License-Identifier: MIT
 *
 * What the thread of a macro asks of the main loop, one thing at a time.
 */
#ifndef UI_MACRO_RELAY_H
#define UI_MACRO_RELAY_H

#include <glib.h>

typedef struct Relay Relay;

Relay *relay_new (void);
/* Nothing may be waiting. */
void relay_free (Relay *relay);

/* ---- On the macro's thread ---- */

/* Does work (data) in the main loop, and waits for its end. */
void relay_call (Relay *relay, void (*work) (gpointer data), gpointer data);
/* Begins something in the main loop that ends later, with relay_answer(). When the macro is stopped meanwhile, abandon (data) is called
 * there, which sees to it that it ends soon. FALSE with *error when it was stopped. */
gboolean relay_wait (Relay *relay, void (*begin) (gpointer data), void (*abandon) (gpointer data), gpointer data,
                     GError **error);

/* ---- In the main loop ---- */

void relay_answer (Relay *relay);
/* From now on nothing begins that would have to be waited for; or it may again. */
void relay_stop (Relay *relay);
void relay_start (Relay *relay);

#endif
