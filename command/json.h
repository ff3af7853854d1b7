/* SPDX-License-Identifier: MIT
 *
 * JSON as all programs read it and no terminal obeys it.
 */
#ifndef COMMAND_JSON_H
#define COMMAND_JSON_H

#include <json-glib/json-glib.h>

/* A member of the object that is being built; NULL: null. */
void json_add_text (JsonBuilder *b, const char *name, const char *value);
/* The same of a text that may be anything, such as the name of a file. */
void json_add_bytes (JsonBuilder *b, const char *name, const char *value);
/* A number of a list, or null where it is none. */
void json_add_number (JsonBuilder *b, double number);
/* The builder's value, indented; takes it. Free with g_free(). */
char *json_end (JsonBuilder *b);
/* Prints it, and takes it. */
void json_print (JsonBuilder *b);

#endif
