/* SPDX-License-Identifier: MIT
 *
 * ImageJ's lines about several images, as steps of the first one that take the others.
 */
#ifndef CORE_MACRO_SEVERAL_H
#define CORE_MACRO_SEVERAL_H

#include "core/macro/state.h"

/* Its label is the operation's own, too. */
#define SEVERAL_MERGE "Merge Channels..."

/* Whether the words are ImageJ's: "c1=a.tif c2=b.tif create keep ignore". */
gboolean several_knows_merge (Macro *m, const char *arguments);
int several_merge (Macro *m, const char *arguments);

#endif
