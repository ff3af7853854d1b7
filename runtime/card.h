/* SPDX-License-Identifier: MIT
 *
 * What the description of a package says for people.
 */
#ifndef RUNTIME_CARD_H
#define RUNTIME_CARD_H

#include "runtime/tree.h"

/* A key, a tab and a text on each line, as fv_models.card has them. Free with g_free(). */
char *card_new (Tree *tree);

#endif
