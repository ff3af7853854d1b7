/* SPDX-License-Identifier: MIT
 *
 * Steps as a text file: one step a line, as in `fovea run`; empty lines and those that begin with '#' say nothing.
 */
#ifndef CORE_RECIPE_STEPS_TEXT_H
#define CORE_RECIPE_STEPS_TEXT_H

#include "core/recipe/recipe.h"

/* Free with g_free(). */
char *steps_text_lines (const Recipe *recipe);
/* Writes such lines, whole or not at all. */
gboolean steps_text_save (const char *path, const char *lines, GError **error);
/* The steps of a file as recipe_parse() takes them; NULL with *error. Free with g_free(). */
char *steps_text_load (const char *path, GError **error);
/* The same of text in memory; name: what errors call it. */
char *steps_text_read (const char *text, gsize n, const char *name, GError **error);

#endif
