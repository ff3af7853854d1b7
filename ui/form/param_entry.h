/* SPDX-License-Identifier: MIT
 *
 * The kind of parameters that are typed: a text, or a number with its slider.
 */
#ifndef UI_FORM_PARAM_ENTRY_H
#define UI_FORM_PARAM_ENTRY_H

#include "ui/form/param_row.h"

extern const ParamKind param_entry_kind;

#endif
