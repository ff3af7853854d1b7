/* SPDX-License-Identifier: MIT
 *
 * The colors of any look-up table, also of those that only the operation `display` knows.
 */
#ifndef CORE_FIGURE_LUT_COLORS_H
#define CORE_FIGURE_LUT_COLORS_H

#include "core/ops/module.h"
#include "core/view/lut_file.h"

/* FALSE with *error when no look-up table has that name. */
gboolean lut_colors (Modules *modules, const char *name, Lut *lut, GError **error);

#endif
