/* SPDX-License-Identifier: MIT
 *
 * Which images a step takes: results of earlier steps, by name or place, the opened image, or the mask of a selection.
 */
#ifndef CORE_RUN_PIPELINE_INPUTS_H
#define CORE_RUN_PIPELINE_INPUTS_H

#include "core/run/pipeline.h"

/* The mask of an input that is a selection, kept for as long as its text and its size stay. */
typedef struct StepShape {
  char *text;
  Image *mask;
} StepShape;

/* Takes the mask. */
void step_shape_set (StepShape *shape, const char *text, Image *mask);
/* Whether what is written for an input is a selection and not a name. */
gboolean step_input_is_shape (const char *input);

/* Finds the inputs of step n; they are not the caller's. made: the first image that each step before makes, or NULL. FALSE with
 * *error, which names the step. */
gboolean pipeline_inputs (const Pipeline *pipeline, guint n, Image *source, Image *const *made, Image **inputs,
                          GError **error);

#endif
