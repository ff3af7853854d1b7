/* SPDX-License-Identifier: MIT
 *
 * ImageJ's commands, as its recorder writes them, as steps.
 */
#ifndef CORE_RECIPE_IMAGEJ_H
#define CORE_RECIPE_IMAGEJ_H

#include <glib.h>

/* The steps that do what the command does in ImageJ, all of whose words are ImageJ's; NULL: it is none of these, with *error when the
 * command is ImageJ's alone and has other words. own: whether an operation has that label. Free with g_free(). */
char *imagej_steps (const char *command, char *const *words, gboolean own, GError **error);
/* "Otsu dark", as setAutoThreshold() takes it, as a step; NULL with *error. Free with g_free(). */
char *imagej_threshold (const char *words, GError **error);

#endif
