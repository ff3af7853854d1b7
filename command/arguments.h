/* SPDX-License-Identifier: MIT
 *
 * Arguments as people type them: what GLib's parser of options does not take is brought into a form that it takes.
 */
#ifndef COMMAND_ARGUMENTS_H
#define COMMAND_ARGUMENTS_H

#include <glib.h>

/* Parses options of these entries, which end with one without a name, as g_option_context_parse() does. In addition a short option may have its
 * value attached, "-j1", and all that follows "--" is an argument, which *argv then has without the "--". FALSE with *error. */
gboolean arguments_parse (GOptionContext *context, const GOptionEntry *const *entries, int *argc, char ***argv,
                          GError **error);
/* The option at the end of an argument whose value is the next argument, as that of "-o" or "--output"; NULL: none. */
const GOptionEntry *arguments_pending (const GOptionEntry *const *entries, const char *argument);

#endif
