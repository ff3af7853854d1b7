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
  char *name;     /* of the result; NULL: the last image, or that of a step */
  gboolean table; /* that it is, to be a CSV file */
  unsigned step;  /* whose image it is, from 1; 0: it has a name, or is the last one */
  unsigned image; /* which of the step's, from 0 */
} Output;

/* The requests of options [NAME=]FILE; NULL: none. The part before '=' is the name of a result unless it contains a
 * '/'. NULL with *error when the result does not exist, or is a table and the file is not a .csv. streams: "-" is standard output. Array of
 * Output; the paths are parts of the options. */
GArray *outputs_parse (char *const *options, const fovea_recipe *recipe, gboolean streams, GError **error);
/* Adds every image of every step, which are to be saved in the folder: "02-otsu.tif", and "03-op-2.tif" for the second one of a step. */
void outputs_add_steps (GArray *outputs, const fovea_recipe *recipe, const char *folder);
/* Whether these, a list that ends with NULL, are different files regardless of their names, in folders that exist; the first is the input. */
gboolean outputs_differ (const char *const *paths, GError **error);

#endif
