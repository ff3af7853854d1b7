/* SPDX-License-Identifier: MIT
 *
 * What the names of files say: '{plate}_{well}_s{field}.tif', or a regular expression with (?P<names>). A part in braces is as short as possible and
 * has no slash; without a '/' such a pattern is for the name of the file alone, with one for the end of the path. A regular expression is for any
 * part of the path, unless ^ and $ say otherwise.
 *
 * In braces a part may have an '=' and what its text is like, '{z=*DAPI*}': * is any text, ? any character, # a number. Before that a ':' and a list of
 * positions may choose some of its texts, '{t:1-99-2}': pattern->picks, which the caller applies.
 */
#ifndef CORE_BASE_NAME_PATTERN_H
#define CORE_BASE_NAME_PATTERN_H

#include <glib.h>

typedef struct NamePattern {
  GRegex *regex;
  GPtrArray *names; /* char *: of its parts, in their order */
  GPtrArray *picks; /* char *: "1-99-2" of each part; NULL: all */
} NamePattern;

/* NULL with *error (STEP_ERROR). */
NamePattern *name_pattern_new (const char *text, GError **error);
void name_pattern_free (NamePattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NamePattern, name_pattern_free)
/* The parts of a path, as many as there are names and a NULL; NULL: it does not match. Free with g_strfreev(). */
char **name_pattern_match (const NamePattern *pattern, const char *path);

#endif
