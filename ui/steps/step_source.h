/* SPDX-License-Identifier: MIT
 *
 * The parameters of a step of a document, for a form.
 */
#ifndef UI_STEPS_STEP_SOURCE_H
#define UI_STEPS_STEP_SOURCE_H

#include "core/document/document.h"
#include "ui/form/param_source.h"

typedef struct StepInDocument {
  Document *document;
  guint index;
} StepInDocument;

/* step must live longer than what the source is given to. */
ParamSource step_source (StepInDocument *step);

#endif
