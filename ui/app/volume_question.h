/* SPDX-License-Identifier: MIT
 *
 * Steps that are taken as a whole, such as a recipe's, and say nothing of slices: one volume where these have a known distance, and a question where
 * they have none.
 */
#ifndef UI_APP_VOLUME_QUESTION_H
#define UI_APP_VOLUME_QUESTION_H

#include "core/document/document.h"
#include "ui/shell/shell.h"

/* The document begins with these steps. */
typedef void (*VolumeAnswered) (Shell *shell, Document *document, const Recipe *recipe);

/* Calls it, now or when the person has answered, unless that is Cancel; the recipe says then what was chosen. */
void volume_question (Shell *shell, Document *document, const Recipe *recipe, VolumeAnswered answered);

#endif
