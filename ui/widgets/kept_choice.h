/* SPDX-License-Identifier: MIT
 *
 * A choice among a few names that stays from one start to the next, as an action whose state is the name.
 */
#ifndef UI_WIDGETS_KEPT_CHOICE_H
#define UI_WIDGETS_KEPT_CHOICE_H

#include <gio/gio.h>

/* The first name holds until another one is chosen; the user's settings have it under that group and key. names: to NULL, and must live as
 * long, as group and key must. Free with g_object_unref(). */
GSimpleAction *kept_choice_new (const char *action, const char *group, const char *key, const char *const *names);
/* Which of the names it is; "notify::state" says that it is another one. */
guint kept_choice_get (GSimpleAction *choice);

#endif
