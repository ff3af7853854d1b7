/* SPDX-License-Identifier: MIT
 *
 * Look-up tables by their names: those that `display` knows by itself, and those of files, which lie in the user's folder or were opened.
 */
#ifndef CORE_VIEW_LUTS_H
#define CORE_VIEW_LUTS_H

#include "core/view/lut_file.h"

/* The bytes of the longest name and its NUL. */
enum { LUT_NAME = 48 };

/* Names of the tables of `display`; the last one is NULL. */
extern const char *const luts_shipped[];
/* What ImageJ calls one of these, "Fire" for "fire"; NULL: it has it not. And back. */
const char *luts_in_imagej (const char *name);
const char *luts_of_imagej (const char *command);
/* Whether there is a table of that name; "" is what the program chooses. */
gboolean luts_known (const char *name);

/* fovea/luts in the folder of settings. Free with g_free(). */
char *luts_folder (void);
/* The names of the others, in their order: of the folder as it was at first, and what was added. Free with g_strfreev(). Any thread, as
 * all of these. */
char **luts_others (void);
/* Grows whenever another table is there, or one is another. */
guint luts_serial (void);
/* A table of that name that `display` does not know. FALSE: there is none. */
gboolean luts_find (const char *name, Lut *lut);
/* The name of a table from a file: the file's name without ending and folder, and without characters that a step
 * cannot contain. Free with g_free(). */
char *luts_name (const char *path);
/* From now on the name, as luts_name() makes them, means this table; it goes with the program. */
void luts_add (const char *name, const Lut *lut);
/* It stays in the user's folder, too. FALSE with *error. */
gboolean luts_keep (const char *name, const Lut *lut, GError **error);
/* Reads a file and adds it. Its name, free with g_free(); NULL with *error. */
char *luts_open (const char *path, GError **error);

#endif
