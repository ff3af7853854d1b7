/* SPDX-License-Identifier: MIT
 *
 * All functions of macros, from their declarations.
 */
#ifndef CORE_MACRO_FUNCTIONS_H
#define CORE_MACRO_FUNCTIONS_H

#include <glib.h>
#include <lua.h>

/* Makes them known; after values_open(). */
void functions_open (lua_State *L);
/* Their names: of those that stand alone, or what comes behind a point or a colon of the others. Free with g_ptr_array_unref(). */
GPtrArray *functions_names (gboolean global);
/* The page of reference, in Markdown. Free with g_free(). */
char *functions_reference (void);

#endif
