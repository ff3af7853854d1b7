/* SPDX-License-Identifier: MIT
 *
 * ImageJ's commands, as its recorder writes them, as steps. Operations declare them (fv_op.imagej).
 */
#ifndef CORE_RECIPE_IMAGEJ_H
#define CORE_RECIPE_IMAGEJ_H

#include "core/ops/module.h"

/* The steps that do what the command does in ImageJ. All its words must be ImageJ's. NULL without *error: it is not such a command. NULL with *error:
 * it is, but has other words. Pass `own` if an operation has that label: its words are then its own. Free with g_free(). */
char *imagej_steps (const Modules *modules, const char *command, char *const *words, gboolean own, GError **error);
/* The declaration of a command for which imagej_steps() has steps. */
const fv_imagej *imagej_line (const Modules *modules, const char *command);
/* "Otsu dark", as setAutoThreshold() takes it, as a step; NULL with *error. Free with g_free(). */
char *imagej_threshold (const char *words, GError **error);

#endif
