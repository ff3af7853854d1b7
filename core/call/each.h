/* SPDX-License-Identifier: MIT
 *
 * A call whose arguments differ from plane to plane: each group gets its own, and planes that are otherwise one group are groups by themselves.
 */
#ifndef CORE_CALL_EACH_H
#define CORE_CALL_EACH_H

#include "core/call/context.h"

/* To be called before the first group, with the groups of the call known; nothing where c->target.each is NULL. FALSE with *error when outputs would
 * have other sizes or positions in different planes. */
gboolean call_each_begin (CallContext *c, GError **error);
/* Before each group: its arguments become those of the call. */
void call_each_group (CallContext *c);

#endif
