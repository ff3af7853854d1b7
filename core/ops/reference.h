/* SPDX-License-Identifier: MIT
 *
 * The reference of the operations, made from their declarations.
 */
#ifndef CORE_OPS_REFERENCE_H
#define CORE_OPS_REFERENCE_H

#include "core/ops/op.h"

/* What a parameter takes, in words: "number, 0 to 1000 px, default 2"; ordinal: how positions are counted there. Free with g_free(). */
char *reference_values (const fv_param *p, const char *ordinal);
/* What an input takes, for people "8-bit, 16-bit" or by the names of types "u8, u16"; or in words. Free with g_free(). */
char *reference_types (guint types, gboolean names);
/* The page for a window, as Pango markup. Free with g_free(). */
char *reference_markup (const Op *op);

#endif
