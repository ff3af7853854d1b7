/* SPDX-License-Identifier: MIT
 *
 * What the channels of a network's output mean.
 */
#ifndef RUNTIME_MEANING_H
#define RUNTIME_MEANING_H

#include "kernels/network/model_file.h"

#include <glib.h>

/* Sets probability, rays, foreground and boundary of *head, whose number of channels is known. names: of the channels, or NULL. stars: they are said to be those of
 * stars. FALSE with *error. */
gboolean meaning_set (model_head *head, char **names, gboolean stars, GError **error);

#endif
