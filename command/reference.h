/* SPDX-License-Identifier: MIT
 *
 * The reference of the operations, made from what they declare: as text for a terminal, as a Markdown page, as JSON.
 */
#ifndef COMMAND_REFERENCE_H
#define COMMAND_REFERENCE_H

#include "library/fovea.h"

#include <json-glib/json-glib.h>

/* Free with g_free(). */
char *reference_text (const fovea_operation *operation);
/* operations: ended by NULL. Free with g_free(). */
char *reference_markdown (const fovea_operation *const *operations);
/* The caller's. */
JsonBuilder *reference_json (const fovea_operation *const *operations);

#endif
