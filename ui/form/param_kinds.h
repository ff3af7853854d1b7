/* SPDX-License-Identifier: MIT
 *
 * The kinds of parameters, one for each way in which a value is chosen: on or off, one of some, any of some, text or a number, lines
 * of code.
 */
#ifndef UI_FORM_PARAM_KINDS_H
#define UI_FORM_PARAM_KINDS_H

#include "ui/form/param_row.h"

const ParamKind *param_kind (const ParamSource *source, const fv_param *param);

#endif
