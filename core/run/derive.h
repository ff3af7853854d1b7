/* SPDX-License-Identifier: MIT
 *
 * The numbers that derived values of a step come to, once the steps whose numbers they take have run.
 */
#ifndef CORE_RUN_DERIVE_H
#define CORE_RUN_DERIVE_H

#include "core/run/run.h"

/* Computes them for step i, which is about to run on the image `first`, or on none (NULL), as run_derived() of the step. A number that was found for
 * each plane, stack or frame is that of the same plane, stack or frame here. FALSE with *error, which names step and parameter: a number is
 * missing, a value is not in its range, or there are several where the step takes one. */
gboolean run_derive (Run *run, guint i, Image *first, GError **error);
/* The same for numbers that are there already, without a change of the run: for previews. NULL with *error. */
RunDerived *run_derived_from (const Run *run, guint i, Image *first, GError **error);

#endif
