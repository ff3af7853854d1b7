/* SPDX-License-Identifier: MIT
 *
 * The reference of the operations, made from their declarations: as text for a terminal or a window, as a Markdown page, as JSON.
 */
#ifndef CORE_OPS_REFERENCE_H
#define CORE_OPS_REFERENCE_H

#include "core/ops/module.h"

#include <json-glib/json-glib.h>

/* Free with g_free(). */
char *reference_text (const Op *op);
/* The page for a window, as Pango markup. Free with g_free(). */
char *reference_markup (const Op *op);
/* ops: array of const Op *. Free with g_free(). */
char *reference_markdown (const GPtrArray *ops);
/* Owned by the caller. */
JsonBuilder *reference_json (const GPtrArray *ops);

#endif
