/* SPDX-License-Identifier: MIT
 *
 * The files that a run shall write, checked before anything is computed.
 */
#ifndef CORE_RUN_OUTPUTS_H
#define CORE_RUN_OUTPUTS_H

#include "core/recipe/recipe.h"

typedef struct Output {
  const char *path;
  int step; /* whose result; -1: the last image */
  guint output;
  gboolean table; /* that it is, to be a CSV file */
} Output;

/* What options [NAME=]FILE ask for; NULL: none. What is before '=' is the name of a result unless it has a '/'. NULL with *error
 * when there is no such result, or it is a table and the file is
 * no .csv. Array of Output; the paths are parts of the options. */
GArray *outputs_parse (char *const *options, const Recipe *recipe, GError **error);
/* Whether these, a list with NULL at its end, are different files whatever their names; the first is the one that is read. */
gboolean outputs_differ (const char *const *paths, GError **error);

#endif
