/* SPDX-License-Identifier: MIT
 *
 * What the plugins declare, in the library's structs.
 */
#ifndef LIBRARY_OPERATIONS_H
#define LIBRARY_OPERATIONS_H

#include "core/ops/module.h"
#include "library/fovea.h"

typedef struct Operations Operations;

/* Texts are the modules', which must live longer, or its own. */
Operations *operations_new (const Modules *modules);
void operations_free (Operations *operations);
/* In the order of the modules; NULL after the last. */
const fovea_operation *const *operations_list (const Operations *operations);
/* Formats of image files; NULL after the last. */
const fovea_format *const *operations_formats (const Operations *operations);
/* What figures can look like, declared as if they were made by an operation. */
const fovea_operation *operations_figure (const Operations *operations);

#endif
