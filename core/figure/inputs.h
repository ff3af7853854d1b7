/* SPDX-License-Identifier: MIT
 *
 * Of which of the images of a run a figure is.
 */
#ifndef CORE_FIGURE_INPUTS_H
#define CORE_FIGURE_INPUTS_H

#include "core/figure/choices.h"
#include "core/ops/module.h"
#include "core/run/run.h"

typedef struct FigureInputs {
  Modules *modules; /* must live longer */
  Image *image;
  Image *labels; /* or a mask, of the same size; or NULL */
} FigureInputs;

/* What the choices say, or as a window shows it; references. The run has all its images. FALSE with *error. */
gboolean figure_inputs_find (FigureInputs *inputs, Modules *modules, const Run *run, const FigureChoices *choices,
                             GError **error);
void figure_inputs_clear (FigureInputs *inputs);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FigureInputs, figure_inputs_clear)

#endif
