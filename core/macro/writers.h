/* SPDX-License-Identifier: MIT
 *
 * The list of all functions of macros that make files or folders. What is not in it makes none: see cage.h.
 */
#ifndef CORE_MACRO_WRITERS_H
#define CORE_MACRO_WRITERS_H

#include <glib.h>

typedef struct MacroWriter {
  const char *function; /* as it is declared: "image:save", "run" */
  const char *command;  /* its first argument, "Save Steps..."; NULL: it has none that decides */
  const char *makes;    /* for people: "a table" */
  const char *endings;  /* of the names, with blanks between, the usual one first; NULL: it makes folders */
} MacroWriter;

/* Of each function with its commands; the last one has no function. Images are those of the formats that can be written (core/files/formats.h). */
const MacroWriter *writers_all (void);

/* command may be NULL; capitals do not count. NULL: there is none. */
const MacroWriter *writers_find (const char *function, const char *command);
/* The name, with the usual ending where it has no dot and saveAs() is called, which adds one. Free with g_free(). */
char *writers_name (const MacroWriter *writer, const char *path);
/* Whether the name has one of the endings. FALSE with *error. */
gboolean writers_check_ending (const MacroWriter *writer, const char *path, GError **error);

#endif
