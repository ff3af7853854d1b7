/* SPDX-License-Identifier: MIT
 *
 * What happens before images are closed: when they have steps, selections or measurements that are in no file, the user is
 * asked, once for all.
 */
#ifndef UI_APP_CLOSING_H
#define UI_APP_CLOSING_H

#include "ui/shell/shell.h"

typedef void (*ClosingAgreed) (GObject *subject);

/* Calls agreed (subject), now or when the user has agreed or saved; never when the user thinks better of it. */
void closing_ask (Shell *shell, const GPtrArray *documents, ClosingAgreed agreed, GObject *subject);

#endif
