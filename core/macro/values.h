/* SPDX-License-Identifier: MIT
 *
 * Values of macros that are objects of the program: images, recipes, results and tables. Lua's garbage collector frees them.
 */
#ifndef CORE_MACRO_VALUES_H
#define CORE_MACRO_VALUES_H

#include "core/macro/mutable_table.h"
#include "core/run/run.h"

#include <lua.h>

typedef enum ValueKind { VALUE_IMAGE, VALUE_RECIPE, VALUE_RESULTS, VALUE_TABLE } ValueKind;

/* A run that has ended. */
typedef struct Results {
  Run *run;
} Results;

/* Takes the run. */
Results *results_new (Run *run);
void results_unref (Results *results);
/* The image, or the table, with that name, or the last one; what a recipe that makes none has taken. Of the results; NULL with *error. */
Image *results_image (const Run *run, const char *name, GError **error);
Table *results_table (const Run *run, const char *name, GError **error);

/* Makes the kinds known. */
void values_open (lua_State *L);
/* Pushes the table of a kind's functions: "image", "recipe", "results", "table". */
void values_methods (lua_State *L, const char *kind);
/* Pushes the object, with a reference of its own. */
void values_push (lua_State *L, ValueKind kind, gpointer object);
/* The object at stack index i; raises an error if it has another type. */
gpointer values_get (lua_State *L, int i, ValueKind kind);
/* The same, or NULL. */
gpointer values_test (lua_State *L, int i, ValueKind kind);

#endif
