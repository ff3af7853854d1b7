/* SPDX-License-Identifier: MIT
 *
 * Access to tables for other functions of macros.
 */
#ifndef CORE_MACRO_TABLES_H
#define CORE_MACRO_TABLES_H

#include "core/data/table.h"
#include "core/macro/state.h"

/* Pushes a copy of the table as a value. */
int tables_push (lua_State *L, Macro *m, const Table *table);
/* Saves the table of the current image: the last one of its steps, or else the measurements; or these. kind: see cage_file(). */
void tables_save_shown (Macro *m, gboolean measured, const char *kind, const char *path);
/* run ("Save Results...", "path=[FILE] …"): the same, as table_export_read() understands it. */
int tables_save (lua_State *L, Macro *m, const char *command, const char *arguments);
/* run ("Clear Results") */
int tables_clear (lua_State *L, Macro *m, const char *command, const char *arguments);

#endif
