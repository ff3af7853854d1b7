/* SPDX-License-Identifier: MIT
 *
 * The name or file of a trained model: an entry, and a menu of all models.
 */
#ifndef UI_FORM_MODEL_ENTRY_H
#define UI_FORM_MODEL_ENTRY_H

#include "ui/form/param_row.h"

extern const ParamKind model_entry_kind;

#endif
