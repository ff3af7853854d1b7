/* SPDX-License-Identifier: MIT
 *
 * Changes of steps as lines of a macro, which are at once Lua and ImageJ's macro language: run("Gaussian Blur...", "sigma=5 border=wrap"). One writer
 * and one reader: what is written makes the same steps of the same steps.
 */
#ifndef CORE_RECIPE_MACRO_TEXT_H
#define CORE_RECIPE_MACRO_TEXT_H

#include "core/recipe/recipe.h"

/* Commands that are no operations. */
#define MACRO_SET_STEPS "Set Steps..."     /* steps=[gaussian sigma=2 | otsu]: all of them */
#define MACRO_CHANGE_STEP "Change Step..." /* step=2 sigma=3: values of one, from 1 */

/* The text as a string of both languages, in its quotation marks; bytes that are not UTF-8 as \xff, which is Lua's alone. Free with
 * g_free(). */
char *macro_text_string (const char *text);
/* " key=value" for the second argument of run(), the value in brackets, as ImageJ does it, or quotes where it needs them. */
void macro_text_append (GString *arguments, const char *key, const char *value);
/* run("command", "arguments"); where arguments is empty run("command"); Free with g_free(). */
char *macro_text_run (const char *command, const char *arguments);
/* The words of such an argument, {key=value, …}, without brackets and quotes. NULL with *error. Free with g_strfreev(). */
char **macro_text_words (const char *arguments, GError **error);

/* The operation that has this label, with or without its dots, or this key; NULL: none, or several have the label. */
const Op *macro_text_op (const Modules *modules, const char *name);
/* The line that makes the steps `after` of the steps `before`: one step more, values of one, or all. Free with g_free(). */
char *macro_text_change (const Modules *modules, const Recipe *before, const Recipe *after);
/* The steps after such a line: one more for an operation, or as the two commands above. NULL with *error. others:
 * further commands that the caller knows, for a hint if this one is unknown; a list that ends with NULL. */
Recipe *macro_text_apply (const Modules *modules, const Recipe *recipe, const char *command, const char *arguments,
                          const char *const *others, GError **error);

#endif
