/* SPDX-License-Identifier: MIT
 *
 * The files that a run shall write, checked before anything is computed.
 */
#ifndef COMMAND_OUTPUTS_H
#define COMMAND_OUTPUTS_H

#include "library/fovea.h"

#include <glib.h>

typedef struct Output {
  const char *path;
  char *name;     /* of the result; NULL: the last image */
  gboolean table; /* that it is, to be a CSV file */
} Output;

/* What options [NAME=]FILE ask for; NULL: none. What is before '=' is the name of a result unless it has a '/'. NULL with *error
 * when there is no such result, or it is a table and the file is no
 * .csv. Array of Output; the paths are parts of the options. */
GArray *outputs_parse (char *const *options, const fovea_recipe *recipe, GError **error);
/* Whether these, a list with NULL at its end, are different files whatever their names; the first is the one that is read. */
gboolean outputs_differ (const char *const *paths, GError **error);

#endif
