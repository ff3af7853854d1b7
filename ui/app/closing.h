/* SPDX-License-Identifier: MIT
 *
 * What happens before images are closed: when they have steps of which nothing was saved, the user is asked, once for all.
 */
#ifndef UI_APP_CLOSING_H
#define UI_APP_CLOSING_H

#include "ui/app/window.h"

typedef void (*ClosingGo) (GObject *what);

/* Calls go (what), now or when the user has agreed or saved; never when the user thinks better of it. */
void closing_ask (Window *window, const GPtrArray *documents, ClosingGo go, GObject *what);

#endif
