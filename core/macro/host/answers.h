/* SPDX-License-Identifier: MIT
 *
 * Answers to dialogs without a window.
 */
#ifndef CORE_MACRO_ANSWERS_H
#define CORE_MACRO_ANSWERS_H

#include "core/macro/host/host.h"

typedef struct Answers Answers;

/* all: "NAME=VALUE", or NULL; must live longer. */
Answers *answers_new (const char *const *all);
void answers_free (Answers *answers);
/* Puts them into the fields (element-type MacroField) that they name. FALSE with *error when a value does not fit, or one names no field
 * of this dialog nor of one before. */
gboolean answers_give (Answers *answers, const char *title, GPtrArray *fields, GError **error);
/* The name of one that was never asked for, or NULL. Free with g_free(). */
char *answers_unasked (const Answers *answers);

#endif
