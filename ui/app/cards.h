/* SPDX-License-Identifier: MIT
 *
 * Wakes the cards in the background, once in the life of the program, and tells those who show devices when they are known.
 */
#ifndef UI_APP_CARDS_H
#define UI_APP_CARDS_H

#include "core/ops/module.h"

#include <glib-object.h>

/* Starts to look for them. modules must live until cards_settle(). */
void cards_wake (Modules *modules);
/* Waits until nobody looks for them any more. */
void cards_settle (void);
/* Calls changed (object), in the main loop, when devices have been found; not after the object is gone. */
void cards_when_found (gpointer object, void (*changed) (gpointer object));

#endif
