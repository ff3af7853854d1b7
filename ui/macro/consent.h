/* SPDX-License-Identifier: MIT
 *
 * Code of this machine in steps that a macro makes.
 */
#ifndef UI_MACRO_CONSENT_H
#define UI_MACRO_CONSENT_H

#include "ui/macro/stage.h"

/* On the macro's thread: asks about code of the steps that is not allowed, but for that of a macro which may run its own. FALSE with *error when
 * it may not run. */
gboolean macro_consent_get (MacroStage *stage, const Recipe *recipe, GError **error);

#endif
